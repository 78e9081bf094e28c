import Foundation

/// Reads a file piece by piece into memory that is used again.
struct Pieces: ~Copyable {
    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ path: String, count: Int) throws {
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        buffer = .allocate(byteCount: count, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        _ = close(descriptor)
    }

    /// The next piece, valid until the one after it; nil at the end.
    func next() -> UnsafeRawBufferPointer? {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
    }
}
