import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads a file piece by piece, 64 KiB at a time: a packed file grows tenfold on the way.
struct FileBytes {
    private let descriptor: Int32

    init(_ path: String) throws(Fault) {
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw Fault(.inputOutput, "cannot open the file")
        }
    }

    /// The next piece, nil at the end.
    func next() throws(Fault) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else {
            throw Fault(.inputOutput, "cannot read the file")
        }
        guard count > 0 else { return nil }
        buffer.removeSubrange(count...)
        return buffer
    }

    func close() { _ = systemClose(descriptor) }

    static func all(of path: String) throws(Fault) -> [UInt8] {
        let file = try FileBytes(path)
        defer { file.close() }
        var bytes: [UInt8] = []
        while let piece = try file.next() {
            bytes += piece
        }
        return bytes
    }

    static func head(of path: String, count: Int) throws(Fault) -> [UInt8] {
        let file = try FileBytes(path)
        defer { file.close() }
        return Array((try file.next() ?? []).prefix(count))
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
