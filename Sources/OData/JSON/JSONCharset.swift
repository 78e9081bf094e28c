import Soups
import StepCounting

/// The encoding of a JSON body. JSON is UTF-8, but services of version 4.01 may send UTF-16 and UTF-32, and others send
/// ISO-8859-1.
///
/// Source: OData JSON Format 4.01, 3; RFC 8259, 8.1; RFC 4627, 3.
enum JSONCharset {
    case utf8, latin1
    case utf16(isBigEndian: Bool)
    case utf32(isBigEndian: Bool)

    /// The marks of the encodings. That of UTF-32 begins like that of UTF-16, and so comes first.
    private static let marks: [(bytes: [UInt8], charset: JSONCharset)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0, 0, 0xFE, 0xFF], .utf32(isBigEndian: true)),
        ([0xFF, 0xFE, 0, 0], .utf32(isBigEndian: false)), ([0xFE, 0xFF], .utf16(isBigEndian: true)),
        ([0xFF, 0xFE], .utf16(isBigEndian: false)),
    ]

    /// The number of bytes that show the encoding.
    static let headLength = 4

    /// The encoding of a body and the length of its mark: by the mark, by the parameter `charset` of the Content-Type,
    /// or by the zeros around the first character, which is ASCII.
    ///
    /// - Throws: `unsupported` for a charset that is not known.
    static func find(in bytes: [UInt8], named name: String?) throws(Fault) -> (charset: JSONCharset, mark: Int) {
        if let found = marks.first(where: { bytes.starts(with: $0.bytes) }) {
            return (found.charset, found.bytes.count)
        }
        let zeros = bytes.prefix(4).map { $0 == 0 }
        let shown: JSONCharset? =
            switch zeros {
            case [true, true, true, false]: .utf32(isBigEndian: true)
            case [false, true, true, true]: .utf32(isBigEndian: false)
            case _ where zeros.starts(with: [true, false]): .utf16(isBigEndian: true)
            case _ where zeros.starts(with: [false, true]): .utf16(isBigEndian: false)
            default: nil
            }
        switch name?.lowercased() {
        case nil: return (shown ?? .utf8, 0)
        case "utf-8", "utf8", "us-ascii", "ascii": return (.utf8, 0)
        case "iso-8859-1", "latin1": return (.latin1, 0)
        case "utf-16": return (shown ?? .utf16(isBigEndian: true), 0)
        case "utf-16be": return (.utf16(isBigEndian: true), 0)
        case "utf-16le": return (.utf16(isBigEndian: false), 0)
        case "utf-32": return (shown ?? .utf32(isBigEndian: true), 0)
        case "utf-32be": return (.utf32(isBigEndian: true), 0)
        case "utf-32le": return (.utf32(isBigEndian: false), 0)
        case let other?:
            throw Fault(
                .unsupported, "JSON in the charset \(other.prefix(40)) cannot be read; ask for UTF-8", offset: 0)
        }
    }

    /// The name of a charset in a Content-Type; nil for a text that cannot be one, which is passed over as other
    /// malformed parameters are.
    static func name(_ text: String) -> String? {
        let isName =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "-_.:+".utf8.contains(byte)
                }
            }
        return isName ? text : nil
    }

    /// Whether the first two bytes or the name say that a body is not UTF-8.
    static func isOther(_ head: [UInt8], named name: String?) -> Bool {
        if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) || head.prefix(2).contains(0) {
            return true
        }
        return !["utf-8", "utf8", "us-ascii", "ascii"].contains(name?.lowercased() ?? "utf-8")
    }

    /// The number of bytes of a code unit.
    private var width: Int {
        switch self {
        case .utf8, .latin1: 1
        case .utf16: 2
        case .utf32: 4
        }
    }

    /// The text as UTF-8. O(n) in the number of bytes.
    ///
    /// - Parameter mark: The number of bytes before the text.
    /// - Throws: `invalidJSON` with the offset of bytes that are not of the encoding, `truncated` inside a character.
    func decoded(_ bytes: [UInt8], after mark: Int) throws(Fault) -> [UInt8] {
        if case .utf8 = self {
            return Array(bytes.dropFirst(mark))
        }
        StepCounter.add(bytes.count)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = mark
        while position < bytes.count {
            guard let (scalar, length) = scalar(in: bytes, at: position) else {
                let isCut = isCut(bytes, at: position)
                throw Fault(
                    isCut ? .truncated : .invalidJSON,
                    isCut ? "the body ends inside a character" : "bytes that are not of the charset", offset: position)
            }
            result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            position += length
        }
        return result
    }

    /// The offset in the body of an offset in its text as UTF-8.
    func offset(of index: Int, in text: [UInt8], after mark: Int) -> Int {
        if case .utf8 = self {
            return mark + index
        }
        var offset = mark
        for byte in text.prefix(index) where byte & 0xC0 != 0x80 {
            let isPair = if case .utf16 = self { byte >= 0xF0 } else { false }
            offset += isPair ? 2 * width : width
        }
        return offset
    }

    private func scalar(in bytes: [UInt8], at position: Int) -> (Unicode.Scalar, length: Int)? {
        guard let first = unit(in: bytes, at: position) else { return nil }
        guard width == 2, first & 0xFC00 == 0xD800 else {
            return Unicode.Scalar(first).map { ($0, width) }
        }
        guard let second = unit(in: bytes, at: position + 2), second & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)).map { ($0, 4) }
    }

    /// Whether the bytes end inside the character at a position.
    private func isCut(_ bytes: [UInt8], at position: Int) -> Bool {
        guard let first = unit(in: bytes, at: position) else { return true }
        let needsSecond = width == 2 && first & 0xFC00 == 0xD800
        return needsSecond && position + 2 * width > bytes.count
    }

    private func unit(in bytes: [UInt8], at position: Int) -> UInt32? {
        guard position + width <= bytes.count else { return nil }
        let unit = bytes[position..<position + width]
        let isLittle =
            switch self {
            case .utf16(let isBig), .utf32(let isBig): !isBig
            default: false
            }
        return isLittle
            ? unit.reversed().reduce(0) { $0 << 8 | UInt32($1) } : unit.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// A JSON body that is not UTF-8. It is kept until its end, and then read as UTF-8; faults have offsets in the body.
struct DecodedBody {
    private let name: String?
    private let limit: Int
    private var bytes: [UInt8] = []
    private var text: [UInt8] = []
    private var charset = JSONCharset.utf8
    private var mark = 0
    private var isKnown = false

    init(named name: String?, limit: Int) {
        self.name = name
        self.limit = limit
    }

    /// - Throws: `unsupported` for an unknown charset as soon as the bytes say that they have no mark of another one;
    ///   `limitExceeded`.
    mutating func append(_ more: UnsafeRawBufferPointer) throws(Fault) {
        guard bytes.count + more.count <= limit else {
            throw Fault(.limitExceeded, "the body is larger than \(limit) bytes", offset: limit)
        }
        bytes.append(contentsOf: more)
        if !isKnown, bytes.count >= JSONCharset.headLength {
            _ = try JSONCharset.find(in: bytes, named: name)
            isKnown = true
        }
    }

    /// Decodes what was appended.
    mutating func finish() throws(Fault) -> [UInt8] {
        (charset, mark) = try JSONCharset.find(in: bytes, named: name)
        text = try charset.decoded(bytes, after: mark)
        bytes = []
        return text
    }

    /// A fault in the text as one in the body.
    func located(_ fault: Fault) -> Fault {
        guard let offset = fault.offset else { return fault }
        return Fault(
            fault.code, fault.message, offset: charset.offset(of: offset, in: text, after: mark),
            context: fault.context)
    }
}
