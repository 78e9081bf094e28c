import JSONText
import Soups

/// Turns an entity container as JSON into elements.
enum JSONMetadataContainers {
    static func element(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        var attributes: JSONMetadataTypes.Attributes = [("Name", name)]
        JSONMetadataTypes.append("Extends", try JSONMetadata.text(node["$Extends"], "$Extends"), to: &attributes)
        var children: [CSDLElement] = []
        for member in node.members where !JSONMetadata.isControl(member.name.string) {
            children.append(try child(member.value, named: member.name.string))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement("EntityContainer", attributes, children: children, offset: node.offset)
    }

    /// An import, an entity set (which is a collection) or a singleton.
    private static func child(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        guard node.kind == .object else {
            throw JSONMetadata.fault("\(name) of the entity container must be an object", node)
        }
        var attributes: JSONMetadataTypes.Attributes = [("Name", name)]
        func append(_ attribute: String, _ member: StaticString) throws(Fault) {
            JSONMetadataTypes.append(
                attribute, try JSONMetadata.text(node[member], "\(member)"), to: &attributes)
        }
        let kind: String
        if node["$Function"] != nil {
            kind = "FunctionImport"
            try append("Function", "$Function")
            try append("EntitySet", "$EntitySet")
        } else if node["$Action"] != nil {
            kind = "ActionImport"
            try append("Action", "$Action")
            try append("EntitySet", "$EntitySet")
        } else if try JSONMetadata.flag(node["$Collection"], "$Collection") == true {
            kind = "EntitySet"
            try append("EntityType", "$Type")
        } else {
            kind = "Singleton"
            try append("Type", "$Type")
        }
        JSONMetadataTypes.append(
            "IncludeInServiceDocument",
            try JSONMetadata.flag(node["$IncludeInServiceDocument"], "$IncludeInServiceDocument"), to: &attributes)
        return CSDLElement(
            kind, attributes,
            children: try bindings(of: node) + (try JSONMetadataAnnotations.elements(of: node)), offset: node.offset)
    }

    private static func bindings(of node: JSONNode) throws(Fault) -> [CSDLElement] {
        guard let bindings = node["$NavigationPropertyBinding"] else {
            return []
        }
        var elements: [CSDLElement] = []
        for member in bindings.members {
            guard let target = member.value.string else {
                throw JSONMetadata.fault("the target of a navigation property must be a string", member.value)
            }
            elements.append(
                CSDLElement(
                    "NavigationPropertyBinding", [("Path", member.name.string), ("Target", target)],
                    offset: member.value.offset))
        }
        return elements
    }
}
