import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Rows with the versions that their changes started from, read together, so that each row does not take calls of its
/// own.
///
/// A row that was not read ahead is read when it is asked for. What was read does not change: who writes rows in
/// between forgets them.
struct ChangedRowPage {
    private let client: ODataClient
    private var soups: [ByteKey: Rows] = [:]

    private struct Rows {
        /// The ids that were read, also those without a row.
        var ids: Set<Int64> = []
        var rows: [Int64: JSONObject] = [:]
        var originals: [Int64: JSONObject] = [:]
    }

    init(_ client: ODataClient) { self.client = client }

    /// Reads rows, with the versions that their changes started from unless these are not needed.
    mutating func read(_ ids: [Int64], of set: MappedEntitySet, withOriginals: Bool = true) throws(Fault) {
        var read = soups[ByteKey(set.soup)] ?? Rows()
        read.ids.formUnion(ids)
        let rows = try SoupRows(client.store, soup: set.soup).rows(ids)
        read.rows.merge(rows) { _, new in new }
        if withOriginals {
            let changed = ids.filter { id in rows[id].map { !LocalFlags(of: $0).isCreated } ?? false }
            let originals = try Originals(client.store, soup: set.soup).originals(of: changed)
            read.originals.merge(originals) { _, new in new }
        }
        soups[ByteKey(set.soup)] = read
    }

    /// Forgets all rows, because others than the one at hand were written.
    mutating func forget() { soups = [:] }

    /// Returns a row; nil if no row has the id.
    func row(_ id: Int64, of set: MappedEntitySet) throws(Fault) -> JSONObject? {
        guard let read = soups[ByteKey(set.soup)], read.ids.contains(id) else {
            return try SoupRows(client.store, soup: set.soup).row(id)
        }
        return read.rows[id]
    }

    /// Returns a row next to the version that its changes started from.
    func changedRow(_ row: JSONObject, of set: MappedEntitySet) throws(Fault) -> ChangedRow {
        let id = row.entryId ?? 0
        guard let read = soups[ByteKey(set.soup)], read.ids.contains(id) else {
            return try PushSaving(client: client).changedRow(row, set)
        }
        let base = LocalFlags(of: row).isCreated ? nil : read.originals[id]
        return client.changedRow(row, base: base, of: set)
    }
}
