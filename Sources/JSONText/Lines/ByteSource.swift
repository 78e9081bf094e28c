package import Platform

/// A source of bytes that is read chunk by chunk: a file descriptor, bytes in memory or a closure.
///
/// ```swift
/// let lines = #"{"name": "Grace"}"# + "\n" + #"{"name": "Edsger"}"#
/// let done = try store.load(jsonLines: ByteSource(Array(lines.utf8)), into: "contacts")
/// ```
public struct ByteSource {
    /// Fills a part of the buffer and returns the number of bytes; 0 at the end, the negative `errno` for a failure.
    let fill: (UnsafeMutableRawBufferPointer) -> Int

    /// Creates a source from a closure that fills a part of the buffer and returns the number of bytes, 0 at the end,
    /// or the negative `errno` for a failure.
    public init(_ fill: @escaping (UnsafeMutableRawBufferPointer) -> Int) { self.fill = fill }

    /// Creates a source that reads an open file descriptor from its current position. The caller must close it.
    public init(fileDescriptor: Int32) { self.init(OpenFile(borrowing: fileDescriptor)) }

    /// Creates a source that reads an open file from its current position, and keeps it open.
    package init(_ file: OpenFile) {
        fill = { buffer in
            do throws(SystemError) { return try file.read(into: buffer) } catch { return -Int(error.number) }
        }
    }

    /// Creates a source of bytes in memory.
    public init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        fill = { buffer in
            let chunk = rest.prefix(buffer.count)
            buffer.copyBytes(from: chunk)
            rest = rest.dropFirst(chunk.count)
            return chunk.count
        }
    }

    /// Reads until the buffer is full or the source ends, and returns the number of bytes.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = fill(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            guard count >= 0 else {
                throw SystemError("read a source", Int32(clamping: -count))
            }
            guard count <= buffer.count - filled else {
                // The number of an error of input and output.
                throw SystemError("read a source that gives more bytes than it is asked for", 5)
            }
            if count == 0 {
                break
            }
            filled += count
        }
        return filled
    }
}
