import OData
import OfflineStore
import Soups

/// The pages of a query with `$apply`. Its results are made of all rows at once and kept as texts, because they are not
/// rows that could be read again.
extension PageReader {
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
    /// - Throws: `limitExceeded` if what is kept of the rows takes more memory than a sort may take.
    private func appliedResults() throws(Fault) -> (texts: [[UInt8]], count: Int64?) {
        var pipeline = test.pipeline
        let ids = try snapshot.ids(matching: .all(), in: run.soup).sorted()
        try snapshot.entries(ids, of: run.soup) { (_, text) throws(Fault) in
            try test.add(try RowExpander.document(text), to: &pipeline)
            guard pipeline.byteCount <= run.query.sortBytes else {
                throw Fault(
                    .limitExceeded,
                    "what $apply keeps of the rows takes more than \(run.query.sortBytes) bytes; let a filter come first, "
                        + "or raise sortBytes")
            }
            return true
        }
        return try test.results(of: &pipeline)
    }
}
