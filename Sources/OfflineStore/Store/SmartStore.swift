import Platform
public import SQLiteAccess
public import Soups

/// Keeps soups of JSON entries in one database file, plain or encrypted, and answers queries over them.
///
/// ```swift
/// let library = try SQLiteLibrary.find(.plain)
/// let store = try SmartStore(path: path, options: StoreOptions(library: library))
/// try store.registerSoup("contacts", indexSpecs: [.string("name"), .fullText("notes")])
/// try store.upsert([["name": "Ada", "notes": "met at the harbour"]], into: "contacts")
/// let cursor = try store.query(.exact(path: "name", matchKey: "Ada"), soup: "contacts")
/// let texts = cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
/// try store.close()
/// ```
///
/// Every call blocks until it is done and may come from any thread. Those that may take long have an `async` form: it
/// waits suspended, without a thread, and then runs on a thread of the store's own, never on the cooperative pool. One
/// call writes at a time, up to `StoreOptions.maximumReaders` read at the same time. Writers are served in the order in
/// which they come, whether they block or await, and so are readers. What a writing call acknowledged is on the disk
/// (with the default durability), and a call that throws has changed nothing.
///
/// Async forms heed the cancellation of their task, and then throw `CancellationError`; blocking forms never do.
///
/// | When the task is cancelled | What happens | Thrown |
/// | --- | --- | --- |
/// | before the call, or while it waits for the writer or a reader | nothing was done | `CancellationError` |
/// | while a query, a count, `integrityCheck` or `exportJSONLines` runs | it is interrupted | `CancellationError` |
/// | while a single writing call runs, before its commit | it is rolled back whole | `CancellationError` |
/// | during the commit | it completes | nothing: the result is returned |
/// | while the work of `transaction` runs | the next call inside throws, all is rolled back | `CancellationError` |
/// | during `alterSoup` | the step is rolled back, finished steps stay | `CancellationError` |
/// | during `load` or `migrate` | the transaction is rolled back, finished ones stay | `CancellationError` |
/// | during `rekey`, `backup` or `restore`, before the last rename | all is undone | `CancellationError` |
/// | while a cursor moves | the page shown stays | `CancellationError` |
///
/// The call inside `transaction` throws a `Fault`; whatever the work does with it, nothing is kept. What is left of an
/// alteration is done by `resumeAlterations` or the next opening for writing.
/// A call that waits for the lock of another process, or derives a key, notices the cancellation when that is over.
///
/// Errors are `Fault`s; the codes are those of the conformance vectors. Source: guide, chapter 10 (SmartStore).
public final class SmartStore: Sendable {
    /// The database file itself: absolute, with the symbolic links of the given path resolved once, when the store is
    /// opened. In the same folder, under this name with a suffix: `-wal` and `-shm` while it is open,
    /// `_external_soup_blobs` for soups with external storage.
    public let path: String
    let connections: StoreConnections

    /// Opens a store, creating the file if the options allow it.
    ///
    /// Opening for writing upgrades its tables, finishes interrupted alterations or undoes them if their entries do not
    /// allow them (see `resumeAlterations(progress:)`), and removes files that nothing refers to. Opening for reading
    /// only writes nothing at all: see ``StoreOptions/access``.
    ///
    /// - Throws: as `Connection` opens; `readOnly`, `diskFull` or `busy` if the tables cannot be created.
    public init(path: String, options: StoreOptions) throws(Fault) {
        self.path = try DatabasePath.resolve(path)
        connections = StoreConnections(path: self.path, options: options)
        try openNow()
    }

    /// Prepares the database on the writing connection. A call that has closed the store, or changed its key, opens it
    /// to the end.
    func openNow() throws(Fault) {
        try connections.prepareFile()
        try connections.write(isCancellable: false) { (session, _) throws(Fault) in
            try session.observe(.open) { () throws(Fault) in
                if session.options.access != .readOnly {
                    try MetaTables.prepare(session.connection)
                    try KeyChange.removeJournal(session.connection)
                    try? session.resumeAlterations(progress: nil)
                    // What is left over can wait, and a damaged record of the files must not hide the other soups.
                    try? ElementCollector.collect(session)
                }
                try session.refresh()
                return Reported(())
            }
        }
    }

    /// Closes every connection; the last one writes the -wal back into the file. Calls after that throw `closed`.
    ///
    /// Waits for calls and backups that are under way.
    ///
    /// - Throws: `busy` if the calling thread is itself inside a transaction, a reading call or a backup.
    public func close() throws(Fault) {
        try connections.close()
        hub.end(owner: ObjectIdentifier(connections))
    }

    deinit { connections.hub.end(owner: ObjectIdentifier(connections)) }

    /// Closes the store and opens it again, with changed options. After a failure it stays closed, and a later call may
    /// succeed: that call starts from the options that the store had before, not from those that failed. Waits as
    /// `close` does.
    ///
    /// - Parameter change: Changes the options that the store has. It may be called again with others, if another
    ///   thread changes them at the same time.
    public func reopen(_ change: (inout StoreOptions) -> Void = { _ in }) throws(Fault) {
        var version: Int?
        repeat {
            let present = connections.numberedOptions
            var options = present.options
            change(&options)
            // Another call may have changed the key, or the options, while this one waited.
            version = try connections.reopen(with: options, madeFrom: present.version)
        } while version == nil
        guard let version else { return }
        do throws(Fault) {
            try openNow()
        } catch {
            try? connections.undoReopening(version)
            throw error
        }
        connections.prove(version)
        connections.tellEverything()
    }

    /// Whether `close` was called. A store that failed to reopen is closed too, but can be reopened.
    public var wasClosed: Bool { connections.wasClosed }

    /// Requires a store that is open. Throws `closed`.
    package func requireOpen() throws(Fault) { try connections.requireOpen() }

    /// The library that the store uses.
    public var library: SQLiteLibrary { connections.options.library }
    /// Whether the store was opened with a key.
    public var isEncrypted: Bool { connections.options.key != nil }

    /// Bytes on the disk: the file, its -wal, and the files of external entries.
    ///
    /// - Throws: `closed`.
    public func databaseSize() throws(Fault) -> Int64 {
        try connections.requireOpen()
        return File.size(path) + File.size(path + "-wal")
            + Folder.size(below: ElementFiles.root(ofStore: path)).bytes
    }
}
