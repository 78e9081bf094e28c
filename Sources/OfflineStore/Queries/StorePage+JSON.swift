import JSONText
import Soups

extension StorePage {
    /// The page as the text of a JSON array: of entries, or of rows as arrays. Integers keep 64 bits, and a blob
    /// becomes base64.
    public var json: [UInt8] {
        switch contents {
        case .entries(let entries):
            return entries.jsonArray
        case .rows(let rows):
            return StoreCell.json(of: rows)
        }
    }
}

extension StoreCell {
    /// Rows as the text of a JSON array of arrays.
    package static func json(of rows: [[StoreCell]]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (index, row) in rows.enumerated() {
            if index > 0 {
                text.append(UInt8(ascii: ","))
            }
            text.append(UInt8(ascii: "["))
            for (column, cell) in row.enumerated() {
                if column > 0 {
                    text.append(UInt8(ascii: ","))
                }
                cell.append(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        }
        text.append(UInt8(ascii: "]"))
        return text
    }

    /// Writes the cell as JSON text.
    func append(to text: inout [UInt8]) {
        switch self {
        case .entry(let entry): text += entry
        case .value(.null): text += "null".utf8
        case .value(.integer(let value)): text += String(value).utf8
        // JSON has no infinity; a number beyond the range of doubles is read as infinity.
        case .value(.real(let value)): text += (value.isFinite ? "\(value)" : value < 0 ? "-9e999" : "9e999").utf8
        // An expression over bytes need not give valid UTF-8.
        case .value(.text(let bytes)): JSONValue.string(String(decoding: bytes, as: UTF8.self)).append(to: &text)
        case .value(.blob(let bytes)): JSONValue.string(Base64.text(of: bytes)).append(to: &text)
        }
    }
}

/// Writes bytes in base64, with the alphabet of RFC 4648, section 4.
private enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
