import CZlib
import Soups

/// Unpacks gzip piece by piece: members that follow each other are one body, as RFC 1952 has it.
///
/// Output is bounded by a total and by its ratio to the input, so that a small body cannot become a large one. It owns
/// zlib's state and frees it.
struct Inflater: ~Copyable {
    /// At an address of its own: zlib's state points back to it.
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

    static func isGzip(_ head: some Collection<UInt8>) -> Bool { head.prefix(2).elementsEqual([0x1F, 0x8B]) }

    /// Unpacks a piece and hands over what comes out, 64 KiB at most at a time.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws(Fault) -> Void
    ) throws(Fault) {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        if !isReady {
            // 15 bits of window, and the gzip format only.
            guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                throw Fault(.limitExceeded, "out of memory while decompressing the body")
            }
            isReady = true
        }
        // zlib reads from next_in and never writes there.
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
                throw Fault(.invalidXML, "the body is not valid gzip data", offset: packed)
            }
            guard unpacked <= limits.totalBytes, unpacked <= 1 << 20 || unpacked / limits.expansion <= packed else {
                throw Fault(
                    .limitExceeded, "the decompressed body is too long; raise PayloadOptions.limits", offset: packed)
            }
            if count > 0 {
                var failure: Fault?
                output.withUnsafeBytes { buffer in
                    do throws(Fault) { try take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch {
                        failure = error
                    }
                }
                if let failure {
                    throw failure
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

    /// What is left in zlib's window comes out with the input, so the end only checks that a member is not cut.
    func finish() throws(Fault) {
        guard isBetweenMembers else {
            throw Fault(.truncated, "unexpected end of the compressed body", offset: packed)
        }
    }
}
