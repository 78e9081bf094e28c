import ServiceTransport

/// The first line and the headers of a request or an answer.
struct HTTPHead {
    let firstLine: [UInt8]
    let headers: [Pair]

    /// Reads a head of at most `limit` bytes. Throws `tooLong` for a longer one.
    static func read(_ stream: ByteStream, limit: Int) throws(StreamFailure) -> HTTPHead {
        let first = try stream.line(limit: limit)
        return HTTPHead(firstLine: first, headers: try fields(stream, limit: limit - first.count))
    }

    /// Reads header fields up to the empty line. Folded lines, blanks before the colon and control characters are
    /// refused.
    static func fields(_ stream: ByteStream, limit: Int) throws(StreamFailure) -> [Pair] {
        var fields: [Pair] = []
        var left = limit
        while true {
            let line = try stream.line(limit: max(0, left))
            if line.isEmpty {
                return fields
            }
            left -= line.count + 2
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
                throw .malformed
            }
            let value = trimmed(line[(colon + 1)...])
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .malformed
            }
            fields.append(Pair(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
    }

    /// The values of all headers of a name, which is given in lower case.
    func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The words of a header that is a list, its ASCII letters in lower case: other signs are never taken for letters.
    func words(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }
            .map { String(decoding: Self.trimmed(Array($0.utf8)[...]).map(Self.lower), as: UTF8.self) }
            .filter { !$0.isEmpty }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var rest = bytes.drop(while: isBlank)
        while let last = rest.last, isBlank(last) {
            rest.removeLast()
        }
        return rest
    }

    /// Whether the bytes are a name of RFC 9110, 5.6.2: letters, digits and some signs, at least one.
    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        let signs: StaticString = "!#$%&'*+-.^_`|~"
        return !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: signs.withUTF8Buffer { $0.contains(byte) }
                }
            }
    }
}
