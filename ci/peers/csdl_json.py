"""Converts CSDL in XML of version 4 into its JSON form, apart from the Swift readers. Prints the JSON.

    python3 ci/peers/csdl_json.py < metadata.xml
"""
import json
import sys
from xml.etree import ElementTree

EDM = "{http://docs.oasis-open.org/odata/ns/edm}"
EDMX = "{http://docs.oasis-open.org/odata/ns/edmx}"
FLAGS = {"true": True, "false": False, "1": True, "0": False}


def flag(element, name, default=False):
    return FLAGS[element.get(name, str(default).lower()).lower()]


def number(text):
    return int(text) if text.lstrip("-").isdigit() else text


def type_of(element, attribute="Type", nullable=True):
    name = element.get(attribute)
    found = {}
    if name.startswith("Collection("):
        found["$Collection"] = True
        name = name[len("Collection("):-1]
    if name != "Edm.String":
        found["$Type"] = name
    if nullable and flag(element, "Nullable", True):
        found["$Nullable"] = True
    for facet in ("MaxLength", "Precision", "Scale", "SRID"):
        if element.get(facet) and element.get(facet).lower() != "max":
            found["$" + facet] = number(element.get(facet))
    # What is left out is 0 in XML, and any scale in JSON.
    if name == "Edm.Decimal" and not element.get("Scale"):
        found["$Scale"] = 0
    if element.get("Unicode"):
        found["$Unicode"] = flag(element, "Unicode")
    if element.get("DefaultValue") is not None:
        found["$DefaultValue"] = element.get("DefaultValue")
    return found


def navigation(element):
    found = {"$Kind": "NavigationProperty", **type_of(element)}
    if found.get("$Collection"):
        found.pop("$Nullable", None)
    if element.get("Partner"):
        found["$Partner"] = element.get("Partner")
    if flag(element, "ContainsTarget"):
        found["$ContainsTarget"] = True
    constraints = {one.get("Property"): one.get("ReferencedProperty") for one in element.findall(EDM + "ReferentialConstraint")}
    if constraints:
        found["$ReferentialConstraint"] = constraints
    for one in element.findall(EDM + "OnDelete"):
        found["$OnDelete"] = one.get("Action")
    return found


def structured(element, kind):
    found = {"$Kind": kind}
    if element.get("BaseType"):
        found["$BaseType"] = element.get("BaseType")
    for name in ("Abstract", "OpenType", "HasStream"):
        if flag(element, name):
            found["$" + name] = True
    for key in element.findall(EDM + "Key"):
        found["$Key"] = [{one.get("Alias"): one.get("Name")} if one.get("Alias") else one.get("Name") for one in key]
    for child in element:
        if child.tag == EDM + "Property":
            found[child.get("Name")] = type_of(child)
        elif child.tag == EDM + "NavigationProperty":
            found[child.get("Name")] = navigation(child)
    return found


def enumeration(element):
    found = {"$Kind": "EnumType"}
    if flag(element, "IsFlags"):
        found["$IsFlags"] = True
    if element.get("UnderlyingType"):
        found["$UnderlyingType"] = element.get("UnderlyingType")
    value = 0
    for member in element.findall(EDM + "Member"):
        value = int(member.get("Value", value))
        found[member.get("Name")] = value
        value += 1
    return found


def operation(element, kind):
    found = {"$Kind": kind}
    for name in ("IsBound", "IsComposable"):
        if flag(element, name):
            found["$" + name] = True
    parameters = [{"$Name": one.get("Name"), **type_of(one)} for one in element.findall(EDM + "Parameter")]
    if parameters:
        found["$Parameter"] = parameters
    for one in element.findall(EDM + "ReturnType"):
        found["$ReturnType"] = type_of(one)
    return found


def container(element):
    found = {"$Kind": "EntityContainer"}
    if element.get("Extends"):
        found["$Extends"] = element.get("Extends")
    for child in element:
        kind = child.tag.removeprefix(EDM)
        if kind in ("EntitySet", "Singleton"):
            item = {"$Collection": True, "$Type": child.get("EntityType")} if kind == "EntitySet" else {"$Type": child.get("Type")}
            bindings = {one.get("Path"): one.get("Target") for one in child.findall(EDM + "NavigationPropertyBinding")}
            if bindings:
                item["$NavigationPropertyBinding"] = bindings
            if child.get("IncludeInServiceDocument"):
                item["$IncludeInServiceDocument"] = flag(child, "IncludeInServiceDocument")
        elif kind in ("FunctionImport", "ActionImport"):
            item = {"$" + kind.removesuffix("Import"): child.get(kind.removesuffix("Import"))}
            if child.get("EntitySet"):
                item["$EntitySet"] = child.get("EntitySet")
        else:
            continue
        found[child.get("Name")] = item
    return found


def schema(element):
    found = {}
    if element.get("Alias"):
        found["$Alias"] = element.get("Alias")
    for child in element:
        kind, name = child.tag.removeprefix(EDM), child.get("Name")
        if kind in ("EntityType", "ComplexType"):
            found[name] = structured(child, kind)
        elif kind == "EnumType":
            found[name] = enumeration(child)
        elif kind == "TypeDefinition":
            item = type_of(child, "UnderlyingType", nullable=False)
            found[name] = {"$Kind": kind, **item, "$UnderlyingType": child.get("UnderlyingType")}
            found[name].pop("$Type", None)
        elif kind in ("Function", "Action"):
            found.setdefault(name, []).append(operation(child, kind))
        elif kind == "EntityContainer":
            found[name] = container(child)
    return found


root = ElementTree.fromstring(sys.stdin.buffer.read())
document = {"$Version": "4.0"}
for reference in root.findall(EDMX + "Reference"):
    includes = [{"$" + name: one.get(name) for name in ("Namespace", "Alias") if one.get(name)} for one in reference.findall(EDMX + "Include")]
    document.setdefault("$Reference", {})[reference.get("Uri")] = {"$Include": includes} if includes else {}
for one in root.iter(EDM + "Schema"):
    document[one.get("Namespace")] = schema(one)
print(json.dumps(document, ensure_ascii=False))
