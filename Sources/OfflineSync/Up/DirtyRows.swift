import LocalChanges
import OfflineStore
import Soups

/// Finds the rows of a soup with local changes, by their entry ids, page by page.
///
/// Rows that become clean after their page do not move the rest. Rows that are changed after the run began wait for the
/// next one.
struct DirtyRows: Sendable {
    /// The rows when the run began.
    let count: Int
    private let greatest: Int64
    private let store: SmartStore
    private let condition: FlagCondition
    private var last: Int64 = 0
    /// The rows that the target has chosen; nil for all.
    private let chosen: [Int64]?

    /// Counts the rows.
    init(_ store: SmartStore, soup: String, chosen: [Int64]? = nil) throws(Fault) {
        self.store = store
        condition = try FlagCondition(SoupCheck(store, soup: soup))
        self.chosen = chosen.map { Array(Set($0)).sorted() }
        if let chosen = self.chosen {
            count = chosen.count
            greatest = chosen.last ?? 0
            return
        }
        let entry = condition.column("_soupEntryId")
        let dirty = "\(condition.column(ReservedField.local)) = ?"
        let found = try store.rows(
            "SELECT count(*) FROM {\(soup)} WHERE \(dirty)", arguments: [condition.value(true)], limit: 1)
        guard case .value(.integer(let number))? = found.first?.first, number > 0 else {
            count = 0
            greatest = 0
            return
        }
        let newest = try store.rows(
            "SELECT \(entry) FROM {\(soup)} WHERE \(dirty) ORDER BY \(entry) DESC",
            arguments: [condition.value(true)], limit: 1)
        guard case .value(.integer(let id))? = newest.first?.first else {
            count = 0
            greatest = 0
            return
        }
        count = Int(number)
        greatest = id
    }

    /// The entry ids of the next rows; empty at the end.
    mutating func next(_ limit: Int = RowWalk.pageSize) throws(Fault) -> [Int64] {
        guard last < greatest else { return [] }
        if let chosen {
            let ids = Array(chosen[Self.index(of: last, in: chosen)...].prefix(limit))
            last = ids.last ?? greatest
            return ids
        }
        let entry = condition.column("_soupEntryId")
        let rows = try store.rows(
            "SELECT \(entry) FROM {\(condition.soup)} WHERE \(condition.column(ReservedField.local)) = ? AND \(entry) > ? ORDER BY \(entry)",
            arguments: [condition.value(true), .integer(last)], limit: limit)
        var ids: [Int64] = []
        for cells in rows {
            guard case .value(.integer(let id))? = cells.first, id <= greatest else { break }
            ids.append(id)
        }
        last = ids.last ?? greatest
        return ids
    }

    /// The place of the first number above another one.
    private static func index(of number: Int64, in sorted: [Int64]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] > number {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
