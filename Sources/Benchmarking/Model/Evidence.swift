import Libc
import Platform
package import Soups

/// The files that an arm leaves, and texts that its documents contain: together they show whether the files are
/// encrypted.
///
/// The files of a plain store contain the marker, those of an encrypted one do not. Otherwise an arm that was never
/// encrypted would win every comparison.
package struct Evidence: Sendable {
    /// All files below it are searched: database, -wal, journal and any other.
    package let folder: String
    /// Texts from the documents; one that is found is enough.
    package var markers: [[UInt8]]

    package init(folder: String, markers: [[UInt8]]) {
        self.folder = folder
        self.markers = markers
    }

    /// How every database that is not encrypted begins. Source: SQLite's file format, 1.3.
    static let header = Array("SQLite format 3".utf8) + [0]

    /// Searches the files; only when no connection of this process has one of them open.
    ///
    /// - Throws: `inputOutput` if there is no file, or one cannot be read.
    package func isMarkerFound() throws(Fault) -> Bool {
        let files = Folders.files(below: folder).filter { $0.bytes > 0 }
        guard !files.isEmpty else {
            throw Fault(.inputOutput, "\(folder) is empty; expected files to search for the marker")
        }
        for file in files where try Self.holds(file.path, markers) {
            return true
        }
        return false
    }

    /// Searches a file in pieces that overlap by more than a marker. Memory: one piece.
    private static func holds(_ path: String, _ markers: [[UInt8]]) throws(Fault) -> Bool {
        let file: OpenFile
        do { file = try OpenFile(path) } catch { throw Fault(.inputOutput, "\(path) cannot be opened") }
        let overlap = (markers.map(\.count).max() ?? 1) - 1
        var piece = [UInt8](repeating: 0, count: max(1 << 20, 4 * overlap))
        var kept = 0
        while true {
            let count: Int
            do {
                count = try piece.withUnsafeMutableBytes { (bytes) throws(SystemError) in
                    try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
                }
            } catch {
                throw Fault(.inputOutput, "\(path) cannot be read")
            }
            let filled = kept + count
            let found = piece.withUnsafeBytes { bytes in
                markers.contains { Self.find($0, in: UnsafeRawBufferPointer(rebasing: bytes[..<filled])) }
            }
            if found {
                return true
            }
            if count == 0 {
                return false
            }
            kept = min(overlap, filled)
            for offset in 0..<kept {
                piece[offset] = piece[filled - kept + offset]
            }
        }
    }

    private static func find(_ marker: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = marker.first, let start = bytes.baseAddress else { return false }
        var offset = 0
        while bytes.count - offset >= marker.count {
            guard let hit = memchr(start + offset, Int32(first), bytes.count - offset - marker.count + 1) else {
                return false
            }
            if memcmp(hit, marker, marker.count) == 0 {
                return true
            }
            offset = start.distance(to: UnsafeRawPointer(hit)) + 1
        }
        return false
    }
}
