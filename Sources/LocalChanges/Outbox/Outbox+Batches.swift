import JSONText
import OfflineStore
package import Soups

// What a sync does for many rows at once. Every call is one transaction, or part of the caller's.
extension Outbox {
    /// The rows of a soup, among some, of which a creation is noted, each with the id of its note.
    package func noted(soup: String, among entryIds: [Int64]) throws(Fault) -> [Int64: Int64] {
        guard !entryIds.isEmpty, try hasRows() else { return [:] }
        let found = try store.lookUp(
            entryIds.map(SQLValue.integer), path: "entryId", in: Self.soupName,
            selecting: ["_soup", "soupName"])
        let identity = try SoupIdentity(store, soup: soup)
        var noted: [Int64: Int64] = [:]
        for cells in found {
            guard case .value(.text(let name)) = cells[1], name.elementsEqual(soup.utf8) else { continue }
            let row = try SoupRows.object(ofRow: cells)
            guard let entryId = row["entryId"]?.int64, let note = row.entryId, !identity.isFormer(row) else { continue }
            noted[entryId] = note
        }
        return noted
    }

    /// Notes creations of rows that have no note yet. Creates the soup if necessary.
    package func note(_ sent: [OutboxRow]) throws(Fault) {
        guard !sent.isEmpty else { return }
        try store.atomically { () throws(Fault) in
            try register()
            let rows = try sent.map { (row) throws(Fault) in
                JSONValue.object(try SoupIdentity(store, soup: row.soupName).marked(row.json)).bytes()
            }
            try store.upsertIds(rows, into: Self.soupName)
        }
    }

    /// Forgets what was sent of rows of a soup.
    package func remove(soup: String, entryIds: [Int64]) throws(Fault) {
        try store.atomically { () throws(Fault) in
            let notes = try noted(soup: soup, among: entryIds).values.sorted()
            if !notes.isEmpty {
                try store.remove(ids: notes, from: Self.soupName)
            }
        }
    }

    /// Whether there are notes of a soup whose rows no longer exist.
    package func hasOrphans(inSoup soup: String) throws(Fault) -> Bool { try !orphans(inSoup: soup).isEmpty }

    /// Forgets the notes of a soup whose rows no longer exist, and returns the ids of these rows.
    package func removeOrphans(inSoup soup: String) throws(Fault) -> [Int64] {
        try store.atomically { () throws(Fault) in
            let orphans = try orphans(inSoup: soup)
            if !orphans.isEmpty {
                try store.remove(ids: orphans.map(\.note), from: Self.soupName)
            }
            return orphans.map(\.entryId).sorted()
        }
    }

    private func orphans(inSoup soup: String) throws(Fault) -> [(note: Int64, entryId: Int64)] {
        guard try hasRows() else { return [] }
        var orphans: [(note: Int64, entryId: Int64)] = []
        for row in try rows.rows(where: "soupName", is: .text(soup)) where try isOrphan(row) {
            if let note = row.entryId, let entryId = row["entryId"]?.int64 {
                orphans.append((note, entryId))
            }
        }
        return orphans
    }

    private func hasRows() throws(Fault) -> Bool {
        guard try store.soupExists(Self.soupName) else { return false }
        return try !store.rows("SELECT {sync_outbox:_soupEntryId} FROM {sync_outbox}", limit: 1).isEmpty
    }
}
