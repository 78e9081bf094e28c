public import Soups

extension ODataBatch {
    /// Reads a batch: multipart or JSON, requests or answers.
    ///
    /// Multipart lines may end in CRLF or LF, and the boundary decides where a body ends, whatever its Content-Length
    /// says. Bodies are not read: give each to `ODataPayload`. O(n) in the number of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole body.
    ///   - contentType: The Content-Type with its boundary; nil to take the first line that looks like a delimiter, or
    ///     JSON if the body begins with a brace.
    ///   - direction: Whether the batch has requests or answers; nil for what its first message is.
    ///   - limits: The limits for the batch.
    /// - Throws: `syntax` with the offset for a part that is not a message or change set, another batch, a GET in a
    ///   change set of a multipart batch, a malformed line, a header that must not be in a part, an id of a JSON batch
    ///   that is used twice or is unknown; `truncated` for a missing closing delimiter, `invalidJSON`, and
    ///   `limitExceeded`.
    public init(
        reading bytes: [UInt8], contentType: ContentType?, direction: Direction? = nil, limits: Limits = Limits()
    ) throws(Fault) {
        guard bytes.count <= limits.totalBytes else {
            throw Fault(
                .limitExceeded, "the batch is larger than \(limits.totalBytes) bytes", offset: limits.totalBytes)
        }
        let text = JSONRoot.withoutMark(bytes)
        let isJSON = contentType?.isJSON ?? (text.first { $0 > 0x20 } == UInt8(ascii: "{"))
        guard isJSON else {
            var reader = MultipartReader(text, direction: direction, limits: limits)
            self = try reader.read(contentType)
            return
        }
        self = try JSONBatchReader.read(bytes, direction: direction, limits: limits)
    }
}
