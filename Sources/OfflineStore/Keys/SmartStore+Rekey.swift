public import SQLiteAccess
public import Soups

extension SmartStore {
    /// Gives the store another key, a first key, or (nil) takes its encryption away.
    ///
    /// The whole store is copied under the new key beside the old one, the copy is checked through a fresh connection,
    /// and then takes the old one's place in a single step: whatever happens, either the old key or the new one opens
    /// everything. Entries in files of their own are encrypted anew under a new key too. Needs as much space again as
    /// the store takes; other calls wait. No other process may have the store open.
    ///
    /// The settings that the store was opened with are those of the new file too.
    ///
    /// - Throws: `encryptionUnavailable`, `busy`, `readOnly`, `diskFull`, `invalidArguments` (a page size that no
    ///   encrypted file can have). The old key is then still the right one, and the store open with it.
    public func rekey(to newKey: Key?) throws(Fault) {
        try connections.requireOpen()
        // A file that took the place of this store's own is not for this key.
        try connections.write { (session, _) throws(Fault) in try session.connection.requireFile() }
        try connections.withoutConnections { (options) throws(Fault) in
            guard options.access != .readOnly else {
                throw Fault(.readOnly, "the store was opened for reading only")
            }
            if newKey == nil && options.key == nil {
                return
            }
            guard options.library.capabilities.encryption else {
                throw Fault(
                    .encryptionUnavailable,
                    "a SQLCipher library is needed to change a key; this is \(options.library.path)")
            }
            try options.observe(.rekey) { () throws(Fault) in
                try KeyChange(path: path, options: options, newKey: newKey).run()
            }
            connections.change(key: newKey)
        }
        try openNow()
    }
}
