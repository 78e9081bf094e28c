import Platform
public import SQLiteAccess
public import Soups

/// Keeps values under names in one database file, plain or encrypted: bytes, texts and Swift values.
///
/// ```swift
/// let library = try SQLiteLibrary.find(.plain)
/// let values = try KeyValueStore(path: path, options: StoreOptions(library: library))
/// try values.set("dark", for: "appearance")
/// let appearance = try values.string(for: "appearance")
/// try values.close()
/// ```
///
/// A key is any text of 1 to 1,024 bytes of UTF-8 without NUL, compared by its bytes. A value has at most 1 GB; a long
/// one is kept in pieces, and can be written and read piece by piece.
///
/// Every call blocks until it is done and may come from any thread. The `async` forms wait suspended, run on threads of
/// the store's own, and heed the cancellation of their task. What a writing call acknowledged is on the disk (with the
/// default durability), and a call that throws has changed nothing: after a kill each key has its old value or its new
/// one. Several processes may use one file.
///
/// The file is a database of this library's own, with the key, settings and rules of a `SmartStore`: not the files of
/// Mobile SDK's key-value stores. Errors are `Fault`s, and never hold a key or a value.
public final class KeyValueStore: Sendable {
    /// The database file itself: absolute, with the symbolic links of the given path resolved once, when the store is
    /// opened. `-wal` and `-shm` are next to it while it is open.
    public let path: String
    let connections: StoreConnections
    let watchers = KeyValueWatchers()

    /// Opens a store, creating the file if the options allow it.
    ///
    /// Of the options, those about soups and queries do not matter.
    ///
    /// - Throws: as `SmartStore` opens; `corrupt` if the file is a database but not a key-value store;
    ///   `storeNewerThanApp` if a later version of this library wrote it.
    public init(path: String, options: StoreOptions) throws(Fault) {
        self.path = try DatabasePath.resolve(path)
        connections = StoreConnections(path: self.path, options: options)
        try openNow()
    }

    deinit { watchers.end() }

    /// Closes every connection. Calls after that throw `closed`, and the changes that are being watched end.
    ///
    /// - Throws: `busy` if the calling thread is itself inside a call that writes or reads, or inside a backup.
    public func close() throws(Fault) {
        try connections.close()
        watchers.end()
    }

    /// Whether `close` was called.
    public var wasClosed: Bool { connections.wasClosed }

    /// Whether the store was opened with a key.
    public var isEncrypted: Bool { connections.options.key != nil }

    /// Gives the store another key or a first key, or, with `nil`, removes its encryption, as `SmartStore.rekey(to:)`
    /// does. The whole file is written again.
    ///
    /// - Throws: what `SmartStore.rekey(to:)` throws.
    public func rekey(to newKey: Key?) throws(Fault) {
        try connections.rekey(path) { _ in newKey }
        try connections.openAfterChange { () throws(Fault) in try openNow() }
    }

    /// Prepares the database on the writing connection.
    func openNow() throws(Fault) {
        try connections.prepareFile()
        try connections.write { (session, _) throws(Fault) in
            try session.observe(.open) { () throws(Fault) in
                if session.options.access == .readOnly {
                    try KeyValueTables.require(session.connection)
                } else {
                    try KeyValueTables.prepare(session.connection)
                    try KeyChange.removeJournal(session.connection)
                    try KeyChange.removeLeftOverCopy(session)
                }
                return Reported(())
            }
        }
    }
}
