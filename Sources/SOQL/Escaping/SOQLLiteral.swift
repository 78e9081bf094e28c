public import Soups

/// Writes values as literals of a query. Every value and id that is put into a query must go through it.
///
/// ```swift
/// let condition = "Name = " + (try SOQLLiteral.text("O'Neil"))  // Name = 'O\'Neil'
/// ```
public enum SOQLLiteral {
    /// Writes a text in quotes, with the escapes that SOQL has.
    ///
    /// Throws `invalidSOQL` with the byte offset of a control character that cannot be written; `limitExceeded` if the
    /// literal would be longer than 1 MiB.
    public static func text(_ text: String) throws(Fault) -> String {
        var literal = [SOQLBytes.quote]
        for (offset, byte) in text.utf8.enumerated() {
            if let letter = escape(of: byte) {
                literal.append(UInt8(ascii: "\\"))
                literal.append(letter)
            } else if byte < 0x20 {
                throw Fault(.invalidSOQL, "a control character cannot be written in a literal", offset: offset)
            } else {
                literal.append(byte)
            }
        }
        literal.append(SOQLBytes.quote)
        try SOQLText.check(length: literal.count)
        return String(decoding: literal, as: UTF8.self)
    }

    /// What is written after the backslash; nil for a character that is written as it is.
    private static func escape(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\\"), SOQLBytes.quote: byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: nil
        }
    }
}
