import JSONText
import Soups

/// The kinds of bodies that this library recognises but does not read. They are refused by their name, so that none is
/// read as something else.
enum UnsupportedBody {
    case multipart, plainText, jsonBatch, jsonMetadata

    var fault: Fault { Fault(.unsupported, message, offset: 0) }

    private var message: String {
        switch self {
        case .multipart: "a multipart body (a batch) is not supported; split it and read the body of each part"
        case .plainText: "a plain text body (a raw value or a count) is not supported; use the text as it is"
        case .jsonBatch: "a JSON batch is not supported; read the body of each request or response in it"
        case .jsonMetadata: "metadata as JSON (CSDL 4.01) is not supported; request it as application/xml"
        }
    }

    /// Whether a document is metadata as JSON, which has a version.
    static func isJSONMetadata(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            return false
        }
        return (try? JSONValue(parsing: Array(text)))?.object?["$Version"] != nil
    }

    /// The kind that a Content-Type names; nil for others.
    init?(_ type: ContentType) {
        if type.mediaType.utf8.starts(with: "multipart/".utf8) || type.mediaType == "application/http" {
            self = .multipart
        } else if type.mediaType == "text/plain" {
            self = .plainText
        } else {
            return nil
        }
    }

    /// The kind that the first bytes of a body without a Content-Type show: the delimiter of a multipart body, or a
    /// digit; nil for others.
    init?(head: ArraySlice<UInt8>) {
        if head.starts(with: "--".utf8) {
            self = .multipart
        } else if let first = head.first, first &- 0x30 < 10 {
            self = .plainText
        } else {
            return nil
        }
    }
}
