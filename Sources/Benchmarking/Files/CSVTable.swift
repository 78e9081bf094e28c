package import Soups

/// Reads records by the names of their columns, so that added columns and another order do no harm.
package struct CSVTable: Sendable {
    package let columns: [String]
    package let rows: [[String]]

    /// - Throws: `syntax` where the text is no CSV, has no header, or a record of another length than the header.
    package init(_ bytes: [UInt8]) throws(Fault) {
        var records = try CSVText.records(bytes)
        guard !records.isEmpty else {
            throw Fault(.syntax, "the file is empty; expected a header")
        }
        columns = records.removeFirst()
        for (place, record) in records.enumerated() where record.count != columns.count {
            throw Fault(.syntax, "record \(place + 2) has \(record.count) fields, the header \(columns.count)")
        }
        rows = records
    }

    /// A reader of one column.
    ///
    /// - Throws: `syntax` where there is no such column.
    package func column(_ name: String) throws(Fault) -> ([String]) -> String {
        guard let place = columns.firstIndex(where: { ByteKey($0) == ByteKey(name) }) else {
            throw Fault(.syntax, "the column \(name) is missing")
        }
        return { $0[place] }
    }
}

/// The version of the files' columns, `major.minor.patch`. A column added raises minor, a changed meaning major;
/// readers take their own major only.
package enum SchemaVersion {
    package static let current = "1.3.0"

    /// - Throws: `unsupported` where the file is of another major version.
    package static func check(_ version: String) throws(Fault) {
        guard version.utf8.split(separator: UInt8(ascii: ".")).first.map({ String(decoding: $0, as: UTF8.self) }) == "1"
        else {
            throw Fault(.unsupported, "the report has schema \(version), but this program reads \(current)")
        }
    }
}
