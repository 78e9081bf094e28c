import Soups

/// Judges a file by its length and its first bytes, before anybody has it open. Source:
/// https://sqlite.org/fileformat2.html, section 1.3.
struct DatabaseFile {
    let path: String
    let size: Int64
    /// The file begins as every plain SQLite file does.
    let hasPlainHeader: Bool

    static let plainHeader: [UInt8] = Array("SQLite format 3\0".utf8)

    init(path: String, status: FileSystem.Status) throws(Fault) {
        self.path = path
        size = status.size
        guard let start = FileSystem.prefix(of: path, count: Self.plainHeader.count) else {
            throw Fault(.inputOutput, "the file \(path) cannot be read: are its permissions right?")
        }
        hasPlainHeader = start == Self.plainHeader
    }

    /// A file without a byte is a new database.
    var isNew: Bool { size == 0 }

    /// Whether a -wal is left over from a process that ended without closing.
    var hasLeftOverLog: Bool {
        (FileSystem.status(of: path + "-wal")?.size ?? 0) > 0 && !FileLocks.isHeldElsewhere(path)
    }

    /// Files from which SQLite may still restore the database: then its length, and its first page, say nothing yet.
    var hasSideFiles: Bool {
        ["-wal", "-journal"].contains { (FileSystem.status(of: path + $0)?.size ?? 0) > 0 }
    }

    /// Checks that a key was given exactly if the file is encrypted, and that the file can be a database at all.
    ///
    /// - Throws: `notADatabase`, `keyMissing`, `notEncrypted`.
    func check(keyGiven: Bool, cipher: CipherSettings) throws(Fault) {
        if isNew {
            return
        }
        if size < 512 || size % 512 != 0, !hasSideFiles {
            throw Fault(
                .notADatabase, "\(path) has \(size) bytes: no database is under 512 bytes or no multiple of 512")
        }
        if !keyGiven, !hasPlainHeader {
            throw Fault(.keyMissing, "\(path) is encrypted, or no database: give the key it was written with")
        }
        if !keyGiven, cipher.leavesPlainHeader, isEncryptedAfterHeader {
            throw Fault(.keyMissing, "\(path) is encrypted behind a plain header: give the key it was written with")
        }
        if keyGiven, hasPlainHeader, !cipher.leavesPlainHeader {
            throw Fault(.notEncrypted, "\(path) is not encrypted: open it without a key")
        }
    }

    /// Whether the bytes that every SQLite leaves zero hold something: what is encrypted does not begin with the file
    /// then, but before them. SQLite itself would make a -wal before it could know.
    private var isEncryptedAfterHeader: Bool {
        let count = Self.reserved.upperBound
        guard let start = FileSystem.prefix(of: path, count: count), start.count == count else {
            return false
        }
        return start[Self.reserved].contains { $0 != 0 }
    }

    /// "Reserved for expansion. Must be zero."
    private static let reserved = 72..<92
}
