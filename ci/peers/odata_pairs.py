"""Reads OData payloads and metadata with ElementTree and json, apart from the Swift readers, and prints what it found in each file.

Input: a line per file, `metadata|payload VERSION PATH`, separated by tabs. Output: a line per file, `COUNT CRC32` of the sorted lines `path<TAB>value`
(with --pairs the lines themselves), or `error`. Every primitive value of every entry is one pair; a path is made of names and positions:
`0/Name`, `0/Orders/1/Items/0`.
"""
import base64
import json
import re
import sys
import zlib
from datetime import datetime, timedelta
from decimal import Decimal
from xml.etree import ElementTree

ATOM = "{http://www.w3.org/2005/Atom}"
APP = "{http://www.w3.org/2007/app}"
DATA = ("{http://schemas.microsoft.com/ado/2007/08/dataservices}", "{http://docs.oasis-open.org/odata/ns/data}")
META = ("{http://schemas.microsoft.com/ado/2007/08/dataservices/metadata}", "{http://docs.oasis-open.org/odata/ns/metadata}")
TOMB = "{http://purl.org/atompub/tombstones/1.0}"
INTEGERS = {"Edm.Byte", "Edm.SByte", "Edm.Int16", "Edm.Int32", "Edm.Int64"}


def type_name(written):
    name = written.lstrip("#")
    if "." not in name and "(" not in name:
        name = "Edm." + name
    return name


def clock(hour, minute, second, fraction):
    fraction = (fraction or "").rstrip("0")
    return f"{hour}:{minute}:{second or '00'}" + ("." + fraction if fraction else "")


def canonical(text, kind):
    """The text of a value of a primitive type in its canonical form."""
    if kind in INTEGERS:
        return str(int(text))
    if kind == "Edm.Boolean":
        return {"1": "true", "0": "false"}.get(text, text)
    if kind in ("Edm.Double", "Edm.Single"):
        return text if text in ("INF", "-INF", "NaN") else repr(float(text))
    if kind == "Edm.Guid":
        return text.lower()
    if kind == "Edm.Binary":
        return base64.b64encode(base64.b64decode(text.replace("-", "+").replace("_", "/") + "==")).decode()
    found = re.fullmatch(r"(-?\d{4,}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?", text)
    if kind in ("Edm.DateTime", "Edm.DateTimeOffset") and found:
        day, hour, minute, second, fraction, zone = found.groups()
        zone = "" if kind == "Edm.DateTime" else "Z" if zone in ("Z", "+00:00", "-00:00") else zone
        return f"{day}T{clock(hour, minute, second, fraction)}{zone}"
    found = re.fullmatch(r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?", text)
    if kind == "Edm.TimeOfDay" and found:
        return clock(*found.groups())
    found = re.fullmatch(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?", text)
    if kind in ("Edm.Duration", "Edm.Time") and found:
        sign, days, hours, minutes, seconds = found.groups()
        total = int(days or 0) * 86400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + Decimal(seconds or 0)
        whole = int(total)
        rest = total - whole
        time = ""
        for unit, size in (("H", 3600), ("M", 60)):
            count = whole % 86400 // size % (24 if unit == "H" else 60)
            time += f"{count}{unit}" if count else ""
        if whole % 60 or rest:
            seconds = format(Decimal(whole % 60) + rest, "f")
            time += (seconds.rstrip("0").rstrip(".") if "." in seconds else seconds) + "S"
        days = whole // 86400
        if not days and not time:
            return "PT0S"
        return sign + "P" + (f"{days}D" if days else "") + ("T" + time if time else "")
    return text


def put(pairs, path, value):
    pairs.append(path + "\t" + value.replace("\n", "\\n"))


# Atom

def attribute(element, name):
    for space in META:
        if space + name in element.attrib:
            return element.attrib[space + name]
    return None


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def is_data(element):
    return isinstance(element.tag, str) and element.tag.startswith(DATA)


def is_meta(element, name):
    return isinstance(element.tag, str) and element.tag in tuple(space + name for space in META)


def xml_value(element, path, pairs, kind=None):
    stated = attribute(element, "type")
    kind = type_name(stated) if stated and not stated.lstrip("#").startswith("Collection(") else kind
    if attribute(element, "null") in ("true", "1"):
        return put(pairs, path, "null")
    children = [child for child in element if isinstance(child.tag, str)]
    if any("opengis" in child.tag for child in children):
        return put(pairs, path, "spatial")
    items = [child for child in children if is_meta(child, "element")]
    if stated and "Collection(" in stated:
        inner = type_name(stated.lstrip("#")[len("Collection("):-1])
        for index, child in enumerate(children):
            xml_value(child, f"{path}/{index}", pairs, inner)
    elif items:
        for index, child in enumerate(items):
            xml_value(child, f"{path}/{index}", pairs)
    elif children:
        for child in children:
            if is_data(child):
                xml_value(child, path + "/" + local(child), pairs)
    else:
        text = element.text or ""
        if kind and not kind.startswith("Edm.") and not text.strip():
            return None
        if kind and kind != "Edm.String" and kind.startswith("Edm."):
            text = canonical(text.strip(), kind)
        elif kind and not kind.startswith("Edm."):
            text = text.strip()
        put(pairs, path, text)
    return None


def xml_entry(entry, path, pairs):
    for parent in [entry] + entry.findall(ATOM + "content"):
        for properties in parent:
            if is_meta(properties, "properties"):
                for child in properties:
                    if is_data(child):
                        xml_value(child, path + "/" + local(child), pairs)
    for link in entry.findall(ATOM + "link"):
        name = link.get("rel", "").rsplit("/", 1)[-1]
        for inline in link:
            if not is_meta(inline, "inline"):
                continue
            inner = inline.find(ATOM + "entry")
            feed = inline.find(ATOM + "feed")
            if inner is not None:
                xml_entry(inner, path + "/" + name, pairs)
            elif feed is not None:
                xml_feed(feed, path + "/" + name + "/", pairs)
            elif "feed" not in link.get("type", ""):
                put(pairs, path + "/" + name, "null")


def xml_feed(feed, prefix, pairs):
    index = 0
    for child in feed:
        if child.tag == ATOM + "entry":
            xml_entry(child, prefix + str(index), pairs)
        elif child.tag == TOMB + "deleted-entry":
            put(pairs, prefix + str(index), "deleted")
        elif is_meta(child, "ref"):
            pass
        else:
            continue
        index += 1


def xml_pairs(root):
    pairs = []
    if root.tag == ATOM + "feed":
        xml_feed(root, "", pairs)
    elif root.tag == ATOM + "entry":
        xml_entry(root, "0", pairs)
    elif root.tag == APP + "service":
        for element in root.iter():
            if element.tag == APP + "collection" or any(is_meta(element, name) for name in ("singleton", "function-import", "service-document")):
                title = element.find(ATOM + "title")
                put(pairs, "set", (title.text if title is not None and title.text else element.get("href")))
    elif is_meta(root, "error"):
        for child in root:
            if local(child) in ("code", "message"):
                put(pairs, local(child), child.text or "")
    elif is_data(root) and local(root) in ("links", "uri"):
        for element in root.iter():
            if local(element) == "uri":
                put(pairs, "uri", element.text)
    elif is_meta(root, "ref"):
        pass
    elif is_data(root) or is_meta(root, "value"):
        xml_value(root, "value", pairs)
    else:
        raise ValueError("no payload")
    return pairs


# JSON

def unique(members):
    names = [name for name, _ in members]
    if len(set(names)) != len(names):
        raise ValueError("a name twice")
    return dict(members)


class Number(str):
    """A number as written."""


def json_date(text):
    found = re.fullmatch(r"/Date\((-?\d+)([+-]\d{1,4})?\)/", text)
    if not found:
        return text
    date = datetime(1970, 1, 1) + timedelta(milliseconds=int(found[1])) + timedelta(minutes=int(found[2] or 0))
    text = date.strftime("%Y").zfill(4) + date.strftime("-%m-%dT%H:%M:%S")
    if date.microsecond:
        text += ("%.6f" % (date.microsecond / 1e6))[1:].rstrip("0")
    if found[2]:
        minutes = int(found[2])
        text += "Z" if minutes == 0 else "%s%02d:%02d" % ("-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60)
    return text


def json_value(value, path, pairs, kind, version):
    verbose = version < "3.0"
    if isinstance(value, dict):
        if isinstance(value.get("results"), list) and verbose:
            return json_value(value["results"], path, pairs, kind, version)
        if "coordinates" in value and "type" in value:
            return put(pairs, path, "spatial")
        return json_object(value, path, pairs, version)
    if isinstance(value, list):
        inner = kind[len("Collection("):-1] if kind and kind.startswith("Collection(") else kind
        for index, item in enumerate(value):
            json_value(item, f"{path}/{index}", pairs, type_name(inner) if inner else None, version)
        return None
    if value is None:
        text = "null"
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, Number):
        if kind in INTEGERS or (kind is None and re.fullmatch(r"-?\d+", value)):
            text = str(int(value))
        elif kind == "Edm.Decimal":
            text = str(value)
        else:
            text = repr(float(value))
    elif verbose:
        text = json_date(value)
    else:
        text = canonical(value, kind)
    return put(pairs, path, text)


def json_object(value, path, pairs, version):
    if "@removed" in value or "@odata.removed" in value or "$deletedEntity" in str(value.get("@odata.context", "")):
        return put(pairs, path, "deleted")
    for name, member in value.items():
        if "@" in name or name.startswith("#") or name == "__metadata" or name.startswith("odata."):
            continue
        if isinstance(member, dict) and ("__deferred" in member or "__mediaresource" in member):
            continue
        stated = value.get(name + "@odata.type") or value.get(name + "@type")
        kind = None
        if stated:
            kind = stated.lstrip("#")
            kind = kind if kind.startswith("Collection(") else type_name(kind)
        json_value(member, path + "/" + name, pairs, kind, version)
    return None


def json_pairs(document, version):
    pairs = []
    if not isinstance(document, dict):
        raise ValueError("no payload")
    error = document.get("error", document.get("odata.error"))
    if isinstance(error, dict):
        put(pairs, "code", str(error.get("code") or ""))
        message = error.get("message")
        put(pairs, "message", message.get("value", "") if isinstance(message, dict) else message or "")
        return pairs
    content = document
    if version < "4" and "d" in document:
        content = document["d"]
        if not isinstance(content, dict):
            raise ValueError("no payload")
    if "EntitySets" in content:
        for name in content["EntitySets"]:
            put(pairs, "set", name)
        return pairs
    context = str(content.get("@odata.context", content.get("odata.metadata", "")))
    rows = content.get("results" if version < "3.0" else "value")
    others = [name for name in content if "@" not in name and name not in ("value", "results", "__count", "__next", "__delta")
              and not name.startswith(("odata.", "#"))]
    if context.endswith("$metadata") and isinstance(rows, list):
        for row in rows:
            put(pairs, "set", row["name"])
    elif isinstance(rows, list) and not others and all(isinstance(row, dict) for row in rows):
        index = 0
        for row in rows:
            kind = str(row.get("@odata.context", ""))
            if kind.endswith(("$link", "$deletedLink")):
                continue
            json_object(row, str(index), pairs, version)
            index += 1
    elif "value" in content and not others and version >= "4":
        stated = content.get("@odata.type") or content.get("value@odata.type")
        kind = stated.lstrip("#") if stated else None
        if kind is None and "#" in context:
            named = context.rsplit("#", 1)[1]
            kind = named if named.startswith(("Edm.", "Collection(Edm.")) else None
        json_value(rows, "value", pairs, kind if not kind or kind.startswith("Collection(") else type_name(kind), version)
    else:
        json_object(content, "0", pairs, version)
    return pairs


# Metadata

def metadata_pairs(root):
    pairs = []
    schemas = [element for element in root.iter() if local(element) == "Schema"]
    aliases = {schema.get("Alias"): schema.get("Namespace") for schema in schemas if schema.get("Alias")}
    for element in root.iter():
        if local(element) == "Include" and element.get("Alias"):
            aliases[element.get("Alias")] = element.get("Namespace")

    def full(name):
        inner = name[len("Collection("):-1] if name.startswith("Collection(") else name
        head, _, tail = inner.rpartition(".")
        inner = aliases.get(head, head) + "." + tail if head else "Edm." + inner
        return f"Collection({inner})" if name.startswith("Collection(") else inner

    for schema in schemas:
        namespace = schema.get("Namespace")
        for kind in schema:
            if local(kind) in ("EntityType", "ComplexType"):
                name = namespace + "." + kind.get("Name")
                put(pairs, name, local(kind))
                for child in kind:
                    if local(child) == "Property":
                        put(pairs, name + "/" + child.get("Name"), full(child.get("Type")) + " " + child.get("Nullable", "true"))
                    elif local(child) == "NavigationProperty":
                        put(pairs, name + "/" + child.get("Name"), "navigation")
                    elif local(child) == "Key":
                        for part in child:
                            put(pairs, name + "/key", part.get("Name"))
            elif local(kind) == "EnumType":
                for child in kind:
                    if local(child) == "Member":
                        put(pairs, namespace + "." + kind.get("Name") + "/" + child.get("Name"), "member")
            elif local(kind) == "EntityContainer":
                for child in kind:
                    if local(child) == "EntitySet":
                        put(pairs, kind.get("Name") + "/" + child.get("Name"), full(child.get("EntityType")))
            elif local(kind) in ("Function", "Action"):
                put(pairs, namespace + "." + kind.get("Name"), local(kind))
    return pairs


def pairs_of(kind, version, path):
    with open(path, "rb") as file:
        body = file.read()
    if kind == "metadata":
        return metadata_pairs(ElementTree.fromstring(body))
    if path.endswith(".xml"):
        return xml_pairs(ElementTree.fromstring(body))
    document = json.loads(body.decode("utf-8-sig"), object_pairs_hook=unique, parse_int=Number, parse_float=Number)
    return json_pairs(document, version)


def main():
    for line in sys.stdin.buffer.read().decode("utf-8").splitlines():
        kind, version, path = line.split("\t")
        try:
            pairs = sorted(pair.encode("utf-8") for pair in pairs_of(kind, version, path))
        except (ValueError, ElementTree.ParseError, KeyError, TypeError, AttributeError):
            print("error")
            continue
        if "--pairs" in sys.argv:
            for pair in pairs:
                print(pair.decode("utf-8"))
        print(len(pairs), zlib.crc32(b"\n".join(pairs)))


main()
