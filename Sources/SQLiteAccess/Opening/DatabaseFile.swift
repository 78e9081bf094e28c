import Platform
import Soups

/// Checks a file by its length and its first bytes, before this process opens it. Source:
/// https://sqlite.org/fileformat2.html, section 1.3.
struct DatabaseFile {
    let path: String
    let size: Int64
    /// Whether the file begins as every plain SQLite file does.
    let hasPlainHeader: Bool

    static let plainHeader: [UInt8] = Array("SQLite format 3\0".utf8)

    /// - Throws: `notADatabase` if it is not a file at all; `inputOutput`.
    init(path: String, status: FileStatus) throws(Fault) {
        self.path = path
        size = status.size
        // A pipe or a device would be waited for, or be read without end.
        guard status.kind != .other else {
            throw Fault(.notADatabase, "\(path) is a pipe or a device, not a database: give the path of a file")
        }
        guard let start = try? File.prefix(of: path, count: Self.plainHeader.count) else {
            throw Fault(.inputOutput, "cannot read the file \(path): check its permissions")
        }
        hasPlainHeader = start == Self.plainHeader
    }

    /// Whether the file is empty, which means a new database.
    var isNew: Bool { size == 0 }

    /// Whether a -wal is left over from a process that ended without closing.
    var hasLeftOverLog: Bool {
        File.size(path + "-wal") > 0 && !FileLocks.isHeldElsewhere(path)
    }

    /// Whether there are files from which SQLite may still restore the database. If so, its length and its first page
    /// say nothing yet.
    var hasSideFiles: Bool {
        ["-wal", "-journal"].contains { File.size(path + $0) > 0 }
    }

    /// Checks that a key was given if, and only if, the file is encrypted, and that the file can be a database at all.
    ///
    /// - Throws: `notADatabase`, `keyMissing`, `notEncrypted`.
    func check(keyGiven: Bool, cipher: CipherSettings) throws(Fault) {
        if isNew {
            return
        }
        if size < 512 || size % 512 != 0, !hasSideFiles {
            throw Fault(
                .notADatabase, "\(path) is not a database: its size of \(size) bytes is not a multiple of 512")
        }
        if !keyGiven, !hasPlainHeader {
            throw Fault(.keyMissing, "\(path) is encrypted or not a database: give the key it was written with")
        }
        if !keyGiven, cipher.leavesPlainHeader, isEncryptedAfterHeader {
            throw Fault(.keyMissing, "\(path) is encrypted after a plain header: give the key it was written with")
        }
        if keyGiven, hasPlainHeader, !cipher.leavesPlainHeader {
            throw Fault(.notEncrypted, "\(path) is not encrypted: open it without a key")
        }
    }

    /// Whether the bytes that every SQLite leaves zero are not zero: then the file is encrypted after a plain header.
    /// SQLite itself would create a -wal before it could find that out.
    private var isEncryptedAfterHeader: Bool {
        let count = Self.reserved.upperBound
        guard let start = try? File.prefix(of: path, count: count), start.count == count else {
            return false
        }
        return start[Self.reserved].contains { $0 != 0 }
    }

    /// The format's words: "Reserved for expansion. Must be zero."
    private static let reserved = 72..<92
}
