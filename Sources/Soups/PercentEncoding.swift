import StepCounting

/// Percent-encodes texts for URLs, so that `&`, `#`, `+`, `%`, spaces and non-ASCII letters never change the meaning of
/// one (RFC 3986, section 2.1).
public enum PercentEncoding {
    /// Encodes a text for any part of a URL. O(n) in its length.
    ///
    /// Keeps ASCII letters, digits, `-`, `.`, `_` and `~`. Every other byte of the UTF-8 becomes `%` and two upper-case
    /// digits, so a blank is `%20`, a plus `%2B` and a slash `%2F`.
    ///
    /// A segment of a path must not be `.` or `..`, which cannot be encoded and which services and proxies take for
    /// steps.
    public static func encoded(_ text: String) -> String { text.percentEncoded { $0.isUnreserved } }

    /// The part of an OData URL that a text is encoded for.
    public enum Part: Sendable {
        /// The value of a query option.
        case queryValue
        /// A path segment, in which a slash is encoded.
        case pathSegment
    }

    /// Encodes a text for a part of an OData URL, in which separators of OData stay readable. O(n) in its length.
    ///
    /// Keeps what `encoded(_:)` keeps and `!*'(),:@$;=`, and in the value of a query option a slash.
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
