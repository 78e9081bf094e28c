import Platform

/// Finds the locks by which SQLite's connections know of each other. Source:
/// https://sqlite.org/fileformat2.html#the_lock_byte_page.
///
/// The file is opened and closed for that, so it must be one to which this process has no connection that takes
/// locks.
enum FileLocks {
    /// The bytes that SQLite locks: one for a pending writer, one for the writer, 510 for readers. In WAL mode each
    /// connection locks one of the latter from its first statement until it is closed, in other modes during each
    /// transaction.
    private static let bytes: Range<Int64> = 0x4000_0000..<0x4000_0200

    /// Whether another process holds a lock on a database file. False if that cannot be found out.
    static func isHeldElsewhere(_ path: String) -> Bool { holder(of: path) != nil }

    /// The process that holds a lock on a database file; 0 if the system does not say which, nil if there is none.
    static func holder(of path: String) -> Int32? { (try? OpenFile(path))?.holder(ofBytes: bytes) }

    /// Takes every lock of a database file, as a connection does that is to be the only one, until the file is closed;
    /// false if another process holds one.
    static func claim(_ file: OpenFile) -> Bool { file.lock(bytes: bytes) }
}
