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
            selecting: ["entryId", "_soupEntryId", "soupName"])
        var noted: [Int64: Int64] = [:]
        for cells in found {
            guard case .value(.integer(let entryId))? = cells.first, case .value(.integer(let note)) = cells[1],
                case .value(.text(let name)) = cells[2], name.elementsEqual(soup.utf8)
            else { continue }
            noted[entryId] = note
        }
        return noted
    }

    /// Notes creations of rows that have no note yet. Creates the soup if necessary.
    package func note(_ sent: [OutboxRow]) throws(Fault) {
        guard !sent.isEmpty else { return }
        try store.atomically { () throws(Fault) in
            try register()
            try store.upsertIds(sent.map { JSONValue.object($0.json).bytes() }, into: Self.soupName)
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

    /// The notes of a soup whose rows no longer exist, by the ids of these rows.
    package func orphans(inSoup soup: String) throws(Fault) -> [Int64] {
        guard try hasRows() else { return [] }
        var orphans: [Int64] = []
        for doubt in try doubts(inSoup: soup) where try store.retrieve(id: doubt.entryId, from: soup) == nil {
            orphans.append(doubt.entryId)
        }
        return orphans
    }

    private func hasRows() throws(Fault) -> Bool {
        guard try store.soupExists(Self.soupName) else { return false }
        return try !store.rows("SELECT {sync_outbox:_soupEntryId} FROM {sync_outbox}", limit: 1).isEmpty
    }
}
