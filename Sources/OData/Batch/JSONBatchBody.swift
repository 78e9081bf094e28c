import JSONText
import Soups

/// Bodies in a JSON batch: JSON as it is, text as a string, and everything else as base64url.
///
/// Source: OData JSON Format 4.01, 19.1.
enum JSONBatchBody {
    /// A reader takes 100 levels, of which the batch, its array and its part are three.
    private static let maximumDepth = 97

    /// The bytes of a body; nil without a body, which null says as well. A body without a Content-Type is JSON.
    static func bytes(of node: JSONNode?, _ type: ContentType) throws(Fault) -> [UInt8]? {
        guard let node, !node.isNull else { return nil }
        if type.mediaType.isEmpty || type.isJSON {
            return Array(node.rawText)
        }
        guard let text = node.string else {
            throw Fault(.syntax, "the body of a media type other than JSON must be a string", offset: node.offset)
        }
        if isText(type) {
            return Array(text.utf8)
        }
        guard let bytes = Base64.decode(text) else {
            throw Fault(.syntax, "the body is not base64url", offset: node.offset)
        }
        return bytes
    }

    /// Appends a body as a value of JSON. Throws `invalidJSON` for a body that is not the JSON that its header says,
    /// `limitExceeded` for one of more levels than a reader of the batch takes, and `invalidArguments` for a text that
    /// is not UTF-8.
    static func append(_ bytes: [UInt8], _ type: ContentType, to output: inout [UInt8]) throws(Fault) {
        if type.mediaType.isEmpty || type.isJSON {
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes, options: JSONOptions(maximumDepth: maximumDepth))
                value.append(to: &output)
            } catch {
                guard error.code != .limitExceeded else {
                    throw Fault(
                        .limitExceeded, "a body of the batch has more than \(maximumDepth) levels; send it on its own")
                }
                throw Fault(.invalidJSON, "a body of the batch is not JSON; give it another Content-Type")
            }
            return
        }
        if isText(type) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Fault(
                    .invalidArguments, "a text body of the batch is not UTF-8; give it another Content-Type")
            }
            JSONValue.string(text).append(to: &output)
            return
        }
        JSONValue.string(Base64.encodeUnpadded(bytes)).append(to: &output)
    }

    private static func isText(_ type: ContentType) -> Bool { type.mediaType.utf8.starts(with: "text/".utf8) }
}
