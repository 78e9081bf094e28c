import Soups

/// Checks that each name of a metadata document has one meaning.
///
/// O(n) in the number of declarations. Source: OData CSDL XML 4.01, 5 (schemas), 12.2 and 12.4 (overloads), 14.1
/// (terms).
struct CSDLNameCheck {
    let sources: [CSDLElement]
    let schemas: [EdmSchema]

    func run() throws(Fault) {
        try checkNamespaces()
        try checkDeclarations()
        for (schema, source) in zip(schemas, sources) {
            try checkOverloads(schema.functions, source.all(.function))
            try checkOverloads(schema.actions, source.all(.action))
        }
    }

    /// Checks that no two schemas have one namespace, that no alias is the namespace of another schema, and that the
    /// namespace of the built-in types is not used.
    private func checkNamespaces() throws(Fault) {
        var namespaces: Set<ByteKey> = Set(minimumCapacity: sources.count)
        for source in sources {
            let namespace = source[.namespace] ?? ""
            guard namespaces.insert(ByteKey(namespace)).inserted else {
                throw source.fault("duplicate schema \(namespace)")
            }
        }
        let builtIn = ByteKey("Edm")
        for source in sources {
            guard ByteKey(source[.namespace] ?? "") != builtIn else {
                throw reserved(source)
            }
            guard let alias = source[.alias], source[.namespace]?.hasBytes(of: alias) != true else { continue }
            guard ByteKey(alias) != builtIn else {
                throw reserved(source)
            }
            guard !namespaces.contains(ByteKey(alias)) else {
                throw source.fault("the alias \(alias) is the namespace of another schema")
            }
        }
    }

    private func reserved(_ source: CSDLElement) -> Fault {
        Fault(
            .invalidMetadata, "the namespace Edm is reserved for the built-in types; give the schema another one",
            offset: source.offset)
    }

    /// What must not have the name of another declaration of its schema, in documents of all versions.
    private static let unique: [CSDLWord] = [
        .entityType, .complexType, .enumType, .typeDefinition, .entityContainer,
    ]

    /// What has overloads of one name. Since version 4 nothing else may have that name.
    private static let overloaded: [CSDLWord] = [.function, .action]

    private func checkDeclarations() throws(Fault) {
        var words: [ByteKey: CSDLWord] = [:]
        for source in sources {
            let namespace = source[.namespace] ?? ""
            for element in source.children where element.space == .edm && isChecked(element) {
                guard let name = element[.name] else { continue }
                let other = words.updateValue(element.word, forKey: ByteKey(namespace + "." + name))
                guard let other else { continue }
                guard other == element.word, Self.overloaded.contains(other) else {
                    throw element.fault("duplicate name \(name)")
                }
            }
        }
    }

    private func isChecked(_ element: CSDLElement) -> Bool {
        Self.unique.contains(element.word)
            || (element.isV4 && (element.word == .term || Self.overloaded.contains(element.word)))
    }

    /// Checks that calls can tell overloads apart: those of an action by the type that they are bound to, those of a
    /// function also by the names of their other parameters.
    private func checkOverloads(
        _ operations: [EdmOperation], _ elements: some Sequence<CSDLElement>
    ) throws(Fault) {
        guard operations.count > 1 else { return }
        var signatures: Set<[ByteKey]> = []
        for (operation, element) in zip(operations, elements) where element.isV4 {
            guard signatures.insert(signature(of: operation)).inserted else {
                let kind = operation.isBound ? "bound" : "unbound"
                throw element.fault("duplicate \(kind) \(operation.kind) \(operation.name)")
            }
        }
    }

    private func signature(of operation: EdmOperation) -> [ByteKey] {
        let binding = operation.isBound ? operation.parameters.first?.type.text ?? "" : ""
        guard operation.kind == .function else {
            return [ByteKey(operation.name), ByteKey(binding)]
        }
        let names = operation.parameters.dropFirst(operation.isBound ? 1 : 0).map(\.name)
        return [ByteKey(operation.name), ByteKey(binding)] + names.sorted().map { ByteKey($0) }
    }
}
