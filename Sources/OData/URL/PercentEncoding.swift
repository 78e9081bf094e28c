/// Writes texts into URLs: everything but unreserved characters and ``!*'(),:@/$;=`` of a query's value as `%XX` of its
/// UTF-8 bytes.
///
/// Source: RFC 3986, section 2.1. So `&`, `#`, `+`, `%`, blanks and letters beyond ASCII never change what a URL means.
public enum PercentEncoding {
    /// Says where a text is to stand.
    public enum Part: Sendable {
        /// The value of a query option.
        case queryValue
        /// A segment of a path, in which a slash is data.
        case pathSegment
    }

    /// Encodes a text for its place. O(length).
    public static func encode(_ text: String, for part: Part) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if isPlain(byte, part) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8, _ part: Part) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "*"),
            UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
            true
        // In nested options these are separators, and a value of its own has no need to hide them.
        case UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "/"): part == .queryValue
        default: false
        }
    }
}

extension QueryOptions {
    /// The options as the query of a URL, without `?`: in the order of their evaluation, percent-encoded.
    public var query: String {
        parts.map { $0.name + ($0.value.map { "=" + PercentEncoding.encode($0, for: .queryValue) } ?? "") }.joined(
            separator: "&")
    }
}
