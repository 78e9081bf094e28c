import Libc
import Platform

/// A plain database file that lacks pages at its end, as a copy that was cut off does. SQLite does not open one.
enum CutFile {
    /// The number of bytes that the header of a file says it has; nil if it has them, or no header says so. Source:
    /// https://sqlite.org/fileformat2.html, section 1.3.
    static func wholeSize(of path: String) -> Int64? {
        guard let header = try? File.prefix(of: path, count: 100), header.count == 100 else { return nil }
        // 1 stands for 65,536.
        let pageSize = number(header[16..<18]) == 1 ? 65_536 : number(header[16..<18])
        // Older versions of SQLite left the number of pages as it was: then the two counters differ.
        guard number(header[24..<28]) == number(header[92..<96]) else { return nil }
        let size = number(header[28..<32]) * pageSize
        return size > File.size(path) ? size : nil
    }

    /// Gives a copy its size back. The pages that it lacks are then damaged ones, which take no room on the disk.
    static func extend(_ path: String, to size: Int64) throws(SystemError) {
        guard truncate(path, off_t(size)) == 0 else {
            throw SystemError("extend a file", errno)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
