/// The classes of bytes that the texts of queries are made of.
enum SOQLBytes {
    static let quote = UInt8(ascii: "'")
    static let open = UInt8(ascii: "(")
    static let close = UInt8(ascii: ")")
    static let comma = UInt8(ascii: ",")

    /// Whether the byte is a blank, a tab, a line feed, a carriage return or a form feed.
    static func isBlank(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: true
        default: false
        }
    }

    /// Whether a text that ends in the byte goes on: in a list, or with the second operand of a comparison.
    static func joins(_ byte: UInt8) -> Bool {
        switch byte {
        case comma, UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"): true
        default: false
        }
    }

    /// Whether a word ends before the byte.
    static func endsWord(_ byte: UInt8) -> Bool { isBlank(byte) || byte == quote || byte == open || byte == close }

    /// Compares without case in ASCII; other bytes must be the same.
    static func areEqual(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        a.count == b.count && a.elementsEqual(b) { lowercased($0) == lowercased($1) }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
