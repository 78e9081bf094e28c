import Libc

extension OpenFile {
    /// Fills the beginning of a buffer with what comes next, and returns the number of bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Libc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                return count
            }
            guard errno == EINTR else {
                throw .last("read a file")
            }
        }
    }

    /// Returns what comes next, at most `count` bytes; nothing at the end.
    package func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        try Self.bytes(count) { (buffer, filled) throws(SystemError) in filled = try read(into: buffer) }
    }

    /// Returns the next `count` bytes; fewer if the file ends before.
    package func read(exactly count: Int) throws(SystemError) -> [UInt8] {
        try Self.bytes(count) { (buffer, filled) throws(SystemError) in
            while filled < count {
                let length = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                if length == 0 {
                    break
                }
                filled += length
            }
        }
    }

    /// Returns everything to the end, at most `limit` bytes.
    ///
    /// A file that has a size is read to this size; what has none, such as a pipe or a file of the kernel, to its end.
    package func readAll(limit: Int = .max) throws(SystemError) -> [UInt8] {
        if let size = status?.size, size > 0 {
            return try read(exactly: min(limit, Int(clamping: size)))
        }
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let piece = try read(atMost: min(1 << 16, limit - bytes.count))
            if piece.isEmpty {
                break
            }
            bytes += piece
        }
        return bytes
    }

    private static func bytes(
        _ count: Int, _ fill: (_ buffer: UnsafeMutableRawBufferPointer, _ filled: inout Int) throws(SystemError) -> Void
    ) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                try fill(UnsafeMutableRawBufferPointer(buffer), &filled)
            } catch { failure = error }
        }
        if let failure {
            throw failure
        }
        return bytes
    }
}
