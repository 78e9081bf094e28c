import Soups

/// Checks a model for duplicate names, unknown or cyclic references and invalid keys.
///
/// O(n) in the number of declarations, except for chains of base types, which are followed up to 64 types deep.
struct CSDLValidator {
    let model: EdmModel
    let external: Set<ByteKey>
    /// Whether deviations that services are known for are faults.
    let isStrict: Bool
    /// Whether one of the schemas is of version 4.
    private var hasV4 = false
    /// The deviations that were found, in the order of the document.
    private(set) var warnings: [Fault] = []
    /// The names of the members that each type declares itself, by its position, of types that have derived ones.
    private var ownNames: [Int: Set<ByteKey>] = [:]
    private let functions: Set<ByteKey>
    private let actions: Set<ByteKey>
    /// The containers, and the qualified names of those whose chain of extensions is known to end.
    private let containers: ContainerNames
    private var endingContainers: Set<ByteKey> = []
    private var inheritance: ContainerInheritance

    init(model: EdmModel, external: Set<ByteKey>, isStrict: Bool) {
        self.model = model
        self.external = external
        self.isStrict = isStrict
        func names(_ operations: (EdmSchema) -> [EdmOperation]) -> Set<ByteKey> {
            Set(
                model.schemas.flatMap { schema in operations(schema).map { ByteKey(schema.namespace + "." + $0.name) } }
            )
        }
        functions = names(\.functions)
        actions = names(\.actions)
        containers = ContainerNames(model.schemas)
        inheritance = ContainerInheritance(containers)
    }

    private static let pathTypes: Set<String> = [
        "Edm.AnnotationPath", "Edm.PropertyPath", "Edm.NavigationPropertyPath", "Edm.AnyPropertyPath",
        "Edm.ModelElementPath",
    ]

    mutating func validate(_ sources: [CSDLElement]) throws(Fault) {
        hasV4 = sources.contains { source in
            // Some tools write schemas of version 4 with an older namespace.
            source.isV4 || !source.all(.typeDefinition).isEmpty || !source.all(.action).isEmpty
        }
        try CSDLNameCheck(sources: sources, schemas: model.schemas).run()
        try checkIdentifiers(sources)
        // By index, so that no empty schema is copied.
        for index in sources.indices where !sources[index].children.isEmpty {
            let (schema, source) = (model.schemas[index], sources[index])
            for (type, element) in zip(schema.entityTypes, source.all(.entityType)) {
                try check(type, in: schema.namespace, element)
            }
            for (type, element) in zip(schema.complexTypes, source.all(.complexType)) {
                try check(type, in: schema.namespace, element)
            }
            for (operation, element) in zip(schema.functions, source.all(.function)) {
                try check(operation, element)
            }
            for (operation, element) in zip(schema.actions, source.all(.action)) {
                try check(operation, element)
            }
        }
        for index in sources.indices where !model.schemas[index].containers.isEmpty {
            let schema = model.schemas[index]
            for (container, element) in zip(schema.containers, sources[index].all(.entityContainer)) {
                try check(container, in: schema.namespace, element)
            }
        }
    }

    /// Services are known for names that are not identifiers. Payloads with them can be read.
    private mutating func checkIdentifiers(_ sources: [CSDLElement]) throws(Fault) {
        var identifiers = CSDLIdentifierCheck()
        identifiers.run(sources)
        if isStrict, let flaw = identifiers.flaws.first {
            throw flaw
        }
        warnings += identifiers.flaws
    }

    private func isExternal(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return external.contains(ByteKey(String(name[..<dot])))
    }

    private func isKnown(_ name: String, in element: CSDLElement) -> Bool {
        if let primitive = EdmPrimitiveType(named: name) {
            return exists(primitive, in: element)
        }
        return AbstractType(named: name) != nil || Self.pathTypes.contains(name) || model.structuredType(name) != nil
            || model.enumType(name) != nil
            || model.typeDefinition(name) != nil || isExternal(name)
    }

    /// Whether a type exists in the version of CSDL that the namespace of the element belongs to. In documents that mix
    /// schemas of version 4 and older ones, the older schemas have the types of version 4 too.
    private func exists(_ type: EdmPrimitiveType, in element: CSDLElement) -> Bool {
        type.isKnown(in: element.isV4 ? .v401 : .v3) || (hasV4 && !element.isV4 && type.isKnown(in: .v401))
    }

    /// What is wrong with the type of a structural property; nil if nothing is.
    private func flaw(ofPropertyType name: String, in element: CSDLElement) -> String? {
        if let primitive = EdmPrimitiveType(named: name) {
            return exists(primitive, in: element) ? nil : "an unknown type"
        }
        if name == AbstractType.entity.rawValue || model.structuredType(name)?.kind == .entity {
            return "an entity type, which only a navigation property may have"
        }
        return isKnown(name, in: element) ? nil : "an unknown type"
    }

    private mutating func check(_ type: EdmStructuredType, in namespace: String, _ element: CSDLElement) throws(Fault) {
        let name = namespace + "." + type.name
        let chain = Array(model.chain(of: name))
        let bases = Array(chain.dropFirst())
        let isOpenEnded = try checkBase(of: type, bases, element)
        // The model has found the members of most types by name already.
        if !bases.isEmpty || chain.contains(where: { model.types.entries[$0].hasRepeatedMembers }) {
            try checkMemberNames(of: type, bases, element)
        }
        // By index, so that no property is copied.
        for (index, part) in zip(type.properties.indices, element.all(.property)) {
            guard let flaw = flaw(ofPropertyType: type.properties[index].type.name, in: part) else { continue }
            let property = type.properties[index].name
            throw Fault(
                .invalidMetadata, "the property \(property) of \(type.name) has \(flaw)", offset: part.offset,
                context: [.path(type.name + "/" + property)])
        }
        for (property, part) in zip(type.navigation, element.all(.navigationProperty)) {
            try check(property, of: type, name, part)
        }
        try checkKey(of: type, name, isOpenEnded: isOpenEnded, bases: bases, element)
    }

    /// Checks that no member has the name of another one, declared or inherited.
    private mutating func checkMemberNames(
        of type: EdmStructuredType, _ bases: [Int], _ element: CSDLElement
    ) throws(Fault) {
        var names: Set<ByteKey> = Set(minimumCapacity: element.children.count)
        let inheritedNames = bases.map { ownNames(of: $0) }
        let parts = element.children.filter {
            $0.space == .edm && ($0.word == .property || $0.word == .navigationProperty)
        }
        for part in parts {
            guard let own = part[.name] else { continue }
            let key = ByteKey(own)
            guard names.insert(key).inserted, !inheritedNames.contains(where: { $0.contains(key) }) else {
                throw part.fault("duplicate property \(own) of the type \(type.name)")
            }
        }
    }

    /// The names of the members that a base type declares itself.
    private mutating func ownNames(of position: Int) -> Set<ByteKey> {
        if let known = ownNames[position] {
            return known
        }
        let type = model.types.entries[position].type
        let names = Set((type.properties.map(\.name) + type.navigation.map(\.name)).map { ByteKey($0) })
        ownNames[position] = names
        return names
    }

    /// Checks the chain of base types; returns whether it leads to another document.
    private func checkBase(of type: EdmStructuredType, _ bases: [Int], _ element: CSDLElement) throws(Fault) -> Bool {
        let entries = model.types.entries
        guard bases.allSatisfy({ entries[$0].type.kind == type.kind }) else {
            throw element.fault("unknown base type of \(type.name)")
        }
        let last = bases.last.map { entries[$0] }
        // The chain was cut off.
        if bases.count == StructuredTypes.maximumInheritance - 1, let next = last?.base {
            guard isCycle(from: next) else {
                throw Fault(
                    .limitExceeded,
                    "the type \(type.name) has more than \(StructuredTypes.maximumInheritance - 1) base types",
                    offset: element.offset)
            }
            throw element.fault("the base types of \(type.name) form a cycle")
        }
        guard let missing = last.map(\.type.baseType) ?? type.baseType else {
            return false
        }
        guard isExternal(missing) else {
            throw element.fault("unknown base type of \(type.name)")
        }
        return true
    }

    /// Whether the base types of a type come back to one of them.
    private func isCycle(from start: Int) -> Bool {
        var seen: Set<Int> = []
        var next: Int? = start
        while let position = next {
            guard seen.insert(position).inserted else { return true }
            next = model.types.entries[position].base
        }
        return false
    }

    private mutating func checkKey(
        of type: EdmStructuredType, _ name: String, isOpenEnded: Bool, bases: [Int],
        _ element: CSDLElement
    ) throws(Fault) {
        guard !type.key.isEmpty else { return }
        // Dynamics CRM repeats the key of the base type, or gives a derived type a key of its own.
        if bases.contains(where: { !model.types.entries[$0].type.key.isEmpty }) {
            let deviation = element.fault("the type \(type.name) has a key and inherits another one")
            guard !isStrict else {
                throw deviation
            }
            warnings.append(deviation)
        }
        guard !isOpenEnded else { return }
        for part in type.key {
            try check(part, of: type.name, name, element)
        }
    }

    /// Checks that a part of a key leads to a property, and that a key may have its type.
    private func check(
        _ part: EdmStructuredType.KeyPart, of type: String, _ name: String, _ element: CSDLElement
    ) throws(Fault) {
        let isPath = part.path.utf8.contains(UInt8(ascii: "/"))
        var owner = name
        var reached: EdmTypeReference?
        for step in isPath ? part.path.segments : [part.path] {
            guard let found = model.memberType(step, of: owner) else {
                // The members of a type of another document are unknown here.
                if reached != nil, !model.hasStructuredType(owner) || model.isOpen(owner) {
                    return
                }
                throw element.fault("unknown property \(part.path) in the key of \(type)")
            }
            owner = found.name
            reached = found
        }
        guard let reached, mayBeKey(reached) else {
            throw element.fault(
                "the property \(part.path) in the key of \(type) must have a primitive type or an enumeration")
        }
    }

    private func mayBeKey(_ type: EdmTypeReference) -> Bool {
        guard !type.isCollection else { return false }
        if let primitive = type.primitiveType {
            return primitive != .stream && !primitive.isSpatial
        }
        return AbstractType(named: type.name) == nil && !model.hasStructuredType(type.name)
    }

    private func check(
        _ property: EdmNavigationProperty, of type: EdmStructuredType, _ owner: String, _ element: CSDLElement
    ) throws(Fault) {
        let target = property.type.name
        if isExternal(target), model.structuredType(target) == nil {
            return
        }
        guard target == "Edm.EntityType" || target == "Edm.ComplexType" || model.structuredType(target)?.kind == .entity
        else {
            throw Fault(
                .invalidMetadata,
                "the type of the navigation property \(property.name) of \(type.name) must be an entity type",
                offset: element.offset,
                context: [.path(type.name + "/" + property.name)])
        }
        for constraint in property.constraints where !constraint.property.utf8.contains(UInt8(ascii: "/")) {
            guard model.property(constraint.property, of: owner) != nil || leavesDocument(owner) else {
                throw element.fault(
                    "unknown property \(constraint.property) in the referential constraint of \(property.name)"
                )
            }
        }
    }

    private func check(_ operation: EdmOperation, _ element: CSDLElement) throws(Fault) {
        for parameter in operation.parameters where !isKnown(parameter.type.name, in: element) {
            throw element.fault("unknown type of the parameter \(parameter.name) of \(operation.name)")
        }
        if let result = operation.returnType, !isKnown(result.name, in: element) {
            throw element.fault("unknown return type of \(operation.name)")
        }
    }

    private mutating func check(
        _ container: EdmContainer, in namespace: String, _ element: CSDLElement
    ) throws(Fault) {
        for (set, part) in zip(container.entitySets, element.all(.entitySet)) {
            if isExternal(set.entityType), model.structuredType(set.entityType) == nil {
                continue
            }
            guard let type = model.structuredType(set.entityType), type.kind == .entity else {
                throw part.fault("unknown entity type of the entity set \(set.name)")
            }
            guard !model.key(of: set.entityType).isEmpty || leavesDocument(set.entityType) else {
                throw part.fault("the entity type of the entity set \(set.name) has no key")
            }
        }
        for (singleton, part) in zip(container.singletons, element.all(.singleton)) {
            guard isExternal(singleton.type) || model.structuredType(singleton.type)?.kind == .entity else {
                throw part.fault("unknown type of the singleton \(singleton.name)")
            }
        }
        for found in container.imports {
            if let result = found.returnType, !isKnown(result.name, in: element) {
                throw element.fault("unknown return type of \(found.name)")
            }
            for parameter in found.parameters where !isKnown(parameter.type.name, in: element) {
                throw element.fault("unknown type of the parameter \(parameter.name) of \(found.name)")
            }
            if let name = found.operation, !isExternal(name), !isOperation(name, found.kind) {
                throw element.fault("unknown operation of the import \(found.name)")
            }
        }
        try checkExtensions(of: container, in: namespace, element)
        if let name = inheritance.repeatedName(in: container) {
            throw element.fault("the container \(container.name) repeats the name \(name) of one that it extends")
        }
    }

    private func leavesDocument(_ type: String) -> Bool {
        var root: Int?
        for position in model.chain(of: type) {
            root = position
        }
        guard let base = root.flatMap({ model.types.entries[$0].type.baseType }) else { return false }
        return isExternal(base)
    }

    private func isOperation(_ name: String, _ kind: EdmOperation.Kind) -> Bool {
        (kind == .function ? functions : actions).contains(ByteKey(name))
    }

    /// Follows the chain of extensions up to a container that is known to end it.
    private mutating func checkExtensions(
        of container: EdmContainer, in namespace: String, _ element: CSDLElement
    ) throws(Fault) {
        var seen: Set<ByteKey> = [ContainerNames.key(container, in: namespace)]
        var next = container.extends
        while let name = next {
            guard let base = containers.find(name) else {
                guard isExternal(name) else {
                    throw element.fault("unknown base container of \(container.name)")
                }
                break
            }
            guard !endingContainers.contains(base.key) else { break }
            guard seen.insert(base.key).inserted else {
                throw element.fault("the entity containers extend each other in a cycle")
            }
            next = base.container.extends
        }
        endingContainers.formUnion(seen)
    }
}
