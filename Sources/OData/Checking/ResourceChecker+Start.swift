import Soups

/// The first segment of a resource path.
extension ResourceChecker {
    /// Finds what the first segment names: an entity set, a singleton, the result of an imported function, or one of
    /// the roots of all services.
    mutating func start(_ segment: ResourceSegment) throws(Fault) {
        switch segment.kind {
        case .name: break
        case .crossJoin: return try checkCrossJoin(segment)
        case .system:
            // What these lead to has a type only if the next segment names one.
            type = ["$all", "$entity"].contains(segment.name) ? .unknown : nil
            return
        case .filter, .keySegment: return
        }
        let name = unqualified(segment.name)
        if let set = model.entitySet(name) {
            type = StaticType(base: .structured(model.resolve(set.entityType)), isCollection: true)
            // Up to version 3.0 empty parentheses mean all entities.
            let isWhole = !version.isV4 && segment.arguments?.isEmpty == true
            return try takeKey(isWhole ? nil : segment.arguments, isRelated: false, at: segment.offset)
        }
        if let single = model.singleton(name) {
            guard segment.arguments == nil else {
                throw Fault(.typeMismatch, "a key needs a collection", offset: segment.offset)
            }
            type = StaticType(base: .structured(model.resolve(single.type)))
            return
        }
        if let imported = model.operationImport(name) {
            return try start(segment, calling: imported)
        }
        guard model.mayHaveOtherSets else {
            throw unknownProperty("the service has no entity set of this name", segment)
        }
    }

    /// A name without that of the container, which may precede it up to version 3.0.
    private func unqualified(_ name: String) -> String {
        guard !version.isV4, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
        let prefix = String(name[..<dot])
        let isContainer = model.schemas.contains { schema in
            schema.containers.contains { container in
                container.name.hasBytes(of: prefix)
                    || (schema.namespace + "." + container.name).hasBytes(of: model.resolve(prefix))
            }
        }
        return isContainer ? String(name[name.utf8.index(after: dot)...]) : name
    }

    private mutating func start(
        _ segment: ResourceSegment, calling imported: EdmContainer.OperationImport
    ) throws(Fault) {
        guard let operation = imported.operation else {
            // Up to version 3.0 the arguments are options of the query.
            type = imported.returnType.map { StaticType($0, in: model) }
            return
        }
        guard imported.kind == .function else { return }
        let function = try FunctionArguments(model: model).overload(
            of: operation, taking: arguments(of: segment), at: segment.offset)
        type = function?.returnType.map { StaticType($0, in: model) }
        if segment.key != nil, type?.isCollection == true {
            try takeKey(segment.key, isRelated: true, at: segment.offset)
        }
    }

    private func checkCrossJoin(_ segment: ResourceSegment) throws(Fault) {
        guard !model.mayHaveOtherSets else { return }
        for set in segment.arguments ?? [] {
            let name = set.name ?? ""
            guard model.entitySet(name) != nil else {
                throw Fault(
                    .unknownProperty, "the service has no entity set of this name", offset: segment.offset,
                    context: [.path(name)])
            }
        }
    }
}
