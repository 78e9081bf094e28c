import Soups

/// Keeps a body that can only be read as a whole: a multipart batch, a raw value or a count.
struct BodyCollector {
    private let format: BodyFormat
    private let options: PayloadOptions
    private var bytes: [UInt8] = []
    private var isFinished = false

    init(_ format: BodyFormat, _ options: PayloadOptions) {
        self.format = format
        self.options = options
    }

    mutating func append(_ more: UnsafeRawBufferPointer) throws(Fault) {
        guard bytes.count + more.count <= options.limits.totalBytes else {
            throw Fault(
                .limitExceeded, "the body is larger than \(options.limits.totalBytes) bytes",
                offset: options.limits.totalBytes)
        }
        bytes.append(contentsOf: more)
    }

    mutating func finish() { isFinished = true }

    func next() throws(Fault) -> PayloadStep {
        guard isFinished else {
            return .needsInput
        }
        guard format == .multipart else {
            return .end(RawBody.payload(bytes, options.contentType, isDecodedText: options.isDecodedText))
        }
        var limits = ODataBatch.Limits()
        limits.totalBytes = options.limits.totalBytes
        return .end(.batch(try ODataBatch(reading: bytes, contentType: options.contentType, limits: limits)))
    }
}
