#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Gives bytes chunk by chunk: from a file descriptor, or from whatever a closure reads.
public struct ByteSource {
    /// Fills a part of the buffer and says how many bytes; 0 at the end, a negative number of `errno` for a failure.
    let fill: (UnsafeMutableRawBufferPointer) -> Int

    /// Takes a closure that fills a part of the buffer and gives the count of bytes, 0 at the end, or the negative
    /// `errno` of a failure.
    public init(_ fill: @escaping (UnsafeMutableRawBufferPointer) -> Int) { self.fill = fill }

    /// Reads an open file descriptor from where it stands; closing it stays with the caller.
    public init(fileDescriptor: Int32) {
        fill = { buffer in
            while true {
                let count = read(fileDescriptor, buffer.baseAddress, buffer.count)
                if count >= 0 {
                    return count
                }
                if errno != EINTR {
                    return -Int(errno)
                }
            }
        }
    }

    /// Hands over bytes in memory.
    public init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        fill = { buffer in
            let chunk = rest.prefix(buffer.count)
            buffer.copyBytes(from: chunk)
            rest = rest.dropFirst(chunk.count)
            return chunk.count
        }
    }
}
