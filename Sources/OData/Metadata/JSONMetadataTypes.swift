import JSONText
import Soups

/// Turns the declarations of a schema as JSON into elements.
enum JSONMetadataTypes {
    /// Attributes of an element, which are members with a dollar sign in JSON.
    typealias Attributes = CSDLElement.Attributes

    /// The element of a declaration; nil for a kind that a model does not have.
    static func element(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement? {
        guard node.kind == .object else {
            throw JSONMetadata.fault("\(name) must be an object, or an array of operations", node)
        }
        switch try JSONMetadata.text(node["$Kind"], "$Kind") {
        case "EntityType": return try structured(node, .entityType, named: name)
        case "ComplexType": return try structured(node, .complexType, named: name)
        case "EnumType": return try enumeration(node, named: name)
        case "TypeDefinition": return try definition(node, named: name)
        case "EntityContainer": return try JSONMetadataContainers.element(node, named: name)
        case "Term":
            return CSDLElement(
                .term, [(.name, name)], children: try JSONMetadataAnnotations.elements(of: node), offset: node.offset)
        case "Function", "Action":
            throw JSONMetadata.fault("\(name) must be an array of the overloads of the operation", node)
        case nil: throw JSONMetadata.fault("\(name) has no $Kind", node)
        default: return nil
        }
    }

    // MARK: - Types

    private static func structured(
        _ node: JSONNode, _ kind: CSDLWord, named name: String
    ) throws(Fault) -> CSDLElement {
        var attributes: Attributes = [(.name, name)]
        try append(.baseType, JSONMetadata.text(node["$BaseType"], "$BaseType"), to: &attributes)
        try append(.abstract, JSONMetadata.flag(node["$Abstract"], "$Abstract"), to: &attributes)
        try append(.openType, JSONMetadata.flag(node["$OpenType"], "$OpenType"), to: &attributes)
        try append(.hasStream, JSONMetadata.flag(node["$HasStream"], "$HasStream"), to: &attributes)
        var children: [CSDLElement] = []
        if let key = node["$Key"] {
            children.append(try self.key(key))
        }
        for member in node.members where !JSONMetadata.isControl(member.name) {
            children.append(try property(member.value, named: member.name.string))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement(kind, attributes, children: children, offset: node.offset)
    }

    /// The key: names, and objects with a path for an alias.
    private static func key(_ node: JSONNode) throws(Fault) -> CSDLElement {
        guard node.kind == .array else {
            throw JSONMetadata.fault("$Key must be an array", node)
        }
        var parts: [CSDLElement] = []
        for part in node.elements {
            if let name = part.string {
                parts.append(CSDLElement(.propertyRef, [(.name, name)], offset: part.offset))
                continue
            }
            let members = Array(part.members)
            guard part.kind == .object, members.count == 1, let path = members[0].value.string else {
                throw JSONMetadata.fault(
                    "a part of $Key must be a name, or an object of one alias and path", part)
            }
            parts.append(
                CSDLElement(
                    .propertyRef, [(.name, path), (.alias, members[0].name.string)], offset: part.offset))
        }
        return CSDLElement(.key, children: parts, offset: node.offset)
    }

    private static func property(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        guard node.kind == .object else {
            throw JSONMetadata.fault("the property \(name) must be an object", node)
        }
        let kind = try JSONMetadata.text(node["$Kind"], "$Kind") ?? "Property"
        guard kind == "NavigationProperty" else {
            guard kind == "Property" else {
                throw JSONMetadata.fault("the $Kind of \(name) must be Property or NavigationProperty", node)
            }
            var attributes: Attributes
            // What `appendType` appends for a property that says nothing, as most do.
            if node.members.isEmpty {
                attributes = [(.name, name), (.type, defaultType), (.nullable, "false")]
            } else {
                attributes = [(.name, name)]
                try appendType(of: node, to: &attributes)
            }
            return CSDLElement(
                .property, attributes, children: try JSONMetadataAnnotations.elements(of: node), offset: node.offset)
        }
        return try navigation(node, named: name)
    }

    private static func navigation(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        var attributes: Attributes = [(.name, name)]
        try appendType(of: node, to: &attributes)
        if try JSONMetadata.flag(node["$Collection"], "$Collection") == true {
            // A collection of entities cannot be null, and XML does not say so.
            attributes.removeAll { $0.word == .nullable }
        }
        try append(.partner, JSONMetadata.text(node["$Partner"], "$Partner"), to: &attributes)
        try append(.containsTarget, JSONMetadata.flag(node["$ContainsTarget"], "$ContainsTarget"), to: &attributes)
        var children: [CSDLElement] = []
        if let constraints = try JSONMetadata.object(node["$ReferentialConstraint"], "$ReferentialConstraint") {
            for member in constraints.members where !JSONMetadata.isControl(member.name) {
                guard let referenced = member.value.string else {
                    throw JSONMetadata.fault("a referenced property must be a string", member.value)
                }
                children.append(
                    CSDLElement(
                        .referentialConstraint,
                        [(.property, member.name.string), (.referencedProperty, referenced)],
                        offset: member.value.offset))
            }
        }
        if let action = try JSONMetadata.text(node["$OnDelete"], "$OnDelete") {
            children.append(CSDLElement(.onDelete, [(.action, action)], offset: node.offset))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement(.navigationProperty, attributes, children: children, offset: node.offset)
    }

    private static func enumeration(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        var attributes: Attributes = [(.name, name)]
        try append(.isFlags, JSONMetadata.flag(node["$IsFlags"], "$IsFlags"), to: &attributes)
        try append(.underlyingType, JSONMetadata.text(node["$UnderlyingType"], "$UnderlyingType"), to: &attributes)
        let annotations = try JSONMetadataAnnotations.elementsByMember(of: node)
        var children: [CSDLElement] = []
        for member in node.members where !JSONMetadata.isControl(member.name) {
            let name = member.name.string
            let value = member.value.numberText.map { String(decoding: $0, as: UTF8.self) } ?? member.value.string
            guard let value else {
                throw JSONMetadata.fault("the value of the enumeration member \(name) must be an integer", member.value)
            }
            children.append(
                CSDLElement(
                    .member, [(.name, name), (.value, value)], children: annotations[ByteKey(name)] ?? [],
                    offset: member.value.offset))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement(.enumType, attributes, children: children, offset: node.offset)
    }

    private static func definition(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        var attributes: Attributes = [(.name, name)]
        try append(.underlyingType, JSONMetadata.text(node["$UnderlyingType"], "$UnderlyingType"), to: &attributes)
        try appendFacets(
            of: node, type: JSONMetadata.text(node["$UnderlyingType"], "$UnderlyingType"), to: &attributes)
        return CSDLElement(
            .typeDefinition, attributes, children: try JSONMetadataAnnotations.elements(of: node), offset: node.offset)
    }

    // MARK: - Operations

    /// The overloads of a function or an action. All have one kind.
    static func overloads(_ node: JSONNode, named name: String) throws(Fault) -> [CSDLElement] {
        var elements: [CSDLElement] = []
        for overload in node.elements {
            elements.append(try operation(overload, named: name))
        }
        guard !elements.isEmpty else {
            throw JSONMetadata.fault("\(name) has no overload", node)
        }
        return elements
    }

    private static func operation(_ node: JSONNode, named name: String) throws(Fault) -> CSDLElement {
        let kind = try JSONMetadata.text(node["$Kind"], "$Kind").map { CSDLWord(bytes: $0) }
        guard let kind, kind == .function || kind == .action else {
            throw JSONMetadata.fault("the overloads of \(name) must have the $Kind Function or Action", node)
        }
        var attributes: Attributes = [(.name, name)]
        try append(.isBound, JSONMetadata.flag(node["$IsBound"], "$IsBound"), to: &attributes)
        try append(.isComposable, JSONMetadata.flag(node["$IsComposable"], "$IsComposable"), to: &attributes)
        var children: [CSDLElement] = []
        if let parameters = try JSONMetadata.array(node["$Parameter"], "$Parameter") {
            for parameter in parameters.elements {
                var attributes: Attributes = []
                try appendType(of: parameter, to: &attributes)
                try append(.name, JSONMetadata.text(parameter["$Name"], "$Name"), to: &attributes)
                children.append(
                    CSDLElement(
                        .parameter, attributes, children: try JSONMetadataAnnotations.elements(of: parameter),
                        offset: parameter.offset))
            }
        }
        if let result = try JSONMetadata.object(node["$ReturnType"], "$ReturnType") {
            var resultType: Attributes = []
            try appendType(of: result, to: &resultType)
            children.append(CSDLElement(.returnType, resultType, offset: result.offset))
        }
        children += try JSONMetadataAnnotations.elements(of: node)
        return CSDLElement(kind, attributes, children: children, offset: node.offset)
    }

    // MARK: - Types of values

    private static let defaultType = "Edm.String"

    /// Appends the type with its facets. The default is a string that is not null.
    private static func appendType(of node: JSONNode, to attributes: inout Attributes) throws(Fault) {
        let name = try JSONMetadata.text(node["$Type"], "$Type") ?? defaultType
        let isCollection = try JSONMetadata.flag(node["$Collection"], "$Collection") == true
        let isNullable = try JSONMetadata.flag(node["$Nullable"], "$Nullable") == true
        let type = isCollection ? "Collection(\(name))" : name
        attributes.append((.type, type))
        attributes.append((.nullable, isNullable ? "true" : "false"))
        try appendFacets(of: node, type: name, to: &attributes)
    }

    private static let facetNames: [(member: StaticString, attribute: CSDLWord)] = [
        ("$MaxLength", .maxLength), ("$Precision", .precision), ("$Scale", .scale), ("$Unicode", .unicode),
        ("$SRID", .srid), ("$DefaultValue", .defaultValue),
    ]

    /// Appends the facets. A decimal without a scale has any scale, other than in XML.
    private static func appendFacets(
        of node: JSONNode, type: String?, to attributes: inout Attributes
    ) throws(Fault) {
        for (member, attribute) in facetNames {
            guard let value = node[member], !value.isNull else { continue }
            guard value.kind != .object, value.kind != .array else {
                throw JSONMetadata.fault("\(member) must be a single value", value)
            }
            attributes.append((attribute, value.string ?? String(decoding: value.rawText, as: UTF8.self)))
        }
        if type == "Edm.Decimal", !attributes.contains(where: { $0.word == .scale }) {
            attributes.append((.scale, "variable"))
        }
    }

    static func append(_ word: CSDLWord, _ value: String?, to attributes: inout Attributes) {
        if let value {
            attributes.append((word, value))
        }
    }

    static func append(_ word: CSDLWord, _ value: Bool?, to attributes: inout Attributes) {
        append(word, value.map { $0 ? "true" : "false" }, to: &attributes)
    }
}
