import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Applies entities and links of pages to rows. Every call is inside a transaction of the page.
final class PageWriter {
    let client: ODataClient
    let set: MappedEntitySet
    let query: LoadQuery
    let state: LoadState
    /// The newest link that waited for its entity when the run began.
    let newestLink: Int64
    /// The rows that wait for their entities to get the present keys; nil if no row does.
    var formerKeys: FormerKeys?
    /// Whether rows may have keys of a former form, which are those of other entities now.
    var renewsKeys = false
    /// The other sets that are known to have present keys.
    var checkedSets: Set<ByteKey> = []
    var summary = LoadSummary()
    /// The keys of the entities of the set, also of those that came expanded in others, for a full load.
    var keys: [String] = []
    /// The keys of the entities of other sets, by set.
    var otherKeys: [ByteKey: Set<ByteKey>] = [:]
    /// The keys of other sets that a full load has listed, by set. Their rows stay when one that they refer to goes.
    var listed: [ByteKey: IdSet] = [:]
    /// The foreign keys by which expanded entities of the page belong to the one that they came in, by set and key.
    var expandedBy: [ByteKey: [ByteKey: [ByteKey]]] = [:]
    /// The entities that others have saved since the page was asked for, by the names of `SavedKeys`.
    var overtaken: Set<ByteKey> = []
    /// Whether the page has one of them.
    private(set) var hasOvertaken = false
    /// The entities of the page, by the same names, where another load is under way.
    private(set) var met: Set<ByteKey> = []
    private let notesMet: Bool
    var conflicts: [(set: String, entryId: Int64)] = []
    /// The rows of entities that an expansion of the page has not listed any more, by the same names. They may come
    /// with another entity.
    var unlisted: [ByteKey: JSONObject] = [:]
    /// What only rows have that loads of the set have removed with others; nil before the first look.
    var left: LeftMembers?
    private var buffers: [ByteKey: RowBuffer] = [:]
    private var loaded: [ByteKey: Bool] = [:]
    private var statedTypes: [(name: String, type: String)] = []
    private(set) lazy var pendingLinks = PendingLinks(client.store)

    var store: SmartStore { client.store }
    var map: EntitySetMap { client.map }

    init(_ client: ODataClient, _ set: MappedEntitySet, _ query: LoadQuery, _ state: LoadState, newestLink: Int64 = 0) {
        self.client = client
        self.set = set
        self.query = query
        self.state = state
        self.newestLink = newestLink
        notesMet = client.saved.hasOtherLoad(than: set.name)
    }

    func buffer(_ set: MappedEntitySet) -> RowBuffer {
        if let buffer = buffers[ByteKey(set.name)] {
            return buffer
        }
        let buffer = RowBuffer(set, store)
        buffers[ByteKey(set.name)] = buffer
        return buffer
    }

    /// Whether a delta has the changed properties of an entity alone. In Atom, and up to version 3, it has all of them.
    private var isMergedDelta: Bool { map.version.isV4 && client.options.format != .atom }

    func form(_ set: MappedEntitySet) -> RowForm { RowForm(set, version: map.version) }

    /// Whether an entity of the set may lack properties that have not changed.
    var mayLackUnchanged: Bool { state.isDelta && isMergedDelta }
    /// How many rows of entities were taken as texts, and how many were not.
    private var (taken, refused) = (0, 0)

    /// Whether the rows of entities are written as texts. Not where the query leaves properties out, nor
    /// in a delta whose entities mostly have some of their properties.
    var takesRows: Bool {
        !renewsKeys && formerKeys == nil && !query.isPartial && (!mayLackUnchanged || refused <= taken + 8)
    }

    /// What only rows of a set have that loads have removed with others; nil if its rows have no such members.
    func left(of set: MappedEntitySet) throws(Fault) -> LeftMembers? {
        guard !set.settings.localOnly.isEmpty else { return nil }
        if left == nil {
            left = try LeftMembers(store, map, set: self.set.name)
        }
        return left
    }

    /// Returns what the row of an entity has left, and forgets it: the row gets it back, or the entity is gone.
    @discardableResult
    func takeLeft(_ key: String, of set: MappedEntitySet) throws(Fault) -> JSONObject? {
        guard !state.isRemoving, let members = try left(of: set)?[key, set] else { return nil }
        left?.forget(key, of: set)
        return members
    }

    /// Applies entities of the set in their order.
    func apply(_ arrived: [Arrived]) throws(Fault) {
        try prepare(arrived)
        let buffer = buffer(set)
        for arrived in arrived {
            switch arrived {
            case .entity(let entity): try apply(entity)
            case .row(let row): try apply(row, in: buffer)
            }
        }
    }

    /// Applies an entity of the set that came as a row.
    ///
    /// - Parameter buffer: The buffer of the set, which need not be looked up for each of many rows.
    private func apply(_ row: ArrivedRow, in buffer: RowBuffer) throws(Fault) {
        guard try !pendingLinks.mayHaveAny(), try left(of: set)?[row.key, set] == nil,
            try buffer.take(row, isWhole: !mayLackUnchanged)
        else {
            refused += 1
            return try apply(row.entity())
        }
        taken += 1
        meet(row.key, of: set)
        summary.entities += 1
        summary.skipped += row.dropped
        if !state.isDelta {
            keys.append(row.key)
        }
    }

    /// Notes an entity of the page, and whether the page was overtaken at it.
    func meet(_ key: String, of set: MappedEntitySet) {
        guard notesMet || !overtaken.isEmpty else { return }
        let name = SavedKeys.name(key, set.name)
        if notesMet {
            met.insert(name)
        }
        if overtaken.contains(name) {
            hasOvertaken = true
        }
    }

    /// Applies one entity of the set.
    func apply(_ entity: ArrivedEntity, of other: MappedEntitySet? = nil) throws(Fault) {
        let set = other ?? set
        if let deletion = entity.deletion {
            let isThere = deletion == "changed"
            return try remove(entity.key, of: set, isThere: isThere, mayReturn: isThere)
        }
        summary.entities += 1
        summary.skipped += entity.dropped
        let isPartial = query.isPartial || mayLackUnchanged
        try save(entity, of: set, isPartial: isPartial, other == nil ? query.expansions : LoadExpansions())
        statedTypes += set.model == nil ? entity.statedTypes : []
    }

    /// Lets full loads of other sets that are under way count what came expanded as met. The end of this one removes
    /// none of it.
    func noteOtherKeys() throws(Fault) {
        for (name, keys) in otherKeys {
            guard let other = map.find(name.text) else { continue }
            let seen = SeenKeys(store)
            let texts = keys.map(\.text)
            try seen.note(texts, of: other)
            if !state.isDelta, try !isLoaded(other) {
                try seen.add(
                    texts, of: other.name, set: set.name, generation: state.generation, page: state.pages)
            }
        }
        otherKeys = [:]
    }

    /// Whether a set has a load of its own.
    func isLoaded(_ set: MappedEntitySet) throws(Fault) -> Bool {
        if let known = loaded[ByteKey(set.name)] {
            return known
        }
        let isLoaded = try LoadStates(store).state(of: set.name) != nil
        loaded[ByteKey(set.name)] = isLoaded
        return isLoaded
    }

    /// Writes what has changed so far.
    func flush() throws(Fault) {
        for name in buffers.keys.sorted(by: { EntitySetMap.isBefore($0.text, $1.text) }) {
            let count = try buffers[name]?.flush() ?? (written: 0, removed: 0)
            summary.changed += count.written
            summary.deleted += count.removed
        }
        if !statedTypes.isEmpty {
            try client.registry.keep(types: statedTypes, of: set)
            statedTypes = []
        }
    }
}
