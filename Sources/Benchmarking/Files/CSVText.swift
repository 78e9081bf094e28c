package import Soups

/// Writes and reads comma-separated values as RFC 4180 has them: quotes where they are needed, doubled inside; a line
/// feed ends a record.
package enum CSVText {
    /// One record with its line feed. A field with a comma, a quote, a line break, or a space at either end is quoted.
    package static func record(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (place, field) in fields.enumerated() {
            if place > 0 {
                bytes.append(comma)
            }
            let text = Array(field.utf8)
            let needsQuotes =
                text.contains { $0 == comma || $0 == quote || $0 == lineFeed || $0 == carriageReturn }
                || text.first == space || text.last == space
            guard needsQuotes || (text.isEmpty && fields.count == 1) else {
                bytes += text
                continue
            }
            bytes.append(quote)
            for byte in text {
                if byte == quote {
                    bytes.append(quote)
                }
                bytes.append(byte)
            }
            bytes.append(quote)
        }
        bytes.append(lineFeed)
        return bytes
    }

    /// Reads all records. Lines may end in LF or CR LF, the last one needs no end. An empty text has no records.
    ///
    /// - Throws: `syntax` with the byte offset: text after a closing quote, a quote inside an unquoted field, a field
    ///   that never closes, no UTF-8.
    package static func records(_ bytes: [UInt8]) throws(Fault) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var place = 0
        while place < bytes.count {
            var field: [UInt8] = []
            let start = place
            if bytes[place] == quote {
                place += 1
                while true {
                    guard place < bytes.count else {
                        throw Fault(.syntax, "unterminated quoted field", offset: start)
                    }
                    if bytes[place] == quote {
                        guard place + 1 < bytes.count, bytes[place + 1] == quote else { break }
                        place += 1
                    }
                    field.append(bytes[place])
                    place += 1
                }
                place += 1
                if place < bytes.count, bytes[place] == carriageReturn {
                    place += 1
                }
                guard place == bytes.count || bytes[place] == comma || bytes[place] == lineFeed else {
                    throw Fault(.syntax, "unexpected text after a closing quote", offset: place)
                }
            } else {
                while place < bytes.count, bytes[place] != comma, bytes[place] != lineFeed {
                    guard bytes[place] != quote else {
                        throw Fault(.syntax, "unexpected quote in a field that is not quoted", offset: place)
                    }
                    field.append(bytes[place])
                    place += 1
                }
                if field.last == carriageReturn, place < bytes.count, bytes[place] == lineFeed {
                    field.removeLast()
                }
            }
            guard let text = String(validating: field, as: UTF8.self) else {
                throw Fault(.syntax, "a field is not valid UTF-8", offset: start)
            }
            fields.append(text)
            guard place < bytes.count, bytes[place] == comma else {
                records.append(fields)
                fields = []
                place += 1
                continue
            }
            place += 1
            // A comma at the very end is followed by an empty field.
            if place == bytes.count {
                records.append(fields + [""])
                fields = []
            }
        }
        return records
    }

    /// The text up to the end of its last record that has one: what was written before a writer was killed within a
    /// record.
    static func wholeRecords(_ bytes: [UInt8]) -> [UInt8] {
        var end = 0
        var isQuoted = false
        for (place, byte) in bytes.enumerated() {
            // A doubled quote turns twice and changes nothing.
            if byte == quote {
                isQuoted.toggle()
            }
            if byte == lineFeed, !isQuoted {
                end = place + 1
            }
        }
        return Array(bytes[..<end])
    }

    /// A number without exponent noise: whole numbers whole, others as short as they can be read back exactly; nothing
    /// for nil.
    static func number(_ value: Double?) -> String {
        guard let value, value.isFinite else {
            return ""
        }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")
}
