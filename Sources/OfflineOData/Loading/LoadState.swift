import JSONText
import LocalChanges
import OfflineStore
import Soups

/// The last load of a set, as the soup `odata_loads` keeps it: a run that was cut goes on from it.
struct LoadState: Sendable {
    var set: String
    /// The query of the load, in canonical form; empty for none.
    var query = ""
    var mode = LoadMode.full
    var mergeMode = ChangedRowMode.leave
    var status = RunStatus.running
    /// Counts the full loads of the set.
    var generation: Int64 = 0
    /// The page that is asked for next; nil for the first one.
    var nextLink: String?
    /// The link to later changes, from the last page of a load.
    var deltaLink: String?
    /// The query of the load that brought `deltaLink`, in canonical form; nil if it is not known.
    var deltaQuery: String?
    /// Whether the run reads changes.
    var isDelta = false
    /// Whether all pages are saved and rows that were not met are being removed.
    var isRemoving = false
    var pages: Int64 = 0
    var entities: Int64 = 0
    var startedAt: Int64 = 0
    /// The numbers of the soups of all mapped sets by their names, 0 for one that did not exist; nil in states of
    /// former versions. They tell a soup from a former one of its name.
    var soupIds: [ByteKey: Int64]?
    var error: String?
    var errorCode: String?
    var entryId: Int64?

    /// Whether the run has not ended with everything there.
    var isUnfinished: Bool { status != .done }

    /// Whether two states are of the same step of a run.
    func isSameStep(as other: LoadState) -> Bool {
        generation == other.generation && startedAt == other.startedAt && status == other.status
            && isDelta == other.isDelta && isRemoving == other.isRemoving && pages == other.pages
            && nextLink.map { ByteKey($0) } == other.nextLink.map { ByteKey($0) }
    }

    /// Whether the link to later changes is enough to bring the rows of a query up to date. Rows that a full load has
    /// not removed yet would stay.
    func canReadChanges(of query: String) -> Bool {
        guard deltaLink != nil, let deltaQuery, !isRemoving else { return false }
        return ByteKey(deltaQuery) == ByteKey(query)
    }
}

extension LoadState {
    init?(stored row: JSONObject) {
        guard let set = row["set"]?.string else { return nil }
        self.init(set: set)
        query = row["query"]?.string ?? ""
        mode = row["mode"]?.string.flatMap(LoadMode.init(rawValue:)) ?? .full
        mergeMode = row["mergeMode"]?.string.flatMap(ChangedRowMode.init(rawValue:)) ?? .leave
        status = row["status"]?.string.flatMap(RunStatus.init(rawValue:)) ?? .failed
        generation = row["generation"]?.int64 ?? 0
        nextLink = row["nextLink"]?.string
        deltaLink = row["deltaLink"]?.string
        isDelta = row["isDelta"]?.bool ?? false
        deltaQuery = row["deltaQuery"]?.string
        if deltaQuery == nil, deltaLink != nil, status == .done || isDelta {
            // A row of an earlier version. After a full load that was cut, the link may be that of another query.
            deltaQuery = query
        }
        isRemoving = row["isRemoving"]?.bool ?? false
        pages = row["pages"]?.int64 ?? 0
        entities = row["entities"]?.int64 ?? 0
        startedAt = row["startedAt"]?.int64 ?? 0
        soupIds = row["soupIds"]?.object.map { ids in
            Dictionary(ids.members.map { (ByteKey($0.name), $0.value.int64 ?? 0) }) { first, _ in first }
        }
        error = row["error"]?.string
        errorCode = row["errorCode"]?.string
        entryId = row.entryId
    }

    var json: JSONObject {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        func number(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }
        var members: [(String, JSONValue)] = [
            ("set", .string(set)), ("query", .string(query)), ("mode", .string(mode.rawValue)),
            ("mergeMode", .string(mergeMode.rawValue)), ("status", .string(status.rawValue)),
            ("generation", number(generation)), ("nextLink", text(nextLink)), ("deltaLink", text(deltaLink)),
            ("deltaQuery", text(deltaQuery)),
            ("isDelta", .bool(isDelta)), ("isRemoving", .bool(isRemoving)), ("pages", number(pages)),
            ("entities", number(entities)), ("startedAt", number(startedAt)), ("error", text(error)),
            ("errorCode", text(errorCode)),
        ]
        if let soupIds {
            let ids = soupIds.map { ($0.key.text, $0.value) }.sorted { EntitySetMap.isBefore($0.0, $1.0) }
            members.append(("soupIds", .object(JSONObject(ids.map { ($0.0, number($0.1)) }))))
        }
        if let entryId {
            members.append(("_soupEntryId", number(entryId)))
        }
        return JSONObject(members)
    }
}

/// Reads and writes the states of loads.
struct LoadStates: Sendable {
    static let soupName = "odata_loads"
    let store: SmartStore
    private let rows: SoupRows

    init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// The last load of a set; nil if it was never loaded.
    func state(of set: String) throws(Fault) -> LoadState? {
        guard try store.soupExists(Self.soupName) else { return nil }
        return try rows.rows(where: "set", is: .text(set)).first.flatMap(LoadState.init(stored:))
    }

    /// Throws `syncRunning` if another client has begun a load of the set, or continued this one, since a state was
    /// kept. What one of both removes at its end the other may have listed.
    func requireUnchanged(since state: LoadState) throws(Fault) {
        guard let stored = try self.state(of: state.set), !stored.isSameStep(as: state) else { return }
        throw Fault(.syncRunning, "another client loads the entity set \(state.set); its load goes on instead")
    }

    /// Keeps a state, with its id from then on.
    func save(_ state: inout LoadState) throws(Fault) {
        try store.registerSoup(Self.soupName, indexSpecs: [.string("set")])
        state.entryId = try rows.write(state.json).entryId
    }
}
