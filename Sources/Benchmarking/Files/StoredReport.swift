package import Soups

/// One run as a comparison needs it: what it was, and its rows.
package struct StoredReport: Sendable {
    package let record: RunRecord
    package let rows: [SummaryRow]

    package init(record: RunRecord, rows: [SummaryRow]) {
        self.record = record
        self.rows = rows
    }

    /// Reads run.json and summary.csv.
    ///
    /// - Throws: `inputOutput`, `syntax`, `invalidJSON`, `unsupported` if the folder is not a run of this schema;
    ///   `syntax` too if its files contradict each other.
    package init(folder: String) throws(Fault) {
        let folder = RunFolder(path: folder)
        let record = try folder.record()
        self.init(record: record, rows: try folder.rows(of: record.id))
        if let contradiction {
            throw Fault(.syntax, "\(folder.path): \(contradiction); measure again")
        }
    }

    /// What run.json and summary.csv say differently; nil if they agree. Only files that were changed by hand, or that
    /// are of two runs, differ.
    private var contradiction: String? {
        for row in rows {
            guard let version = record.version(of: row.cellID) else {
                return "summary.csv has rows of \(row.cellID), which is not a cell of run.json"
            }
            if ByteKey(version) != ByteKey(row.version) {
                return "summary.csv and run.json name different definitions of \(row.cellID)"
            }
            if row.verdict == .invalid, record.faults.isEmpty {
                return "summary.csv says that \(row.cellID) is not valid, but run.json says that the run is"
            }
        }
        return nil
    }
}
