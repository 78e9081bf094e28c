public import SQLiteAccess
public import Soups

extension SmartStore {
    /// Gives the store another key or a first key, or, with nil, removes its encryption.
    ///
    /// ```swift
    /// try store.rekey(to: Key(raw: newSecret))
    /// ```
    ///
    /// The whole store is copied under the new key next to the old one, the copy is checked through a new connection,
    /// and then it replaces the old file by a rename: whatever happens, either the old key or the new one opens
    /// everything. Entries in files of their own are encrypted again under a new key too. Needs as much additional
    /// space as the store takes; other calls wait. No other process may have the store open.
    ///
    /// The new file keeps the settings that the store was opened with.
    ///
    /// - Throws: `encryptionUnavailable`, `busy`, `readOnly`, `diskFull`, `invalidArguments` (a page size that an
    ///   encrypted file cannot have). The old key is then still valid, and the store is open with it. If only the
    ///   folder cannot be synchronized to the disk (`inputOutput`, `readOnly`), the store is open with the new key;
    ///   after a power cut the old file may be back. `wrongKey` if another process has changed the key at the same
    ///   moment: close this store, and open it with that key.
    public func rekey(to newKey: Key?) throws(Fault) {
        try connections.rekey(path) { _ in newKey }
        try connections.openAfterChange { () throws(Fault) in try openNow() }
        connections.tellEverything()
    }
}
