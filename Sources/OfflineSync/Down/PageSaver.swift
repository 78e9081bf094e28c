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
    ///
    /// Most soups have few rows with changes: these are read, and only records among them are looked up.
    func dirtyRows(_ records: [DownRecord]) throws(Fault) -> [RecordId: Int64] {
        var candidates = records
        if let changed = try changedIds(atMost: records.count / 2) {
            guard !changed.isEmpty else { return [:] }
            candidates = records.filter { $0.id.hasForm { changed.contains($0) } }
        }
        guard !candidates.isEmpty else { return [:] }
        return try rows(of: candidates, selecting: []).filter(\.value.isDirty).mapValues(\.entryId)
    }

    /// The ids of all rows with local changes; nil if there are more than a number of them.
    private func changedIds(atMost limit: Int) throws(Fault) -> Set<RecordId>? {
        let flag = FlagCondition.setFlag("{\(soup):\(ReservedField.local)}")
        let rows = try store.rows(
            "SELECT {\(soup):\(idField)} FROM {\(soup)} WHERE \(flag.text)", arguments: flag.arguments, limit: limit + 1
        )
        guard rows.count <= limit else { return nil }
        return Set(rows.compactMap { $0.first.flatMap(RecordId.init(cell:)) })
    }

    /// Saves the records of a page that are not left, and keeps those that are with the originals of their rows.
    func save(_ page: DownPage) throws(Fault) {
        var kept = try KeptChanges(store, soup: soup)
        var saved: [Extended] = []
        var left: [Extended] = []
        saved.reserveCapacity(page.records.count)
        for record in page.records {
            if !page.left.isEmpty, page.left.contains(record.id) {
                left.append((record, []))
            } else {
                saved.append((record, []))
            }
        }
        try save(saved, of: page.bytes, &kept)
        try kept.forget()
        if !left.isEmpty {
            try keep(left, of: page.bytes)
        }
    }

    /// A record, and a member that is written into its row, with a comma after it.
    typealias Extended = (record: DownRecord, extra: [UInt8])

    /// Saves records, and notes the rows that they replace.
    func save(_ records: [Extended], of bytes: [UInt8], _ kept: inout KeptChanges) throws(Fault) {
        guard !records.isEmpty else { return }
        let rows = records.map { writer.row(of: $0.record, in: bytes, extra: $0.extra) }
        do throws(Fault) {
            kept.note(replaced: try store.upsertIds(rows, into: soup, externalIdPath: idField))
        } catch {
            // Offsets count in the row that was written, which no caller has seen.
            throw Fault(error.code, error.message, context: error.context)
        }
    }

    /// Keeps records that are not saved, as they would be, where their rows have originals.
    func keep(_ records: [Extended], of bytes: [UInt8]) throws(Fault) {
        let originals = Originals(store, soup: soup)
        guard try KeptChanges.hasRows(originals.name, store) else { return }
        let rows = try dirtyRows(records.map(\.record))
        for (record, extra) in records {
            guard let entryId = rows[record.id] else { continue }
            let row = try SoupRows.object(of: writer.row(of: record, in: bytes, extra: extra))
            try originals.keep(skippedRecord: row, of: entryId)
        }
    }
}

// MARK: - The rows of records
extension PageSaver {
    /// The row that has the id of a record.
    struct Found {
        let entryId: Int64
        let isDirty: Bool
        /// What else was selected.
        let cells: ArraySlice<StoreCell>
    }

    /// The rows that records of a page have, by the ids of the records.
    private func rows(of records: [DownRecord], selecting more: [String]) throws(Fault) -> [RecordId: Found] {
        var ids: [String: RecordId] = [:]
        var keys: [SQLValue] = []
        for record in records where ids[record.id.text] == nil {
            keys.append(record.id.key)
            for form in record.id.forms {
                ids[form] = record.id
            }
        }
        let rows = try store.lookUp(
            keys, path: idField, in: soup, selecting: ["_soupEntryId", idField, ReservedField.local] + more)
        var found: [RecordId: Found] = [:]
        for cells in rows {
            guard cells.count >= 3, case .value(.integer(let entryId)) = cells[0],
                let id = RecordId(cell: cells[1]).flatMap({ ids[$0.text] })
            else { continue }
            guard found[id].map({ $0.entryId == entryId }) ?? true else {
                throw Fault(
                    .externalIdNotUnique, "more than one row has the id of a record",
                    context: [.soup(soup), .path(idField)])
            }
            found[id] = Found(
                entryId: entryId, isDirty: FlagCondition.isSet(cells[2]), cells: cells.dropFirst(3))
        }
        return found
    }

    /// The records that would be lost if they were left: they have no row, or a clean one with another date of
    /// modification.
    func lost(_ records: [DownRecord], modificationField: String) throws(Fault) -> [DownRecord] {
        let rows = try rows(of: records, selecting: ["_soup"])
        let field = ByteKey(modificationField)
        var lost: [DownRecord] = []
        for record in records {
            guard let row = rows[record.id] else {
                lost.append(record)
                continue
            }
            guard !row.isDirty, case .entry(let entry)? = row.cells.first else { continue }
            let modified = try PageReader.reading(entry) { (root) throws(WrongForm) in
                root.members.first { $0.name.has(field) }?.value.string.flatMap(ServiceDate.milliseconds)
            }
            if modified == nil || modified != record.modified {
                lost.append(record)
            }
        }
        return lost
    }
}
