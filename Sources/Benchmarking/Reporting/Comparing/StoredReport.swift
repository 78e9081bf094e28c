public import Soups

/// One run as a comparison needs it: what it was, and its rows.
public struct StoredReport: Sendable {
    public let record: RunRecord
    public let rows: [SummaryRow]

    public init(record: RunRecord, rows: [SummaryRow]) {
        self.record = record
        self.rows = rows
    }

    /// - Throws: `inputOutput`, `syntax`, `invalidJSON`, `unsupported` where the folder is no run of this schema.
    public init(folder: String) throws(Fault) {
        let folder = RunFolder(path: folder)
        self.init(record: try folder.record(), rows: try folder.rows())
    }
}
