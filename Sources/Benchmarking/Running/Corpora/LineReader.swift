#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Soups

/// Reads a file line by line in pieces, so that a file of any length needs the memory of its longest line.
struct LineReader: ~Copyable {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// The number of the line that `next` gave last, from 1.
    private(set) var number = 0

    /// Lines beyond it are refused: nobody's document is 256 MB.
    static let longestLine = 256 << 20
    private static let piece = 1 << 20

    /// - Throws: `inputOutput` where the file cannot be opened.
    init(path: String) throws(Fault) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Fault(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// Gives the next line that holds anything but blanks, without its line break; nil at the end. The last line needs no break.
    ///
    /// - Throws: `inputOutput`, `limitExceeded`.
    mutating func next() throws(Fault) -> [UInt8]? {
        while let line = try rawLine() {
            number += 1
            if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) { return line.last == 0x0D ? Array(line.dropLast()) : line }
        }
        return nil
    }

    private mutating func rawLine() throws(Fault) -> [UInt8]? {
        var searched = start
        while true {
            if let end = Self.lineFeed(in: buffer, from: searched) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Array(buffer[start...])
            }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            guard searched < Self.longestLine else { throw Fault(.limitExceeded, "line \(number + 1) is longer than \(Self.longestLine) bytes") }
            try fill()
        }
    }

    private mutating func fill() throws(Fault) {
        let kept = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.piece))
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: kept), Self.piece) }
            if count < 0 && errno == EINTR { continue }
            buffer.removeLast(Self.piece - max(0, count))
            guard count >= 0 else { throw Fault(.inputOutput, "\(path) cannot be read: \(String(cString: strerror(errno)))") }
            isAtEnd = count == 0
            return
        }
    }

    private static func lineFeed(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count, let hit = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
            return base.distance(to: UnsafeRawPointer(hit))
        }
    }
}
