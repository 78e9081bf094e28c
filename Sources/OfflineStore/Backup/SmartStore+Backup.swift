import SQLiteAccess
package import Soups

extension SmartStore {
    /// Writes a complete store of one committed state to `path`, external entries included, readable by `SmartStore` at
    /// once. Readers and writers of all processes go on; the -wal grows until the end.
    ///
    /// ```swift
    /// let summary = try await store.backup(to: path)
    /// let entries = summary.soups.map { "\($0.name): \($0.entries)" }
    /// ```
    ///
    /// The copy appears under its name only when it is complete, checked and flushed to the disk; before it is in the
    /// folder `path.partial`, which goes at any failure or cancellation, and what a kill left of it at the next backup
    /// to the same path. Writers wait only while the files of external entries are linked. A copy with another key or
    /// none needs the cipher library. A copy of a plain store, or with `.plain`, is plain text.
    ///
    /// `progress` may read and write the store, and must not wait for another thread that uses it: closing the store,
    /// reopening it and changing its key wait until the backup has ended, and keep other writers waiting in the
    /// meantime.
    ///
    /// - Throws: `inputOutput` if something has the name already; `diskFull` before anything is written;
    ///   `encryptionUnavailable`, `invalidArguments`; `readOnly` for an encrypted store that was opened for reading
    ///   only; `busy` inside a transaction, a reading call or another backup, and for a copy that gets or loses its
    ///   encryption while the alteration of a store with external entries is unfinished; `corrupt`;
    ///   `CancellationError`.
    public func backup(
        to path: String, key: CopyKey = .same, progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> BackupSummary {
        try await connections.backupSuspended(to: path, key: key, progress: progress)
    }

    /// Makes a backup on the calling thread, which waits.
    package func backupNow(to path: String, key: CopyKey = .same) throws(Fault) -> BackupSummary {
        try connections.backup(to: path, key: key, cancellation: nil, progress: nil)
    }
}

extension KeyValueStore {
    /// Writes a complete copy of one committed state to `path`, as ``SmartStore/backup(to:key:progress:)`` does. Its
    /// summary names no soups.
    ///
    /// - Throws: as there.
    public func backup(
        to path: String, key: CopyKey = .same, progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> BackupSummary {
        try await connections.backupSuspended(to: path, key: key, progress: progress)
    }
}
