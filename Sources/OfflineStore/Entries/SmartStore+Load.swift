public import JSONText
public import Soups

extension SmartStore {
    /// Stores a file of JSON entries, one on each line, in transactions of `entriesPerTransaction` entries.
    ///
    /// ```swift
    /// let done = try store.load(jsonLines: file, into: "contacts", externalIdPath: "name") { progress in
    ///     stored = progress.entries
    /// }
    /// ```
    ///
    /// The -wal is written back into the file at the end of the load and whenever it has reached 32 MB (or
    /// `checkpointPages`, if that is more), instead of each 4 MB: it takes that much disk space and that of one
    /// transaction, for as long as the load runs, or until others have finished to read an older state.
    ///
    /// Memory is bounded by the longest line and the pages of one transaction, whatever the length of the file. Inside
    /// `transaction` the whole load is part of that transaction, and one that fails has changed nothing.
    ///
    /// - Throws: as `upsert`; `invalidEntry` has the line number (`Fault.line`), and its offset counts from the start
    ///   of the file. Transactions that were committed before stay, as `progress` reported.
    @discardableResult
    public func load(
        jsonLines path: String, into soup: String, externalIdPath: String? = nil, entriesPerTransaction: Int = 1000,
        progress: ((LoadProgress) -> Void)? = nil
    ) throws(Fault) -> LoadProgress {
        try load(
            jsonLines: ByteSource(file: path), into: soup, externalIdPath: externalIdPath,
            entriesPerTransaction: entriesPerTransaction, progress: progress)
    }

    /// Stores a stream of JSON entries, one on each line.
    ///
    /// - Throws: as the form for a file; `inputOutput` if the source cannot be read.
    @discardableResult
    public func load(
        jsonLines source: ByteSource, into soup: String, externalIdPath: String? = nil,
        entriesPerTransaction: Int = 1000,
        progress: ((LoadProgress) -> Void)? = nil
    ) throws(Fault) -> LoadProgress {
        let loading = Loading(
            source, into: soup, externalIdPath: externalIdPath, entriesPerTransaction: entriesPerTransaction)
        let isDone = try connections.write { (session, _) throws(Fault) in
            guard session.level > 0 else { return false }
            // Like every call inside a transaction, a load that fails there has changed nothing.
            try session.transaction { () throws(Fault) in try loading.run(in: self, progress) }
            return true
        }
        if !isDone {
            try loading.run(in: self, progress)
        }
        return loading.done
    }
}
