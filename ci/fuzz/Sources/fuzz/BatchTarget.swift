import JSONText
import OData
import ODataShapes
import Soups

/// Reads an input as a batch and writes what was read: it must come back. The first byte chooses the format and the
/// direction.
enum BatchTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let bytes = [UInt8](input.dropFirst())
        let isJSON = first & 1 != 0
        let type: ContentType? =
            first & 2 != 0 ? nil : ContentType(isJSON ? "application/json" : "multipart/mixed; boundary=b")
        let direction: ODataBatch.Direction? = first & 4 == 0 ? nil : first & 8 == 0 ? .request : .response
        let batch: ODataBatch
        do throws(Fault) {
            batch = try ODataBatch(reading: bytes, contentType: type, direction: direction)
        } catch {
            precondition((error.offset ?? 0) <= bytes.count, "a fault outside of the body")
            return
        }
        _ = batch.json.text()
        // A URL or header that a writer refuses may be read.
        if let written = try? batch.multipart(boundary: "batch_1", version: .v2) {
            check(written.body, ContentType(written.contentType), batch)
        }
        if isJSON, let written = try? batch.json() {
            check(written, ContentType("application/json"), batch)
        }
    }

    private static func check(_ bytes: [UInt8], _ type: ContentType, _ batch: ODataBatch) {
        do throws(Fault) {
            let read = try ODataBatch(reading: bytes, contentType: type)
            precondition(read.messages.count == batch.messages.count, "a message was lost")
            for (a, b) in zip(read.messages, batch.messages) {
                precondition(status(of: a) == status(of: b), "the status of a message changed")
                // A batch that was read as multipart may have no Content-ID; JSON gives it one.
                let name = trimmed(b.contentID)
                precondition(name == nil || a.contentID == name, "the Content-ID of a message changed")
            }
        } catch {
            // What may be in JSON and not in multipart: a read in a group, methods and ids of other forms.
            precondition(error.code == .syntax || error.code == .limitExceeded, "a written batch is not read: \(error)")
        }
    }

    /// Not inlined: the optimizer of Swift 6.3.1 stops with "found ownership error" where it is.
    @inline(never)
    private static func status(of message: ODataBatch.Message) -> Int? { message.status }

    private static func trimmed(_ text: String?) -> String? {
        guard let text else { return nil }
        let bytes = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { String(bytes[...$0]) ?? text } ?? ""
    }
}
