import Soups

extension CSDLReader {
    mutating func readContainers(_ element: CSDLElement, into index: Int) throws(Fault) {
        for container in element.all("EntityContainer") {
            schemas[index].containers.append(try self.container(container))
            guard let name = container["Name"] else { continue }
            for set in container.children where set.space == .edm {
                guard let member = set["Name"] else { continue }
                for annotation in set.all("Annotation") {
                    guard let term = annotation["Term"] else { continue }
                    schemas[index].annotations.append(
                        EdmAnnotation(
                            target: schemas[index].namespace + "." + name + "/" + member, term: resolve(term),
                            qualifier: annotation["Qualifier"],
                            value: .init(kind: "Element", text: annotation.text)))
                }
            }
        }
    }

    private func container(_ element: CSDLElement) throws(Fault) -> EdmContainer {
        var container = EdmContainer(
            name: try element.required("Name"), isDefault: element.metadata("IsDefaultEntityContainer") == "true")
        container.extends = element["Extends"].map { resolve($0) }
        for child in element.children where child.space == .edm {
            switch child.name {
            case "EntitySet":
                var set = EdmContainer.EntitySet(
                    try child.required("Name"), entityType: resolve(try child.required("EntityType")))
                set.bindings = try bindings(of: child)
                set.isInServiceDocument = try child.flag("IncludeInServiceDocument", default: true)
                container.entitySets.append(set)
            case "Singleton":
                container.singletons.append(
                    .init(
                        try child.required("Name"), type: resolve(try child.required("Type")),
                        bindings: try bindings(of: child)))
            case "FunctionImport": container.imports.append(try operationImport(child, .function, named: "Function"))
            case "ActionImport": container.imports.append(try operationImport(child, .action, named: "Action"))
            default: continue
            }
        }
        try checkNames(container, element)
        try addAssociationSets(element, to: &container)
        return container
    }

    private func checkNames(_ container: EdmContainer, _ element: CSDLElement) throws(Fault) {
        var names: Set<ByteKey> = []
        for name in container.entitySets.map(\.name) + container.singletons.map(\.name)
        where !names.insert(ByteKey(name)).inserted {
            throw element.fault("duplicate name \(name) in the entity container")
        }
        // Function imports may be overloaded, but must not have the name of an entity set.
        for name in container.imports.map(\.name) where names.contains(ByteKey(name)) {
            throw element.fault("duplicate name \(name) in the entity container")
        }
    }

    private func bindings(of element: CSDLElement) throws(Fault) -> [EdmContainer.Binding] {
        var bindings: [EdmContainer.Binding] = []
        for binding in element.all("NavigationPropertyBinding") {
            bindings.append(.init(path: try binding.required("Path"), target: try binding.required("Target")))
        }
        return bindings
    }

    private func operationImport(
        _ element: CSDLElement, _ kind: EdmOperation.Kind, named attribute: String
    ) throws(Fault) -> EdmContainer.OperationImport {
        var found = EdmContainer.OperationImport(kind: kind, name: try element.required("Name"))
        found.operation = element[attribute].map { resolve($0) }
        found.entitySet = element["EntitySet"]
        found.method = element.metadata("HttpMethod")
        found.parameters = try parameters(of: element)
        if element["ReturnType"] != nil {
            found.returnType = try type(of: element, named: "ReturnType")
        } else if let result = element.all("ReturnType").first {
            found.returnType = try type(of: result, named: "Type")
        }
        return found
    }

    /// Converts the association sets of versions 1.0 to 3.0 to bindings, which say which entity set a navigation
    /// property leads to.
    private func addAssociationSets(_ element: CSDLElement, to container: inout EdmContainer) throws(Fault) {
        let positions = Dictionary(
            container.entitySets.enumerated().map { (ByteKey($0.element.name), $0.offset) }
        ) { first, _ in first }
        for set in element.all("AssociationSet") {
            let name = resolve(try set.required("Association"))
            guard let association = associations[ByteKey(name)] else {
                if isExternal(name) {
                    continue
                }
                throw set.fault("unknown association in an association set")
            }
            let ends = set.all("End")
            guard ends.count == 2 else {
                throw set.fault("an association set must have two ends")
            }
            var targets: [(role: String, set: String)] = []
            for end in ends {
                let target = try end.required("EntitySet")
                guard container.extends != nil || positions[ByteKey(target)] != nil else {
                    throw end.fault("unknown entity set \(target) in an association set")
                }
                let role = end["Role"] ?? ""
                guard role.isEmpty || association.ends.contains(where: { $0.role.hasBytes(of: role) }) else {
                    throw end.fault("unknown role \(role) in an association set")
                }
                targets.append((role, target))
            }
            for (own, other) in [(0, 1), (1, 0)] {
                guard let position = positions[ByteKey(targets[own].set)] else { continue }
                bind(position, targets[own].role, to: targets[other].set, over: name, &container)
            }
        }
    }

    private func bind(
        _ position: Int, _ role: String, to target: String, over association: String, _ container: inout EdmContainer
    ) {
        let type = container.entitySets[position].entityType
        for property in associated[Associated(type: ByteKey(type), association: ByteKey(association))] ?? []
        where property["FromRole"] == role {
            guard let name = property["Name"] else { continue }
            container.entitySets[position].bindings.append(.init(path: name, target: target))
        }
    }

    /// The navigation properties of each type over each association.
    func associatedProperties() -> [Associated: [CSDLElement]] {
        var found: [Associated: [CSDLElement]] = [:]
        for source in sources {
            guard let namespace = source["Namespace"] else { continue }
            for entity in source.all("EntityType") {
                let type = ByteKey(namespace + "." + (entity["Name"] ?? ""))
                for property in entity.all("NavigationProperty") {
                    guard let relationship = property["Relationship"] else { continue }
                    found[Associated(type: type, association: ByteKey(resolve(relationship))), default: []].append(
                        property)
                }
            }
        }
        return found
    }
}
