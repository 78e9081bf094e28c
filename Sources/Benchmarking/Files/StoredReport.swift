package import Soups

/// One run as a comparison needs it: what it was, and its rows.
package struct StoredReport: Sendable {
    package let record: RunRecord
    package let rows: [SummaryRow]

    package init(record: RunRecord, rows: [SummaryRow]) {
        self.record = record
        self.rows = rows
    }

    /// - Throws: `inputOutput`, `syntax`, `invalidJSON`, `unsupported` if the folder is no run of this schema.
    package init(folder: String) throws(Fault) {
        let folder = RunFolder(path: folder)
        self.init(record: try folder.record(), rows: try folder.rows())
    }
}
