import Soups

/// Follows the resource path of a URL through a model, and checks names, keys, arguments and what may follow what.
///
/// A path that leaves the model, for example over an open type, is followed no further.
struct ResourceChecker {
    let model: EdmModel
    /// The version of the URL. Keys may be segments of their own since 4.01.
    let version: ODataVersion
    /// What the path leads to so far; nil if the model does not know it.
    var type: StaticType?
    /// The number of parts of a composite key that key segments must still give.
    var missingKeyParts = 0
    /// The aliases of the URL, which keys, arguments and predicates may use.
    let aliases: AliasScope

    init(model: EdmModel, version: ODataVersion, aliases: AliasScope) {
        self.model = model
        self.version = version
        self.aliases = aliases
    }

    /// The type that the path leads to; nil if the model does not know it.
    ///
    /// Throws `unknownProperty` for a name that the service, a type or a key does not have, `typeMismatch` for a key or
    /// argument of another type, for a type that has no relation to the one before it, and for a system segment after
    /// something that it does not apply to.
    mutating func target(of resource: [ResourceSegment]) throws(Fault) -> StaticType? {
        guard let first = resource.first else { return nil }
        try start(first)
        var previous = first
        for segment in resource.dropFirst() {
            guard let current = type else { return nil }
            if isTypeName(segment), isTypeName(previous) {
                throw Fault(
                    .syntax, "a type cannot follow another type in a path; leave one out",
                    offset: segment.offset, context: [.path(segment.name)])
            }
            try follow(segment, from: current)
            previous = segment
        }
        return type
    }

    private func isTypeName(_ segment: ResourceSegment) -> Bool {
        segment.isQualified && segment.arguments == nil && model.structuredType(segment.name) != nil
    }

    private mutating func follow(_ segment: ResourceSegment, from current: StaticType) throws(Fault) {
        switch segment.kind {
        case .name: try followName(segment, from: current)
        case .system:
            try checkSystem(segment, after: current)
            if segment.name.hasBytes(of: "$each") {
                type = current.element
            }
        case .keySegment:
            guard current.isCollection || missingKeyParts > 0 || current.base == .unknown else {
                throw Fault(.typeMismatch, "a key needs a collection", offset: segment.offset)
            }
            try takeKeySegment(segment, from: current)
        case .filter: try checkFilter(segment, of: current)
        case .crossJoin: break
        }
    }

    private func checkFilter(_ segment: ResourceSegment, of current: StaticType) throws(Fault) {
        guard current.isCollection || current.base == .unknown else {
            throw Fault(.typeMismatch, "$filter needs a collection", offset: segment.offset)
        }
        guard let predicate = segment.predicate else { return }
        var checker = TypeChecker(predicate, model: model, startingAt: current.element)
        checker.aliases = aliases
        do throws(Fault) {
            try checker.checkFilter()
        } catch {
            throw segment.text?.located(error) ?? error
        }
    }

    private mutating func followName(_ segment: ResourceSegment, from current: StaticType) throws(Fault) {
        if isKey(segment, after: current) {
            return try takeKeySegment(segment, from: current)
        }
        if segment.isQualified {
            return try followQualified(segment, from: current)
        }
        guard let owner = current.structuredName else {
            type = nil
            guard current.base == .unknown || segment.arguments != nil else {
                throw unknownProperty("a primitive value has no properties", segment)
            }
            return
        }
        let property = model.property(segment.name, of: owner)?.type
        guard let target = property ?? model.navigation(segment.name, of: owner)?.type else {
            type = nil
            if model.isOpen(owner) || segment.arguments != nil || model.structuredType(owner) == nil {
                return
            }
            throw unknownProperty("the type has no property of this name", segment)
        }
        guard !current.isCollection else {
            throw Fault(
                .typeMismatch, "a path cannot continue through a collection; use a key", offset: segment.offset,
                context: [.path(segment.name)])
        }
        type = StaticType(target, in: model)
        // The key of a related entity may leave out what the relation says already.
        try takeKey(segment.arguments, isRelated: true, at: segment.offset)
    }

    /// A type, or a bound function or action.
    private mutating func followQualified(_ segment: ResourceSegment, from current: StaticType) throws(Fault) {
        if model.structuredType(segment.name) != nil {
            guard current.base == .unknown || current.structuredName != nil else {
                throw unknownProperty("a primitive value has no derived type", segment)
            }
            type = try current.cast(to: segment.name, in: model, at: segment.offset)
            return try takeKey(segment.arguments, isRelated: true, at: segment.offset)
        }
        if model.isOfReferredSchema(segment.name) {
            type = nil
            return
        }
        // Functions of other services may be called without being declared. A function import of version 3.0 has the
        // name of its container before its own.
        guard segment.arguments != nil || model.hasOperation(segment.name) || isImport(segment.name) else {
            throw unknownProperty("unknown type or operation", segment)
        }
        let function = try FunctionArguments(model: model).overload(
            of: segment.name, boundTo: current, taking: arguments(of: segment), at: segment.offset)
        type = function?.returnType.map { StaticType($0, in: model) }
        if segment.key != nil {
            try takeKey(segment.key, isRelated: true, at: segment.offset)
        }
    }

    private func isImport(_ name: String) -> Bool {
        name.split(separator: ".").last.map(String.init).flatMap(model.operationImport) != nil
    }

    /// The names and types of the arguments of a function.
    func arguments(of segment: ResourceSegment) -> [(name: String, type: StaticType)] {
        (segment.arguments ?? []).map { argument in
            (name: argument.name ?? "", type: StaticType(literal: argument.value, in: model, aliases: aliases))
        }
    }

    func unknownProperty(_ message: String, _ segment: ResourceSegment) -> Fault {
        Fault(.unknownProperty, message, offset: segment.offset, context: [.path(segment.name)])
    }

    /// Goes from a collection to the entity with a key.
    mutating func takeKey(
        _ arguments: [ResourceSegment.Argument]?, isRelated: Bool, at offset: Int
    ) throws(Fault) {
        guard let arguments, let current = type else { return }
        guard current.isCollection else {
            throw Fault(.typeMismatch, "a key needs a collection", offset: offset)
        }
        type = current.element
        guard let owner = current.structuredName else { return }
        let checker = KeyChecker(model: model, entityType: owner, aliases: aliases)
        try checker.check(arguments, isRelated: isRelated, at: offset)
    }

    private func checkSystem(_ segment: ResourceSegment, after current: StaticType) throws(Fault) {
        guard current.base != .unknown else { return }
        let isEntity = current.structuredName.flatMap { model.structuredType($0)?.kind } == .entity
        func refuse(_ message: String) throws(Fault) {
            throw Fault(.typeMismatch, message, offset: segment.offset)
        }
        switch segment.name {
        case "$value" where current.isCollection || (current.structuredName != nil && !isEntity):
            try refuse("$value needs a single primitive value or a media entity")
        case "$count" where !current.isCollection: try refuse("$count needs a collection")
        case "$ref" where !isEntity: try refuse("$ref needs an entity or a collection of entities")
        default: break
        }
    }
}
