package import JSONText
import SQLiteAccess

/// The settings of the storage arms. Only rows with equal settings are compared, so every report records them.
package enum StorageSettings {
    package static var json: JSONValue {
        let settings = ConnectionSettings()
        let shared: [(String, JSONValue)] = [
            ("page_size", .number(JSONNumber(Int64(settings.pageSize)))),
            ("journal_mode", .string(settings.journalMode.rawValue)),
            ("synchronous", .string(settings.durability == .full ? "FULL" : "NORMAL")),
            ("cache_bytes", .number(JSONNumber(Int64(settings.cacheSize)))),
            ("temp_store", "MEMORY"),
        ]
        // Cells that measure other settings have them as parameters.
        let cipher: [(String, JSONValue)] = [("cipher", "SQLCipher 4 defaults"), ("hmac", true)]
        return [
            "plain": .object(JSONObject(shared)), "cipher-off": .object(JSONObject(shared)),
            "cipher": .object(JSONObject(shared + cipher + [("key", "raw, 32 bytes")])),
            "passphrase": .object(
                JSONObject(shared + cipher + [("key", "passphrase, PBKDF2 with the library's default of iterations")])),
        ]
    }
}
