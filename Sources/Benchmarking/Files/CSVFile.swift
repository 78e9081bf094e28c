import CSVText
import Soups

/// Writes and reads a report file by its columns.
struct CSVFile<Row>: Sendable {
    /// `samples.csv`, for messages.
    let name: String
    /// In the order of the file.
    let columns: [Column<Row>]

    var descriptions: [ColumnDescription] { columns.map(\.description) }

    var header: [UInt8] { CSVText.record(columns.map(\.description.name)) }

    func record(_ row: Row) -> [UInt8] { CSVText.record(columns.map { $0.write(row) }) }

    /// Returns the header and the rows.
    func write(_ rows: some Sequence<Row>) -> [UInt8] { rows.reduce(into: header) { $0 += record($1) } }

    /// Reads all records; columns that this program does not know are skipped.
    ///
    /// - Parameters:
    ///   - empty: A row to read into.
    ///   - finish: Checks a row when all its columns are read. Its faults name the record.
    /// - Throws: `syntax` for a malformed file, a missing column or a field that is not valid; `unsupported` for
    ///   another major version of the schema.
    func read<Result>(
        _ bytes: [UInt8], into empty: Row, finish: (Row, CSVField) throws(Fault) -> Result
    ) throws(Fault) -> [Result] {
        let table = try CSVTable(bytes)
        var readers: [(name: String, index: Int, read: (inout Row, CSVField) throws(Fault) -> Void)] = []
        for column in columns {
            guard let read = column.read else { continue }
            if let index = table.index(of: column.description.name) {
                readers.append((column.description.name, index, read))
            } else if !column.isAddedLater {
                throw CSVTable.missing(column.description.name)
            }
        }
        var results: [Result] = []
        results.reserveCapacity(table.rows.count)
        for (index, record) in table.rows.enumerated() {
            let source = "\(name), record \(index + 2)"
            var row = empty
            for reader in readers {
                try reader.read(&row, CSVField(column: reader.name, text: record[reader.index], record: source))
            }
            results.append(try finish(row, CSVField(column: "", text: "", record: source)))
        }
        return results
    }
}
