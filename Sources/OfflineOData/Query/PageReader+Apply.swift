import OData
import OfflineStore
import Soups

/// The pages of a query with `$apply`. Its results are made of all rows at once and kept as texts, because they are not
/// rows that could be read again.
extension PageReader {
    /// What a row takes in memory besides its text, at least: the document with its tape.
    private static var bytesForRow: Int { 512 }

    func appliedPage() throws(Fault) -> QueryPage {
        var next = position
        var count: Int64?
        if next.applied == nil {
            let (results, found) = try appliedResults()
            next.applied = results[...]
            count = found
        }
        let results = next.applied ?? []
        let size = min(pageSize, results.count)
        next.applied = results.dropFirst(size)
        next.move(past: size, more: results.count > size)
        return QueryPage(rows: Array(results.prefix(size)), count: count, next: next)
    }

    /// The results of `$apply` and of the options after it, which skip and limit them.
    ///
    /// - Throws: `limitExceeded` if the rows take more memory than a sort may take.
    private func appliedResults() throws(Fault) -> (texts: [[UInt8]], count: Int64?) {
        var rows: [RowNode] = []
        var bytes = 0
        let names = test.appliedMembers
        let ids = try snapshot.ids(matching: .all(), in: run.soup).sorted()
        try snapshot.entries(ids, of: run.soup) { (_, text) throws(Fault) in
            let row = try RowExpander.document(text)
            // What the first steps leave out need not be kept.
            guard try test.startsPipeline(with: row) else { return true }
            let kept = names.map { row.keeping($0) } ?? row
            bytes += kept.bytes.count + Self.bytesForRow
            guard bytes <= run.query.sortBytes else {
                throw Fault(
                    .limitExceeded,
                    "the rows that $apply reads take more than \(run.query.sortBytes) bytes; let a filter come first, or "
                        + "raise sortBytes")
            }
            rows.append(kept)
            return true
        }
        return try test.applied(to: rows)
    }
}
