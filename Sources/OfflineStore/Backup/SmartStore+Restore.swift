public import SQLiteAccess
import Soups

extension SmartStore {
    /// Replaces a closed store's files by a backup. The backup is copied, opened and checked first; the old files go
    /// only after the new ones are flushed to the disk.
    ///
    /// ```swift
    /// try await SmartStore.restore(
    ///     from: backup, key: nil, to: path, replacing: true, options: StoreOptions(library: library))
    /// ```
    ///
    /// A kill at any moment leaves the old store or the new one. The backup stays as it is. Needs as much space as the
    /// backup, and the same again for another key.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup, which no connection may have open.
    ///   - key: The key of the backup; nil for a plain one.
    ///   - path: The path of the store.
    ///   - storeKey: The key of the store from then on: by default that of the backup.
    ///   - replacing: Whether a store that is there is replaced. Its key is not needed.
    ///   - options: The library and the settings of the backup; the key in them is not looked at.
    /// - Throws: `storeNotFound` if there is no backup; `inputOutput` if there is a store and `replacing` is false;
    ///   `busy` if any connection has one of the two open; `corrupt`, `wrongKey` and others as opening the backup;
    ///   `diskFull`, `encryptionUnavailable`; `CancellationError` before the old files are touched.
    public static func restore(
        from backup: String, key: Key?, to path: String, storeKey: CopyKey = .same, replacing: Bool = false,
        options: StoreOptions
    ) async throws {
        let cancellation = Cancellation()
        try await withTaskCancellationHandler {
            // To its end: once the old files are touched the restoration is finished.
            try await BlockingCall.runToTheEnd {
                var restoration = try Restoration(
                    from: backup, key: key, to: path, storeKey: storeKey, options: options)
                restoration.cancellation = cancellation
                do throws(Fault) {
                    try restoration.run(replacing: replacing)
                } catch {
                    throw error == Restoration.cancelled ? CancellationError() : error
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Restores a backup on the calling thread, which waits.
    package static func restoreNow(
        from backup: String, key: Key?, to path: String, storeKey: CopyKey = .same, replacing: Bool,
        options: StoreOptions
    ) throws {
        try Restoration(from: backup, key: key, to: path, storeKey: storeKey, options: options)
            .run(replacing: replacing)
    }
}
