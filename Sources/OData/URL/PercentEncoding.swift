import Soups
import StepCounting

/// Percent-encodes texts for URLs: all UTF-8 bytes except unreserved characters and, in the value of a query option,
/// `!*'(),:@/$;=`.
///
/// So `&`, `#`, `+`, `%`, spaces and non-ASCII letters never change the meaning of a URL. Source: RFC 3986, section
/// 2.1.
public enum PercentEncoding {
    /// The part of a URL that a text is encoded for.
    public enum Part: Sendable {
        /// The value of a query option.
        case queryValue
        /// A path segment, in which a slash is encoded.
        case pathSegment
    }

    /// Encodes a text for a part of a URL. O(n) in its length.
    public static func encode(_ text: String, for part: Part) -> String {
        StepCounter.add(text.utf8.count)
        return text.percentEncoded { isPlain($0, part) }
    }

    private static func isPlain(_ byte: UInt8, _ part: Part) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"):
            true
        // These are separators in nested options and are allowed in a plain value.
        case UInt8(ascii: ";"), UInt8(ascii: "="): true
        case UInt8(ascii: "/"): part == .queryValue
        default: byte.isUnreserved
        }
    }
}
