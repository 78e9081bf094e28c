/// Reads and writes comma-separated values by RFC 4180: fields with commas, quotes or line ends are quoted.
enum CSV {
    struct Malformed: Error {
        let row: Int
        let message: String
    }

    static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\n" }

    private static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        }
        guard needsQuotes else {
            return text
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" {
                quoted += "\"\""
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Reads all rows; empty lines are skipped.
    static func rows(of bytes: [UInt8]) throws(Malformed) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var field: [UInt8] = []
        var inQuotes = false
        var wasQuoted = false
        func isBlank() -> Bool { row.isEmpty && field.isEmpty && !wasQuoted }
        func endField() {
            row.append(String(decoding: field, as: UTF8.self))
            field = []
            wasQuoted = false
        }
        func endRow() {
            if !isBlank() {
                endField()
                rows.append(row)
            }
            row = []
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if inQuotes {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                    field.append(byte)
                    index += 1
                } else {
                    inQuotes = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                guard field.isEmpty, !wasQuoted else {
                    throw Malformed(row: rows.count + 1, message: "quote inside an unquoted field")
                }
                inQuotes = true
                wasQuoted = true
            case UInt8(ascii: ","): endField()
            case UInt8(ascii: "\n"): endRow()
            case UInt8(ascii: "\r"): break
            default: field.append(byte)
            }
        }
        guard !inQuotes else {
            throw Malformed(row: rows.count + 1, message: "unterminated quoted field")
        }
        endRow()
        return rows
    }
}
