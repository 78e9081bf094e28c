import Soups

extension CSDLReader {
    mutating func readContainers(_ element: CSDLElement, into index: Int) throws(Fault) {
        for container in element.all(.entityContainer) {
            schemas[index].containers.append(try self.container(container))
            guard let name = container[.name] else { continue }
            schemas[index].annotations += annotations(of: container, path: schemas[index].namespace + "." + name)
        }
    }

    private func container(_ element: CSDLElement) throws(Fault) -> EdmContainer {
        var container = EdmContainer(
            name: try element.required(.name), isDefault: element.metadata(.isDefaultEntityContainer) == "true")
        container.extends = element[.extends].map { resolve($0) }
        for child in element.children where child.space == .edm {
            switch child.word {
            case .entitySet:
                var set = EdmContainer.EntitySet(
                    try child.required(.name), entityType: resolve(try child.required(.entityType)))
                set.bindings = try bindings(of: child)
                set.isInServiceDocument = try child.flag(.includeInServiceDocument, default: true)
                container.entitySets.append(set)
            case .singleton:
                container.singletons.append(
                    .init(
                        try child.required(.name), type: resolve(try child.required(.type)),
                        bindings: try bindings(of: child)))
            case .functionImport: container.imports.append(try operationImport(child, .function, named: .function))
            case .actionImport: container.imports.append(try operationImport(child, .action, named: .action))
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
        // Up to version 3.0 function imports may be overloaded. Since 4.0 an import includes all overloads.
        var imports: Set<ByteKey> = []
        for name in container.imports.map(\.name) {
            let isRepeated = !imports.insert(ByteKey(name)).inserted && element.isV4
            guard !isRepeated, !names.contains(ByteKey(name)) else {
                throw element.fault("duplicate name \(name) in the entity container")
            }
        }
    }

    private func bindings(of element: CSDLElement) throws(Fault) -> [EdmContainer.Binding] {
        var bindings: [EdmContainer.Binding] = []
        for binding in element.all(.navigationPropertyBinding) {
            bindings.append(.init(path: try binding.required(.path), target: try binding.required(.target)))
        }
        return bindings
    }

    private func operationImport(
        _ element: CSDLElement, _ kind: EdmOperation.Kind, named attribute: CSDLWord
    ) throws(Fault) -> EdmContainer.OperationImport {
        var found = EdmContainer.OperationImport(kind: kind, name: try element.required(.name))
        found.operation = (element.isV4 ? try element.required(attribute) : element[attribute]).map { resolve($0) }
        found.entitySet = element[.entitySet]
        found.method = element.metadata(.httpMethod)
        found.parameters = try parameters(of: element)
        if element[.returnType] != nil {
            found.returnType = try type(of: element, named: .returnType)
        } else if let result = element.all(.returnType).first {
            found.returnType = try type(of: result, named: .type)
        }
        return found
    }

    /// Converts the association sets of versions 1.0 to 3.0 to bindings, which say which entity set a navigation
    /// property leads to.
    private func addAssociationSets(_ element: CSDLElement, to container: inout EdmContainer) throws(Fault) {
        let positions = Dictionary(
            container.entitySets.enumerated().map { (ByteKey($0.element.name), $0.offset) }
        ) { first, _ in first }
        for set in element.all(.associationSet) {
            let name = resolve(try set.required(.association))
            guard let association = associations[ByteKey(name)] else {
                if isExternal(name) {
                    continue
                }
                throw set.fault("unknown association in an association set")
            }
            let ends = set.all(.end)
            guard ends.count == 2 else {
                throw set.fault("an association set must have two ends")
            }
            var targets: [(role: String, set: String)] = []
            for end in ends {
                let target = try end.required(.entitySet)
                guard container.extends != nil || positions[ByteKey(target)] != nil else {
                    throw end.fault("unknown entity set \(target) in an association set")
                }
                let role = end[.role] ?? ""
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
        where property[.fromRole] == role {
            guard let name = property[.name] else { continue }
            container.entitySets[position].bindings.append(.init(path: name, target: target))
        }
    }

    /// The navigation properties of each type over each association.
    func associatedProperties() -> [Associated: [CSDLElement]] {
        var found: [Associated: [CSDLElement]] = [:]
        for source in sources {
            guard let namespace = source[.namespace] else { continue }
            for entity in source.all(.entityType) {
                let type = ByteKey(namespace + "." + (entity[.name] ?? ""))
                for property in entity.all(.navigationProperty) {
                    guard let relationship = property[.relationship] else { continue }
                    found[Associated(type: type, association: ByteKey(resolve(relationship))), default: []].append(
                        property)
                }
            }
        }
        return found
    }
}
