/// A token of a query, with its byte offset.
struct MiniToken {
    enum Kind: Equatable {
        case word(String)
        /// What is between the quotes, with its backslashes.
        case text(String)
        /// A number or a date, as written.
        case literal(String)
        case sign(String)
        case end
    }

    let kind: Kind
    let offset: Int

    /// Splits a query. Throws `MALFORMED_QUERY` for an open quote and for bytes that begin no token.
    static func tokens(of query: String) throws(MockError) -> [MiniToken] {
        let bytes = Array(query.utf8)
        var tokens: [MiniToken] = []
        var index = 0
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, 0x0C:
                index += 1
                continue
            case UInt8(ascii: "'"):
                let text = try text(bytes, &index)
                tokens.append(MiniToken(kind: .text(text), offset: start))
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: "="):
                index += 1
                tokens.append(MiniToken(kind: .sign(string(bytes[start..<index])), offset: start))
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"):
                index += 1
                if index < bytes.count, bytes[index] == UInt8(ascii: "=") || (byte == 0x3C && bytes[index] == 0x3E) {
                    index += 1
                }
                tokens.append(MiniToken(kind: .sign(string(bytes[start..<index])), offset: start))
            case _ where isWordByte(byte) && !isDigit(byte):
                index = bytes[start...].firstIndex { !isWordByte($0) } ?? bytes.count
                tokens.append(MiniToken(kind: .word(string(bytes[start..<index])), offset: start))
            case _ where isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"):
                index = bytes[(start + 1)...].firstIndex { !isLiteralByte($0) } ?? bytes.count
                tokens.append(MiniToken(kind: .literal(string(bytes[start..<index])), offset: start))
            default:
                throw MiniParser.unexpected("character", at: start)
            }
        }
        tokens.append(MiniToken(kind: .end, offset: bytes.count))
        return tokens
    }

    private static func text(_ bytes: [UInt8], _ index: inout Int) throws(MockError) -> String {
        let start = index
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "'") {
            guard bytes[index] >= 0x20 else {
                throw MiniParser.unexpected("control character in a text", at: index)
            }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else {
            throw MiniParser.unexpected("end of the query in a text", at: start)
        }
        index += 1
        return string(bytes[(start + 1)..<(index - 1)])
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isLiteralByte(_ byte: UInt8) -> Bool {
        isWordByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+")
    }
}
