/// Says what may be done to the file.
public enum ConnectionAccess: Sendable, Hashable {
    /// Reads the files as they are: creates, changes and leaves no file, and needs no permission to write.
    ///
    /// What a crash left in the -wal is read from there. If another process has the database open, that is `busy`:
    /// in WAL mode at once, in other modes while that process is in a transaction. A process that writes later is
    /// noticed by the size and date of the files: reading transactions are `busy` from then on, until the
    /// connection is opened again. If this process has the database open for writing, the connection reads through
    /// SQLite's locks and sees what is written. `ConnectionSettings.readsInPlace` always does so, and creates
    /// files.
    case readOnly
    /// Reads and writes a file that exists.
    case readWrite
    /// Creates the file if there is none, for its owner only (mode 0600).
    case create
}
