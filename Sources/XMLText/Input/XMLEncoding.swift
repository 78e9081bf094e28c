/// The supported encodings. All but UTF-8 are converted to UTF-8 before they enter the window.
public enum XMLEncoding: Sendable, Hashable {
    case utf8
    /// ASCII: bytes from 0x80 on are errors.
    case ascii
    case utf16BigEndian
    case utf16LittleEndian
    case latin1
    case windows1252

    var isUTF16: Bool { self == .utf16BigEndian || self == .utf16LittleEndian }

    /// The encoding with a registered name, case-insensitive; nil for unsupported encodings.
    ///
    /// `UTF-16` without a byte order is big-endian by RFC 2781, but the tokenizer uses the byte order that it detects.
    public init?(named name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .ascii
        case "utf-16", "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
        case "windows-1252", "cp1252": self = .windows1252
        default: return nil
        }
    }

    /// The encoding shown by a byte order mark or by zero bytes around the first `<`; nil if the bytes are
    /// ASCII-compatible. `mark` is the number of bytes to skip.
    static func detect(_ head: [UInt8]) -> (encoding: XMLEncoding, mark: Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) {
            return (.utf8, 3)
        }
        if head.starts(with: [0xFE, 0xFF]) {
            return (.utf16BigEndian, 2)
        }
        if head.starts(with: [0xFF, 0xFE]) {
            return (.utf16LittleEndian, 2)
        }
        if head.count >= 2, head[0] == 0, head[1] == UInt8(ascii: "<") {
            return (.utf16BigEndian, 0)
        }
        if head.count >= 2, head[0] == UInt8(ascii: "<"), head[1] == 0 {
            return (.utf16LittleEndian, 0)
        }
        return nil
    }
}
