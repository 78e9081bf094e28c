"""A driver of the conformance vectors for pyodata: its reader of metadata, and its entities made from verbose JSON. It knows version 2 only.

The driver turns its model and its entities into the shapes of the contract (Corpora/FORMAT.md, "Payloads") and does nothing else. An entity needs a
type of a model in pyodata, so payloads without metadata are `unsupported`.
"""
import base64
import datetime
import json

from lxml.etree import XMLSyntaxError
from pyodata.exceptions import PyODataException
from pyodata.v2.model import EndRole, MetadataBuilder
from pyodata.v2.service import EntityProxy, Service

from wire import Fault, serve


def bytes_of(args, name="text"):
    if args.get("base64") is not None:
        return base64.b64decode(args["base64"])
    return args[name].encode("utf-8")


def model(data):
    try:
        return MetadataBuilder(data).build()
    except PyODataException as error:
        is_xml = isinstance(error.__cause__, XMLSyntaxError)
        raise Fault("invalidXML" if is_xml else "invalidMetadata", str(error))
    except (KeyError, RuntimeError) as error:  # what it raises about names that it does not find, and about duplicates
        raise Fault("invalidMetadata", str(error))


def type_name(info):
    name = info.name if info.namespace is None else "%s.%s" % (info.namespace, info.name)
    return "Collection(%s)" % name if info.is_collection else name


def properties(struct):
    return [{"name": found.name, "type": type_name(found.type_info), "nullable": found.nullable} for found in struct.proprties()]


def navigation(found):
    target = found.to_role.entity_type_info
    name = "%s.%s" % (target.namespace, target.name)
    many = found.to_role.multiplicity == EndRole.MULTIPLICITY_ZERO_OR_MORE
    return {"name": found.name, "type": "Collection(%s)" % name if many else name}


def parse_metadata(args):
    schema = model(bytes_of(args))
    schemas = []
    for namespace in schema.namespaces:
        declared = schema._decls[namespace]  # it shows no namespace of a type otherwise
        schemas.append({
            "namespace": namespace,
            "entityTypes": [{"name": found.name, "key": [key.name for key in found.key_proprties], "properties": properties(found),
                             "navigation": [navigation(link) for link in found.nav_proprties]} for found in declared.list_entity_types()],
            "complexTypes": [{"name": found.name, "properties": properties(found)} for found in declared.list_complex_types()],
            "enumTypes": [{"name": found.name, "isFlags": found.is_flags} for found in declared.list_enum_types()],
            "functions": [{"name": found.name} for found in declared.list_function_imports()],
        })
    sets = [{"name": found.name, "type": "%s.%s" % (found.entity_type_info.namespace, found.entity_type_info.name)} for found in schema.entity_sets]
    return {"schemas": schemas, "entitySets": sets}


def value(found, kind):
    """A value of its entities as the contract writes it: texts for 64-bit integers, decimals and dates."""
    if isinstance(found, datetime.datetime):
        text = (found.replace(tzinfo=None) if kind == "Edm.DateTime" else found).isoformat()
        return text[:-6] + "Z" if text.endswith("+00:00") else text
    if kind in ("Edm.Int64", "Edm.Decimal") and found is not None:
        return str(found)
    return found


def entity(proxy):
    shown = {"kind": "entry", "properties": {}, "navigation": {}}
    links = {link.name for link in proxy._entity_type.nav_proprties}
    for name, found in proxy._cache.items():
        if name not in links:
            shown["properties"][name] = value(found, proxy._entity_type.proprty(name).typ.name)
        elif isinstance(found, list):
            shown["navigation"][name] = {"kind": "feed", "entries": [entity(one) for one in found]}
        else:
            shown["navigation"][name] = None if found is None else entity(found)
    return shown if proxy.etag is None else {**shown, "etag": proxy.etag}


def parse_payload(args):
    if not args.get("metadata") or not args.get("entityType"):
        raise Fault("unsupported", "an entity needs the type of a model")
    schema = model(bytes_of(args, "metadata"))
    namespace, _, name = args["entityType"].rpartition(".")
    try:
        content = json.loads(bytes_of(args))["d"]
        kind = schema.entity_type(name, namespace=namespace)
        service = Service("http://service", schema, None)
        if isinstance(content, list) or "results" in content:
            rows = content if isinstance(content, list) else content["results"]
            return {"kind": "feed", "entries": [entity(EntityProxy(service, None, kind, row)) for row in rows]}
        return entity(EntityProxy(service, None, kind, content))
    except json.JSONDecodeError as error:
        raise Fault("invalidJSON", str(error))
    except (PyODataException, ValueError) as error:
        raise Fault("invalidLiteral", str(error))


serve("pyodata", ["odata", "metadata", "verboseJSON"],
      {"odata.parseMetadata": parse_metadata, "odata.parsePayload": parse_payload}, versions=["2.0"])
