import CSQLite

extension SQLiteLibrary {
    /// What SQLCipher says about itself, in a database in memory with a key of no secret: its version, the library that
    /// encrypts and its version, and whether that runs in FIPS mode. Empty for a library that cannot encrypt. Source:
    /// smartstore.md LIF-63.
    package func cipherAnswers() -> [(setting: String, answer: String)] {
        guard capabilities.encryption else {
            return []
        }
        var database: OpaquePointer?
        let flags = SQ_OPEN_READWRITE | SQ_OPEN_CREATE | SQ_OPEN_NOMUTEX
        defer { _ = sq_close_v2(table, database) }
        guard sq_open_v2(table, ":memory:", &database, flags, nil) == SQ_OK,
            sq_exec(table, database, "PRAGMA key = 'no secret'", nil, nil, nil) == SQ_OK
        else {
            return []
        }
        return ["cipher_version", "cipher_provider", "cipher_provider_version", "cipher_fips_status"].compactMap {
            name in
            RawHandle.answer(to: "PRAGMA \(name)", table, database).map { (name, $0) }
        }
    }
}
