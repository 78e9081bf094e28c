import SQLiteAccess
import Soups

extension StoreConnections {
    /// Changes the key of the file while nothing of this store has it open. The store must then be opened again.
    ///
    /// - Parameter choose: Gives the new key, once the present one cannot change any more.
    func rekey(_ path: String, to choose: (_ present: Key?) -> Key?) throws(Fault) {
        try requireOpen()
        // A file that replaced this store's own must not get this key.
        try write { (session, _) throws(Fault) in try session.connection.requireFile() }
        try withoutConnections { (options) throws(Fault) in
            guard options.access != .readOnly else {
                throw Fault(.readOnly, "the store was opened for reading only")
            }
            let newKey = choose(options.key)
            if newKey == nil && options.key == nil {
                return
            }
            guard options.library.capabilities.encryption else {
                throw Fault(
                    .encryptionUnavailable,
                    "a SQLCipher library is needed to change a key; this is \(options.library.path)")
            }
            try options.observe(.rekey) { () throws(Fault) in
                let change = KeyChange(path: path, options: options, newKey: newKey, cancellation: gate.writingCall)
                try change.run()
                // From here on the file has the new key, whatever else fails.
                self.change(key: newKey)
                try change.synchronize()
            }
        }
    }
}
