import CSVText
package import Soups

/// Reads records by the names of their columns, so that added columns and another order do no harm.
package struct CSVTable: Sendable {
    package let columns: [String]
    package let rows: [[String]]

    /// - Throws: `syntax` if the text is not CSV, has no header, or has a record with another number of fields than the
    ///   header.
    package init(_ bytes: [UInt8]) throws(Fault) {
        var records: [[String]]
        do { records = try CSVText.records(bytes) } catch { throw Fault(.syntax, error.message, offset: error.offset) }
        guard !records.isEmpty else {
            throw Fault(.syntax, "the file is empty; expected a header")
        }
        columns = records.removeFirst()
        for (index, record) in records.enumerated() where record.count != columns.count {
            throw Fault(.syntax, "record \(index + 2) has \(record.count) fields, the header \(columns.count)")
        }
        rows = records
    }

    func index(of column: String) -> Int? { columns.firstIndex { ByteKey($0) == ByteKey(column) } }

    static func missing(_ column: String) -> Fault { Fault(.syntax, "the column \(column) is missing") }

    /// Returns a reader of one column.
    ///
    /// - Throws: `syntax` if the file lacks the column.
    package func column(_ name: String) throws(Fault) -> ([String]) -> String {
        guard let index = index(of: name) else {
            throw Self.missing(name)
        }
        return { $0[index] }
    }
}
