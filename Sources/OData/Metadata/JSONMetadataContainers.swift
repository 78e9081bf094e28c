import JSONText
import Soups

/// Turns an entity container as JSON into elements.
enum JSONMetadataContainers {
    static func element(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        var attributes: JSONMetadataTypes.Attributes = [(.name, name)]
        JSONMetadataTypes.append(.extends, try JSONMetadata.text(node["$Extends"], "$Extends"), to: &attributes)
        var children: [CSDLElement] = []
        for member in node.members where !JSONMetadata.isControl(member.name) {
            children.append(try child(member.value, named: member.name.string))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement(.entityContainer, attributes, children: children, offset: node.offset)
    }

    /// An import, an entity set (which is a collection) or a singleton.
    private static func child(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        guard node.kind == .object else {
            throw JSONMetadata.fault("\(name) of the entity container must be an object", node)
        }
        var attributes: JSONMetadataTypes.Attributes = [(.name, name)]
        func append(_ attribute: CSDLWord, _ member: StaticString) throws(Fault) {
            JSONMetadataTypes.append(
                attribute, try JSONMetadata.text(node[member], "\(member)"), to: &attributes)
        }
        let kind: CSDLWord
        if node["$Function"] != nil {
            kind = .functionImport
            try append(.function, "$Function")
            try append(.entitySet, "$EntitySet")
        } else if node["$Action"] != nil {
            kind = .actionImport
            try append(.action, "$Action")
            try append(.entitySet, "$EntitySet")
        } else if try JSONMetadata.flag(node["$Collection"], "$Collection") == true {
            kind = .entitySet
            try append(.entityType, "$Type")
        } else {
            kind = .singleton
            try append(.type, "$Type")
        }
        JSONMetadataTypes.append(
            .includeInServiceDocument,
            try JSONMetadata.flag(node["$IncludeInServiceDocument"], "$IncludeInServiceDocument"), to: &attributes)
        return CSDLElement(
            kind, attributes,
            children: try bindings(of: node) + (try JSONMetadataAnnotations.elements(of: node)), offset: node.offset)
    }

    private static func bindings(of node: JSONNode) throws(Fault) -> [CSDLElement] {
        guard let bindings = try JSONMetadata.object(node["$NavigationPropertyBinding"], "$NavigationPropertyBinding")
        else {
            return []
        }
        var elements: [CSDLElement] = []
        for member in bindings.members {
            guard let target = member.value.string else {
                throw JSONMetadata.fault("the target of a navigation property must be a string", member.value)
            }
            elements.append(
                CSDLElement(
                    .navigationPropertyBinding, [(.path, member.name.string), (.target, target)],
                    offset: member.value.offset))
        }
        return elements
    }
}
