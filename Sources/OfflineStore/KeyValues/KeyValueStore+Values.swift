import SQLiteAccess
public import Soups

// MARK: - Reading
extension KeyValueStore {
    /// Reads the value of a key as bytes; `nil` if the key has no value. Also reads a text or a Swift value, as it was
    /// stored.
    ///
    /// - Throws: `invalidKeyName`, `closed`, `busy`, `corrupt`, `inputOutput`.
    public func data(for key: String) throws(Fault) -> [UInt8]? {
        try KeyValueKey.check(key)
        return try reading { (session) throws(Fault) in
            try session.withStoredValue(of: key) { (value) throws(Fault) in try session.bytes(of: value) }
        }
    }

    /// Reads the value of a key as text; `nil` if the key has no value.
    ///
    /// - Throws: as `data(for:)`; `typeMismatch` if the value is not UTF-8.
    public func string(for key: String) throws(Fault) -> String? {
        guard let bytes = try data(for: key) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(.typeMismatch, "the value is not UTF-8: read it with data(for:)")
        }
        return text
    }

    /// Returns whether there is a value for a key.
    ///
    /// - Throws: as `data(for:)`.
    public func contains(_ key: String) throws(Fault) -> Bool {
        try KeyValueKey.check(key)
        return try reading { (session) throws(Fault) in
            try session.connection.integer("SELECT 1 FROM kv WHERE key = ?", .text(key)) != nil
        }
    }

    /// Returns the number of bytes of a value, without reading it; `nil` if the key has no value.
    ///
    /// - Throws: as `data(for:)`.
    public func size(of key: String) throws(Fault) -> Int64? {
        try KeyValueKey.check(key)
        return try reading { (session) throws(Fault) in
            try session.withStoredValue(of: key) { (value) throws(Fault) in try session.size(of: value) }
        }
    }

    /// Returns the keys that begin with a text, in the order of their bytes. O(n) in the number of keys returned.
    ///
    /// - Throws: `closed`, `busy`, `corrupt`, `inputOutput`.
    public func keys(prefix: String = "") throws(Fault) -> [String] {
        try reading { (session) throws(Fault) in
            let rows = try session.connection.statement("SELECT key FROM kv WHERE key >= ? ORDER BY key")
            defer { rows.clear() }
            try rows.bind(text: prefix, at: 1)
            var keys: [String] = []
            while try rows.step() {
                guard rows.lentBytes(at: 0).starts(with: prefix.utf8) else { break }
                keys.append(rows.text(at: 0))
            }
            return keys
        }
    }

    /// Returns the number of keys.
    ///
    /// - Throws: `closed`, `busy`, `corrupt`, `inputOutput`.
    public func count() throws(Fault) -> Int {
        try reading { (session) throws(Fault) in
            Int(try session.connection.number("SELECT count(*) FROM kv"))
        }
    }
}

// MARK: - Writing
extension KeyValueStore {
    /// Stores bytes under a key, in place of the value that it had.
    ///
    /// - Throws: `invalidKeyName`; `limitExceeded` above 1 GB; `diskFull`, `busy`, `readOnly`, `closed`;
    ///   `storeNotFound` if the file was removed while it was open.
    public func set(_ data: [UInt8], for key: String) throws(Fault) {
        try KeyValueKey.check(key)
        try data.lend { (bytes) throws(Fault) in try set(bytes, for: key) }
    }

    /// Stores a text under a key, in place of the value that it had.
    ///
    /// - Throws: as `set` of bytes.
    public func set(_ text: String, for key: String) throws(Fault) {
        try set(Array(text.utf8), for: key)
    }

    /// Removes a key with its value. Returns whether it was there.
    ///
    /// - Throws: as `set`.
    @discardableResult
    public func remove(_ key: String) throws(Fault) -> Bool {
        try KeyValueKey.check(key)
        return try writing(.removeValue) { (session, _) throws(Fault) in
            let isRemoved = try session.removeValue(of: key)
            if isRemoved {
                watchers.note(.keys([key]), in: session)
            }
            return Reported(isRemoved, rows: isRemoved ? 1 : 0)
        }
    }

    /// Removes every key with its value, in one transaction.
    ///
    /// - Throws: as `set`.
    public func removeAll() throws(Fault) {
        try writing(.removeValue) { (session, _) throws(Fault) in
            try session.connection.execute("DELETE FROM kv")
            let count = Int(session.connection.changes)
            try session.connection.execute("DELETE FROM kv_pieces")
            if count > 0 {
                watchers.note(.all, in: session)
            }
            return Reported((), rows: count)
        }
    }
}
