import CZlib
import Platform
import Soups

/// The bytes of a user's file, unpacked if it is a gzip file, and without a byte order mark.
final class DocumentBytes {
    private let path: String
    private let file: OpenFile
    private var unpacking: Gunzip?
    /// What was read and not given yet.
    private var pending: [UInt8] = []
    private var isAtEnd = false

    static let piece = 256 << 10

    /// - Throws: `inputOutput` if the file cannot be read; `invalidArguments` for a folder.
    init(path: String) throws(Fault) {
        self.path = path
        do { file = try OpenFile(path) } catch {
            throw Fault(.inputOutput, "\(path) cannot be read: \(error.reason)")
        }
        guard file.status?.kind != .folder else {
            throw Fault(.invalidArguments, "\(path) is a folder; name a file in it")
        }
        let head = try packed()
        if head.starts(with: [0x1F, 0x8B]) {
            let unpacking = try Gunzip(path)
            self.unpacking = unpacking
            pending = try unpacking.unpack(head)
            while pending.count < 3, try fill() {}
        } else {
            pending = head
        }
        if pending.starts(with: [0xEF, 0xBB, 0xBF]) {
            pending.removeFirst(3)
        }
    }

    /// The beginning of the file, which is given again by `next`.
    var head: [UInt8] { pending }

    /// The next bytes; empty at the end.
    func next() throws(Fault) -> [UInt8] {
        while pending.isEmpty, try fill() {}
        defer { pending = [] }
        return pending
    }

    /// All bytes that are left.
    ///
    /// - Throws: `limitExceeded` if there are more than `limit`.
    func all(limit: Int, _ what: String) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try next()
            if piece.isEmpty {
                return bytes
            }
            bytes += piece
            guard bytes.count <= limit else {
                throw Fault(
                    .limitExceeded,
                    "\(path) is \(what) of more than \(limit >> 20) MB, which is read as a whole; write one document a line"
                )
            }
        }
    }

    /// Reads and unpacks a piece; false at the end.
    private func fill() throws(Fault) -> Bool {
        guard !isAtEnd else { return false }
        let bytes = try packed()
        if bytes.isEmpty {
            isAtEnd = true
            try unpacking?.finish()
            return false
        }
        pending += try unpacking?.unpack(bytes) ?? bytes
        return true
    }

    private func packed() throws(Fault) -> [UInt8] {
        do { return try file.read(atMost: Self.piece) } catch {
            throw Fault(.inputOutput, "\(path) cannot be read: \(error.reason)")
        }
    }
}

/// Unpacks a gzip file piece by piece; several members in a row are one file (RFC 1952).
private final class Gunzip {
    private let path: String
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isWhole = false
    private var output = [UInt8](repeating: 0, count: 256 << 10)

    init(_ path: String) throws(Fault) {
        self.path = path
        stream.initialize(to: z_stream())
        // A window of 15 bits; 16 is added to accept only the gzip format.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Fault(.limitExceeded, "\(path) cannot be unpacked: out of memory")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func unpack(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        var unpacked: [UInt8] = []
        var status = Z_OK
        bytes.withUnsafeBufferPointer { input in
            // zlib only reads from next_in.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            var isFull = false
            while status >= Z_OK, stream.pointee.avail_in > 0 || isFull {
                output.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    isFull = stream.pointee.avail_out == 0
                    unpacked += buffer[..<(buffer.count - Int(stream.pointee.avail_out))]
                }
                isWhole = status == Z_STREAM_END
                if isWhole {
                    inflateReset(stream)
                    isFull = false
                }
            }
            stream.pointee.next_in = nil
        }
        // Nothing left to do is not a fault.
        guard status >= Z_OK || status == Z_BUF_ERROR else {
            throw Fault(.invalidArguments, "\(path) begins like a gzip file, but is not one or is damaged")
        }
        return unpacked
    }

    func finish() throws(Fault) {
        guard isWhole else {
            throw Fault(.invalidArguments, "\(path) is a gzip file that ends too early")
        }
    }
}
