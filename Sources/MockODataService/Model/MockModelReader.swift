/// Reads the metadata document of a service, with what the mock service needs of it.
struct MockModelReader {
    private struct End {
        var role: String
        var type: String
        var isMany: Bool
        var cascades: Bool
    }

    private struct Association {
        var ends: [End] = []
        /// The role and the properties of the principal and the dependent end.
        var principal: (role: String, names: [String])?
        var dependent: (role: String, names: [String])?
    }

    private var model = MockModel()
    private var associations: [String: Association] = [:]
    private var aliases: [String: String] = [:]

    /// Throws 400 for a document that is not XML.
    static func model(_ bytes: [UInt8]) throws(Refusal) -> MockModel {
        var reader = MockModelReader()
        let root = try XMLNode.root(of: bytes)
        let schemas = root.name == "Schema" ? [root] : root.descendants("Schema")
        for schema in schemas {
            if let alias = schema["Alias"], let namespace = schema["Namespace"] {
                reader.aliases[alias] = namespace
            }
        }
        for schema in schemas {
            reader.readTypes(schema)
        }
        for schema in schemas {
            reader.readContainers(schema)
        }
        reader.inherit()
        reader.pair()
        return reader.model
    }

    /// The name with its namespace in place of the alias.
    private func qualified(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), let namespace = aliases[String(name[..<dot])] else { return name }
        return namespace + name[dot...]
    }

    private func item(_ type: String) -> (name: String, isCollection: Bool) {
        guard type.hasPrefix("Collection("), type.hasSuffix(")") else { return (qualified(type), false) }
        return (qualified(String(type.dropFirst(11).dropLast())), true)
    }

    private mutating func readTypes(_ schema: XMLNode) {
        let namespace = schema["Namespace"] ?? ""
        if model.namespace.isEmpty {
            model.namespace = namespace
        }
        for node in schema.children("EntityType") {
            var type = MockEntityType(name: namespace + "." + (node["Name"] ?? ""))
            type.base = node["BaseType"].map(qualified)
            type.key = node.child("Key")?.children("PropertyRef").compactMap { $0["Name"] } ?? []
            type.properties = node.children("Property").map { property($0, type.key) }
            type.navigations = node.children("NavigationProperty").map(navigation)
            model.types[type.name] = type
        }
        for node in schema.children("Association") {
            var association = Association()
            association.ends = node.children("End").map { end in
                End(
                    role: end["Role"] ?? "", type: qualified(end["Type"] ?? ""), isMany: end["Multiplicity"] == "*",
                    cascades: end.child("OnDelete")?["Action"] == "Cascade")
            }
            if let constraint = node.child("ReferentialConstraint") {
                func side(_ name: String) -> (String, [String])? {
                    constraint.child(name).map { side in
                        (side["Role"] ?? "", side.children("PropertyRef").compactMap { $0["Name"] })
                    }
                }
                association.principal = side("Principal")
                association.dependent = side("Dependent")
            }
            associations[namespace + "." + (node["Name"] ?? "")] = association
        }
    }

    private func property(_ node: XMLNode, _ key: [String]) -> MockProperty {
        let type = item(node["Type"] ?? "Edm.String")
        let terms = node.children("Annotation").filter { $0["Bool"] != "false" }.compactMap { $0["Term"] }
        return MockProperty(
            name: node["Name"] ?? "", type: type.name, isCollection: type.isCollection,
            isNullable: node["Nullable"] != "false", maxLength: node["MaxLength"].flatMap { Int($0) },
            isComputed: terms.contains { $0.hasSuffix("Computed") }
                || node["StoreGeneratedPattern"] == "Computed")
    }

    private func navigation(_ node: XMLNode) -> MockNavigation {
        let type = item(node["Type"] ?? "")
        var navigation = MockNavigation(name: node["Name"] ?? "", type: type.name, isCollection: type.isCollection)
        navigation.partner = node["Partner"]
        navigation.association = node["Relationship"].map(qualified)
        navigation.toRole = node["ToRole"]
        navigation.cascades = node.child("OnDelete")?["Action"] == "Cascade"
        navigation.pairs = node.children("ReferentialConstraint").map {
            ($0["Property"] ?? "", $0["ReferencedProperty"] ?? "")
        }
        navigation.isDependent = !navigation.pairs.isEmpty
        return navigation
    }

    private mutating func readContainers(_ schema: XMLNode) {
        for container in schema.children("EntityContainer") {
            for node in container.children("EntitySet") {
                var set = MockEntitySet(name: node["Name"] ?? "", type: qualified(node["EntityType"] ?? ""))
                for binding in node.children("NavigationPropertyBinding") {
                    set.bindings[binding["Path"] ?? ""] =
                        binding["Target"]?.split(separator: "/").last.map(String.init)
                }
                model.sets.append(set)
            }
        }
    }

    /// Gives types what their base types have.
    private mutating func inherit() {
        for name in model.types.keys.sorted() {
            guard var type = model.types[name] else { continue }
            var base = type.base
            for _ in 0..<16 {
                guard let found = base.flatMap({ model.types[$0] }) else { break }
                type.key = type.key.isEmpty ? found.key : type.key
                type.properties = found.properties.filter { type.property($0.name) == nil } + type.properties
                type.navigations = found.navigations.filter { type.navigation($0.name) == nil } + type.navigations
                base = found.base
            }
            type.base = nil
            model.types[name] = type
        }
    }

    /// Finds the pairs of equal properties: in associations, and in the partner of a navigation property.
    private mutating func pair() {
        for type in model.types.values {
            var changed = type
            changed.navigations = type.navigations.map { paired($0, of: type) }
            model.types[type.name] = changed
        }
    }

    private func paired(_ given: MockNavigation, of type: MockEntityType) -> MockNavigation {
        var navigation = given
        if let association = navigation.association.flatMap({ associations[$0] }) {
            let target = association.ends.first { $0.role == navigation.toRole }
            navigation.type = target?.type ?? ""
            navigation.isCollection = target?.isMany ?? false
            if let principal = association.principal, let dependent = association.dependent {
                navigation.isDependent = principal.role == navigation.toRole
                let (local, foreign) =
                    navigation.isDependent ? (dependent.names, principal.names) : (principal.names, dependent.names)
                navigation.pairs = Array(zip(local, foreign)).map { ($0.0, $0.1) }
            }
            // The end of this entity says what happens to the others when it is deleted.
            navigation.cascades = association.ends.contains { $0.role != navigation.toRole && $0.cascades }
            return navigation
        }
        guard navigation.pairs.isEmpty, let target = model.types[navigation.type] else { return navigation }
        let back = target.navigations.first { other in
            !other.pairs.isEmpty && other.isDependent && other.type == type.name
                && (navigation.partner == other.name || other.partner == navigation.name || navigation.partner == nil)
        }
        if let back {
            navigation.pairs = back.pairs.map { ($0.foreign, $0.local) }
        }
        return navigation
    }
}
