import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Saves records of pages in a soup. Every call is inside the transaction of the page.
struct PageSaver {
    private let context: DownContext
    private let soup: String
    private let idField: String
    private let writer: RowWriter

    init(_ context: DownContext, soup: String? = nil, idField: String) {
        self.context = context
        self.soup = soup ?? context.soup
        self.idField = idField
        writer = RowWriter(syncId: context.syncId)
    }

    private var store: SmartStore { context.store }

    /// The records of a page whose rows have local changes now.
    func dirtyIds(of page: DownPage) throws(Fault) -> Set<RecordId> { Set(try dirtyRows(page.records).keys) }

    /// The rows with local changes that records of a page have, by their ids.
    func dirtyRows(_ records: [DownRecord]) throws(Fault) -> [RecordId: Int64] {
        var seen: Set<RecordId> = []
        let ids = records.map(\.id).filter { seen.insert($0).inserted }
        let found = try store.lookUp(
            ids.map(\.key), path: idField, in: soup, selecting: ["_soupEntryId", idField, ReservedField.local])
        var last: RecordId?
        var dirty: [RecordId: Int64] = [:]
        for cells in found {
            guard cells.count == 3, case .value(.integer(let entryId)) = cells[0], let id = RecordId(cell: cells[1])
            else { continue }
            guard id != last else {
                throw Fault(
                    .externalIdNotUnique, "more than one row has the id of a record",
                    context: [.soup(soup), .path(idField)])
            }
            last = id
            if FlagCondition.isSet(cells[2]) {
                dirty[id] = entryId
            }
        }
        return dirty
    }

    /// Saves the records of a page that are not left, and keeps those that are with the originals of their rows.
    func save(_ page: DownPage) throws(Fault) {
        try save(page.records.filter { !page.left.contains($0.id) }, of: page.bytes)
        if !page.left.isEmpty {
            try keep(page.records.filter { page.left.contains($0.id) }, of: page.bytes)
        }
    }

    /// Saves records.
    ///
    /// - Parameter extra: A member that is written into each, with a comma after it.
    func save(_ records: [DownRecord], of bytes: [UInt8], extra: [UInt8] = []) throws(Fault) {
        guard !records.isEmpty else { return }
        let rows = records.map { writer.row(of: $0, in: bytes, extra: extra) }
        let stored: [[UInt8]]
        do throws(Fault) {
            stored = try store.upsert(rows, into: soup, externalIdPath: idField)
        } catch {
            // Offsets count in the row that was written, which nobody has seen.
            throw Fault(error.code, error.message, context: error.context)
        }
        try forget(stored)
    }

    /// Removes what is kept of the local changes of rows that were just replaced.
    private func forget(_ stored: [[UInt8]]) throws(Fault) {
        let originals = Originals(store, soup: soup)
        let hasOriginals = try hasRows(originals.name)
        let hasDoubts = try hasRows(Outbox.soupName)
        guard hasOriginals || hasDoubts else { return }
        let ids = stored.compactMap(Self.entryId)
        if hasOriginals {
            try originals.remove(ids)
        }
        if hasDoubts {
            let outbox = Outbox(store)
            let replaced = Set(ids)
            for doubt in try outbox.doubts(inSoup: soup) where replaced.contains(doubt.entryId) {
                try outbox.remove(soup: soup, entryId: doubt.entryId)
            }
        }
    }

    private func hasRows(_ name: String) throws(Fault) -> Bool {
        guard try store.soupExists(name) else { return false }
        return try !store.rows("SELECT {\(name):_soupEntryId} FROM {\(name)}", limit: 1).isEmpty
    }

    /// Keeps records that are not saved, as they would be, where their rows have originals.
    private func keep(_ records: [DownRecord], of bytes: [UInt8]) throws(Fault) {
        let originals = Originals(store, soup: soup)
        guard try hasRows(originals.name) else { return }
        let rows = try dirtyRows(records)
        for record in records {
            guard let entryId = rows[record.id] else { continue }
            let row = try SoupRows.object(of: writer.row(of: record, in: bytes))
            try originals.keep(skippedRecord: row, of: entryId)
        }
    }

    private static func entryId(_ row: [UInt8]) -> Int64? {
        try? PageReader.reading(row) { (root) throws(WrongForm) in root["_soupEntryId"]?.int64 }
    }
}
