import CZlib
import Soups

/// Decompresses gzip data piece by piece. Several gzip members in a row are one body (RFC 1952).
///
/// The output is limited in total and in proportion to the input, so that a small body cannot expand to a huge one. The
/// type owns the state of zlib and frees it.
struct Inflater: ~Copyable {
    /// Allocated separately, because the state of zlib has a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let limits: PayloadOptions.Limits
    private var packed = 0
    private var unpacked = 0
    private var isReady = false
    private var isBetweenMembers = true
    private var output = [UInt8](repeating: 0, count: 64 << 10)

    init(limits: PayloadOptions.Limits) {
        self.limits = limits
        stream.initialize(to: z_stream())
    }

    deinit {
        if isReady {
            inflateEnd(stream)
        }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Throws the fault of a complete gzip body: `truncated`, `invalidCompression` or `limitExceeded`. The output is
    /// dropped.
    static func check(_ bytes: [UInt8], limits: PayloadOptions.Limits) throws(Fault) {
        var inflater = Inflater(limits: limits)
        var failure: Fault?
        bytes.withUnsafeBytes { buffer in
            do throws(Fault) { try inflater.append(buffer) { _ throws(Fault) in } } catch { failure = error }
        }
        if let failure {
            throw failure
        }
        try inflater.finish()
    }

    static func isGzip(_ head: some Collection<UInt8>) -> Bool { head.prefix(2).elementsEqual([0x1F, 0x8B]) }

    /// Decompresses a piece and passes the output to the closure, at most 64 KiB at a time.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(Fault) -> Void
    ) throws(Fault) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        if !isReady {
            // A window of 15 bits; 16 is added to accept only the gzip format.
            guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw Fault(.limitExceeded, "out of memory while decompressing the body")
            }
            isReady = true
        }
        // zlib only reads from next_in.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(bytes.count)
        while stream.pointee.avail_in > 0 {
            let before = stream.pointee.avail_in
            let (status, count) = output.withUnsafeMutableBufferPointer { buffer -> (Int32, Int) in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                let status = inflate(stream, Z_NO_FLUSH)
                return (status, buffer.count - Int(stream.pointee.avail_out))
            }
            packed += Int(before - stream.pointee.avail_in)
            unpacked += count
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw Fault(.invalidCompression, "the body is not valid gzip data; request it again", offset: packed)
            }
            guard unpacked <= limits.totalBytes, unpacked <= 1 << 20 || unpacked / limits.expansion <= packed else {
                throw Fault(
                    .limitExceeded, "the decompressed body is too long; raise PayloadOptions.limits", offset: packed)
            }
            if count > 0 {
                try output[..<count].withUnsafeBufferPointer { (buffer) throws(Fault) in
                    try take(UnsafeRawBufferPointer(buffer))
                }
            }
            isBetweenMembers = status == Z_STREAM_END
            if status == Z_STREAM_END {
                inflateReset(stream)
            } else if count == 0, before == stream.pointee.avail_in {
                break
            }
        }
        stream.pointee.next_in = nil
    }

    /// Throws `truncated` if the last gzip member is incomplete. All output was already passed on by `append`.
    func finish() throws(Fault) {
        guard isBetweenMembers else {
            throw Fault(.truncated, "unexpected end of the compressed body", offset: packed)
        }
    }
}
