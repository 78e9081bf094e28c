import Soups

/// How a body is read.
enum BodyFormat {
    case xml, json, multipart
    /// Text that is neither XML nor JSON, and bytes.
    case raw
    /// A single message of a batch, which is not a payload.
    case message

    /// The format of a media type; nil if there is no media type.
    init?(_ type: ContentType) {
        if type.isXML {
            self = .xml
        } else if type.isJSON {
            self = .json
        } else if type.mediaType.utf8.starts(with: "multipart/".utf8) {
            self = .multipart
        } else if type.mediaType == "application/http" {
            self = .message
        } else if type.mediaType.isEmpty {
            return nil
        } else {
            self = .raw
        }
    }

    /// The format that the first bytes of a body show: markup, the delimiter of a multipart body, a digit, else JSON.
    /// Nil if more bytes are needed. Throws `truncated` for a body of blanks alone.
    ///
    /// - Parameter isTyped: Whether there is a Content-Type, though without a media type. Only XML and JSON do without.
    init?(head: [UInt8], isWhole: Bool, isTyped: Bool) throws(Fault) {
        let start = (head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]).drop { $0 <= 0x20 }
        guard let first = start.first else {
            guard isWhole else { return nil }
            throw Fault(.truncated, "the body is empty", offset: head.count)
        }
        guard isTyped || start.count > 1 || isWhole else { return nil }
        if first >= 0xFE {
            // A mark of UTF-16 or UTF-32: the first character is ASCII.
            let shown = start.first { $0 > 0x20 && $0 < 0xFE }
            guard shown != nil || isWhole else { return nil }
            self = shown == UInt8(ascii: "{") || shown == UInt8(ascii: "[") ? .json : .xml
        } else if first == UInt8(ascii: "<") {
            self = .xml
        } else if !isTyped, start.starts(with: "--".utf8) {
            self = .multipart
        } else if !isTyped, first &- 0x30 < 10 {
            self = .raw
        } else {
            self = .json
        }
    }
}
