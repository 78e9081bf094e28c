/// Writes and reads comma-separated values as RFC 4180 has them: quotes where they are needed, doubled inside; a line
/// feed ends a record.
package enum CSVText {
    /// One record with its line feed. A field with a comma, a quote, a line break, or a space at either end is quoted.
    package static func record(_ fields: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 {
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
    /// - Throws: an error with the byte offset: text after a closing quote, a quote inside an unquoted field, a field
    ///   without a closing quote, invalid UTF-8.
    package static func records(_ bytes: [UInt8]) throws(CSVError) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var offset = 0
        while offset < bytes.count {
            let record = records.count + 1
            let start = offset
            let field =
                bytes[offset] == quote
                ? try quotedField(bytes, &offset, record) : try plainField(bytes, &offset, record)
            guard let text = String(validating: field, as: UTF8.self) else {
                throw CSVError(message: "a field is not valid UTF-8", record: record, offset: start)
            }
            fields.append(text)
            guard offset < bytes.count, bytes[offset] == comma else {
                records.append(fields)
                fields = []
                offset += 1
                continue
            }
            offset += 1
            // A comma at the very end is followed by an empty field.
            if offset == bytes.count {
                records.append(fields + [""])
                fields = []
            }
        }
        return records
    }

    /// Reads a field in quotes. The offset is then that of the comma or line feed after it, or the end of the bytes.
    private static func quotedField(_ bytes: [UInt8], _ offset: inout Int, _ record: Int) throws(CSVError) -> [UInt8] {
        var field: [UInt8] = []
        let start = offset
        offset += 1
        while true {
            guard offset < bytes.count else {
                throw CSVError(message: "unterminated quoted field", record: record, offset: start)
            }
            if bytes[offset] == quote {
                guard offset + 1 < bytes.count, bytes[offset + 1] == quote else { break }
                offset += 1
            }
            field.append(bytes[offset])
            offset += 1
        }
        offset += 1
        if offset < bytes.count, bytes[offset] == carriageReturn {
            offset += 1
        }
        guard offset == bytes.count || bytes[offset] == comma || bytes[offset] == lineFeed else {
            throw CSVError(message: "unexpected text after a closing quote", record: record, offset: offset)
        }
        return field
    }

    /// Reads a field without quotes. The offset is then that of the comma or line feed after it, or the end of the
    /// bytes.
    private static func plainField(_ bytes: [UInt8], _ offset: inout Int, _ record: Int) throws(CSVError) -> [UInt8] {
        var field: [UInt8] = []
        while offset < bytes.count, bytes[offset] != comma, bytes[offset] != lineFeed {
            guard bytes[offset] != quote else {
                throw CSVError(
                    message: "unexpected quote in a field that is not quoted", record: record, offset: offset)
            }
            field.append(bytes[offset])
            offset += 1
        }
        if field.last == carriageReturn, offset < bytes.count, bytes[offset] == lineFeed {
            field.removeLast()
        }
        return field
    }

    /// The text up to the end of its last complete record: what was written before the writer was killed within a
    /// record.
    package static func wholeRecords(_ bytes: [UInt8]) -> [UInt8] {
        var end = 0
        var isQuoted = false
        for (offset, byte) in bytes.enumerated() {
            // A doubled quote changes the state twice, and so not at all.
            if byte == quote {
                isQuoted.toggle()
            }
            if byte == lineFeed, !isQuoted {
                end = offset + 1
            }
        }
        return Array(bytes[..<end])
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")
}
