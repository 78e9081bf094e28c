/// Writes a file from its beginning, a megabyte at a time whatever the pieces are that come. One thread at a time.
package final class FileWriter {
    private let file: OpenFile
    private var pending: [UInt8] = []
    private static let pieceSize = 1 << 20

    /// Makes the file, or empties the one that is there.
    package init(_ path: String) throws(SystemError) { file = try OpenFile(path, .replacing) }

    package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        pending.append(contentsOf: bytes)
        if pending.count >= Self.pieceSize {
            try finish()
        }
    }

    /// Writes what is left: to be called in the end.
    package func finish() throws(SystemError) {
        try file.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
