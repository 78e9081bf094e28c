import JSONText
import LocalChanges
import OfflineStore
import Soups

/// The rows of all syncs of a store, in the soup `syncs_soup`. Every call is one transaction, or part of the caller's.
struct SyncRows: Sendable {
    static let soupName = "syncs_soup"
    private static let specs: [IndexSpec] = [.json1("type"), .json1("name"), .json1("status")]

    let store: SmartStore
    private let rows: SoupRows

    init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// Registers the soup, or gives one of an older version its indexes of today.
    func prepare() throws(Fault) {
        guard try store.soupExists(Self.soupName) else {
            try store.registerSoup(Self.soupName, indexSpecs: Self.specs)
            return
        }
        let specs = try store.indexSpecs(ofSoup: Self.soupName)
        let isCurrent =
            specs.count == Self.specs.count
            && Self.specs.allSatisfy { wanted in
                specs.contains { ByteKey($0.path) == ByteKey(wanted.path) && $0.type == wanted.type }
            }
        if !isCurrent {
            try store.alterSoup(Self.soupName, indexSpecs: Self.specs, reIndexData: true)
        }
    }

    /// The rows, in the order of their ids. The bodies of malformed rows are given too.
    func all() throws(Fault) -> [JSONObject] {
        guard try store.soupExists(Self.soupName) else { return [] }
        var found: [JSONObject] = []
        var last: Int64 = 0
        while true {
            let page = try store.rows(
                "SELECT {syncs_soup:_soup} FROM {syncs_soup} WHERE {syncs_soup:_soupEntryId} > ? ORDER BY {syncs_soup:_soupEntryId}",
                arguments: [.integer(last)], limit: 200)
            for cells in page {
                let row = try SoupRows.object(ofRow: cells)
                last = max(last, row.entryId ?? .max)
                found.append(row)
            }
            guard page.count == 200 else { return found }
        }
    }

    /// The row of a sync; `nil` if the store has no such sync.
    func row(_ sync: SyncReference) throws(Fault) -> JSONObject? {
        guard try store.soupExists(Self.soupName) else { return nil }
        switch sync {
        case .id(let id): return try rows.row(id)
        case .name(let name):
            return try rows.rows(where: "name", is: .text(name)).first {
                $0["name"]?.string.map { ByteKey($0) } == ByteKey(name)
            }
        }
    }

    /// Stores a sync and returns it with its id.
    ///
    /// - Throws: `syncNotFound` for one that was stored before and whose row was removed since: it does not come back.
    func write(_ state: SyncState) throws(Fault) -> SyncState {
        try store.atomically { () throws(Fault) in
            if state.id != 0, try store.retrieve(id: state.id, from: Self.soupName) == nil {
                throw Self.notFound
            }
            var stored = try SyncState(row: rows.write(state.json))
            stored.summary = state.summary
            return stored
        }
    }

    static let notFound = Fault(.syncNotFound, "the store has no such sync; create it first")

    func remove(_ id: Int64) throws(Fault) { try store.remove(ids: [id], from: Self.soupName) }
}
