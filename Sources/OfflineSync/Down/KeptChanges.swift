import LocalChanges
import OfflineStore
import Soups

/// Removes what is kept of the local changes of rows that a page replaces: originals, and creations in doubt.
///
/// Both are read once for a page, and only where there is anything. Every call is inside the transaction of the page.
struct KeptChanges {
    private let store: SmartStore
    private let soup: String
    private let originals: Originals
    private let hasOriginals: Bool
    private let hasDoubts: Bool
    private var replaced: [Int64] = []

    init(_ store: SmartStore, soup: String) throws(Fault) {
        self.store = store
        self.soup = soup
        originals = Originals(store, soup: soup)
        hasOriginals = try Self.hasRows(originals.name, store)
        hasDoubts = try Self.hasRows(Outbox.soupName, store)
    }

    /// Whether a soup exists and has rows.
    static func hasRows(_ name: String, _ store: SmartStore) throws(Fault) -> Bool {
        guard try store.soupExists(name) else { return false }
        return try !store.rows("SELECT {\(name):_soupEntryId} FROM {\(name)}", limit: 1).isEmpty
    }

    /// Notes rows that were just replaced.
    mutating func note(replaced ids: [Int64]) {
        guard hasOriginals || hasDoubts else { return }
        replaced += ids
    }

    /// Forgets what was kept of the rows that were noted.
    func forget() throws(Fault) {
        guard !replaced.isEmpty else { return }
        if hasOriginals {
            try originals.remove(replaced)
        }
        if hasDoubts {
            let outbox = Outbox(store)
            let ids = Set(replaced)
            for doubt in try outbox.doubts(inSoup: soup) where ids.contains(doubt.entryId) {
                try outbox.remove(soup: soup, entryId: doubt.entryId)
            }
        }
    }
}
