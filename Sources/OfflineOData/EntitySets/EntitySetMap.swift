import LocalChanges
public import OData
public import Soups

/// Says in which soup each entity set of a service is kept, with its key, indexes and relations.
///
/// ```swift
/// let map = try EntitySetMap(model: model, version: .v4)
/// let orders = try map.set("Orders")
/// // orders.soup is "Orders"; the soup has an index on `__key__`, `__local__` and each key.
/// ```
///
/// A value. Nothing is read or written; `ODataClient` registers the soups.
public struct EntitySetMap: Sendable {
    /// The metadata of the service; nil if it is not known.
    public let model: EdmModel?
    /// The version of the service.
    public let version: ODataVersion
    /// The sets in order of their names.
    public private(set) var sets: [MappedEntitySet] = []
    /// The foreign keys between the sets.
    public private(set) var references: [EntityReference] = []

    /// The model by which rows are queried: with what only they have (`localOnly`).
    private(set) var rowModel: EdmModel?

    private var positions: [ByteKey: Int] = [:]

    /// Maps the sets of a model.
    ///
    /// - Parameters:
    ///   - model: The metadata; nil to map only the named sets, which then need their keys.
    ///   - container: The name of the container whose sets are mapped; nil for all of them.
    ///   - sets: The sets to map, with their settings; empty for all sets and singletons of the model.
    ///   - prefix: What the names of the soups begin with.
    ///   - version: The version of the service.
    /// - Throws: `invalidArguments` for a set that the model lacks, a set without a key, two sets in one soup or
    ///   one in a soup of the client's own, a property of `mergesBy` that the service lacks, or a relation of a form
    ///   that does not fit.
    public init(
        model: EdmModel? = nil, version: ODataVersion = .v4, container: String? = nil,
        sets: [String: EntitySetSettings] = [:], prefix: String = ""
    ) throws(Fault) {
        self.model = model
        self.version = version
        let known = Self.members(of: model, container)
        let names = sets.isEmpty ? known.map(\.name) : Array(sets.keys)
        for name in names.sorted(by: Self.isBefore) {
            let member = known.first { ByteKey($0.name) == ByteKey(name) }
            guard member != nil || model == nil else {
                throw Fault(.invalidArguments, "the metadata has no entity set or singleton of this name: \(name)")
            }
            let settings = sets[name] ?? EntitySetSettings()
            let declared = member.map { model?.key(of: $0.type) ?? [] } ?? []
            var set = MappedEntitySet(
                name: name, soup: settings.soup ?? Self.soupName(prefix + name), entityType: member?.type,
                key: declared.isEmpty ? settings.key : declared.map(\.path),
                keyNames: declared.isEmpty ? settings.key : declared.map { $0.alias ?? $0.path },
                isSingleton: member?.isSingleton ?? false, settings: settings, model: model)
            guard !set.key.isEmpty || set.isSingleton else {
                throw Fault(.invalidArguments, "the entity set \(name) has no key; name its key properties")
            }
            if let other = self.sets.first(where: { ByteKey($0.soup) == ByteKey(set.soup) }) {
                throw Fault(
                    .invalidArguments,
                    "the entity sets \(other.name) and \(name) would share a soup; name one for each",
                    context: [.soup(set.soup)])
            }
            try Self.checkSoup(of: set)
            try Self.checkOriginals(of: set, self.sets)
            try Self.checkMerge(of: set)
            set.declareMembers()
            positions[ByteKey(name)] = self.sets.count
            self.sets.append(set)
        }
        rowModel = self.sets.reduce(model) { known, set in
            guard let type = set.entityType, !set.settings.localOnly.isEmpty else { return known }
            return known?.adding(set.settings.localOnly, toEntityType: type)
        }
        let derivedTypes = DerivedTypes(of: model)
        references = RelationFinder(self, derivedTypes).references
        for index in self.sets.indices {
            self.sets[index].references = references(ofDependent: self.sets[index].name)
            self.sets[index].relations = try relations(of: self.sets[index])
            self.sets[index].indexSpecs = indexSpecs(of: self.sets[index], derivedTypes)
        }
    }

    /// Maps one set without a model.
    ///
    /// - Throws: `invalidArguments` for a set without a key.
    public init(set: String, key: [String], version: ODataVersion = .v4) throws(Fault) {
        var settings = EntitySetSettings()
        settings.key = key
        try self.init(version: version, sets: [set: settings])
    }

    /// Returns the set with a name.
    ///
    /// - Throws: `invalidArguments` if it is not mapped.
    public func set(_ name: String) throws(Fault) -> MappedEntitySet {
        guard let set = find(name) else {
            throw Fault(.invalidArguments, "the entity set \(name) is not mapped; name it when the client is opened")
        }
        return set
    }

    func find(_ name: String) -> MappedEntitySet? { positions[ByteKey(name)].map { sets[$0] } }
    func set(inSoup soup: String) -> MappedEntitySet? { sets.first { ByteKey($0.soup) == ByteKey(soup) } }

    /// Whether a name comes before another by its bytes, so that the order is the same everywhere.
    static func isBefore(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    /// The soups in which the client keeps what it knows of loads, pushes and the sets themselves.
    private static let ownSoups = [
        EntitySetRegistry.soupName, LoadStates.soupName, SeenKeys.soupName, PendingLinks.soupName, Outbox.soupName,
    ]

    /// Checks that the soup of a set is not one of the client's own.
    private static func checkSoup(of set: MappedEntitySet) throws(Fault) {
        guard !ownSoups.contains(where: { ByteKey($0) == ByteKey(set.soup) }) else {
            throw Fault(
                .invalidArguments, "the entity set \(set.name) would be in a soup of the client; name another soup",
                context: [.soup(set.soup)])
        }
    }

    /// Checks that no set has the soup in which the original rows of another one are kept.
    private static func checkOriginals(of set: MappedEntitySet, _ others: [MappedEntitySet]) throws(Fault) {
        for other in others {
            for (one, two) in [(set, other), (other, set)]
            where ByteKey(one.soup) == ByteKey(two.soup + Originals.suffix) {
                throw Fault(
                    .invalidArguments,
                    "the entity set \(one.name) would be in the soup of the originals of \(two.name); name another soup",
                    context: [.soup(one.soup)])
            }
        }
    }

    /// Checks that the service has the properties by which the rows of a set are paired with its entities.
    private static func checkMerge(of set: MappedEntitySet) throws(Fault) {
        for name in set.settings.mergesBy where !set.mayHave(name) || set.isLocalOnly(name) {
            throw Fault(
                .invalidArguments, "the service has no such property to pair the rows of \(set.name) by",
                context: [.soup(set.soup), .path(name)])
        }
    }

    private static func soupName(_ name: String) -> String {
        String(name.map { "{}:\0".contains($0) ? "_" : $0 })
    }

    private static func members(
        of model: EdmModel?, _ container: String?
    ) -> [(name: String, type: String, isSingleton: Bool)] {
        guard let model else {
            return []
        }
        var seen: Set<ByteKey> = []
        var members: [(name: String, type: String, isSingleton: Bool)] = []
        for found in model.schemas.flatMap(\.containers) where container == nil || found.name == container {
            members += found.entitySets.map { ($0.name, model.resolve($0.entityType), false) }
            members += found.singletons.map { ($0.name, model.resolve($0.type), true) }
        }
        return members.filter { seen.insert(ByteKey($0.name)).inserted }
    }
}
