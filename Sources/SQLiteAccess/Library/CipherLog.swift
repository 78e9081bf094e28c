import CSQLite

/// Keeps SQLCipher from writing to standard error, where it reports each page that it cannot decrypt. A fault says so
/// better.
///
/// The log level is one for the whole process, and SQLCipher raises it from NONE to WARN when it is first given a key,
/// so a level set before that is lost. Therefore a key is set once, on a database in memory, as soon as the library is
/// loaded. Older versions write nothing and lack the pragma. Source: `sqlcipher_activate` in SQLCipher 4.6.
enum CipherLog {
    static func silence(_ table: UnsafePointer<sq_api>) {
        var database: OpaquePointer?
        defer { _ = sq_close_v2(table, database) }
        let flags = SQ_OPEN_READWRITE | SQ_OPEN_CREATE | SQ_OPEN_NOMUTEX
        guard sq_open_v2(table, ":memory:", &database, flags, nil) == SQ_OK, let database else {
            return
        }
        // Any level but NONE stays as it is, and ERROR leaves out the warnings that the first key itself may cause.
        _ = sq_exec(table, database, "PRAGMA cipher_log_level = ERROR", nil, nil, nil)
        _ = "any".withCString { sq_key_v2(table, database, "main", $0, 3) }
        _ = sq_exec(table, database, "PRAGMA cipher_log_level = NONE", nil, nil, nil)
    }
}
