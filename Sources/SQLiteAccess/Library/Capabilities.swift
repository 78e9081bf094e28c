import CSQLite
import Soups

/// Says what a loaded library can do. Found out by asking the library itself, in a database in memory, never guessed
/// from its version.
public struct Capabilities: Sendable, Hashable {
    /// Whether it has the full-text module FTS4.
    public let fts4: Bool
    /// Whether it has the full-text module FTS5.
    public let fts5: Bool
    /// Whether it has the functions over JSON text, such as `json_extract`.
    public let json1: Bool
    /// SQLCipher's answer to `cipher_version`; nil if there is no codec.
    public let cipherVersion: String?
    /// What the library's own SQL function says about its sources.
    let sourceID: String?
    /// Whether keys can be set and changed.
    public let encryption: Bool

    init(probing table: UnsafePointer<sq_api>) throws(Fault) {
        var database: OpaquePointer?
        let flags = SQ_OPEN_READWRITE | SQ_OPEN_CREATE | SQ_OPEN_NOMUTEX
        defer { _ = sq_close_v2(table, database) }
        guard sq_open_v2(table, ":memory:", &database, flags, nil) == SQ_OK, let database else {
            throw Fault(.libraryUnavailable, "the library cannot open a database in memory")
        }
        func works(_ sql: String) -> Bool { sq_exec(table, database, sql, nil, nil, nil) == SQ_OK }
        fts4 = works("CREATE VIRTUAL TABLE a USING fts4(x)")
        fts5 = works("CREATE VIRTUAL TABLE b USING fts5(x)")
        json1 = works("SELECT json_extract('{}', '$.x')")
        sourceID = RawHandle.answer(to: "SELECT sqlite_source_id()", table, database)
        cipherVersion = RawHandle.answer(to: "PRAGMA cipher_version", table, database)
        encryption = sq_can_encrypt(table) != 0 && cipherVersion != nil
    }
}
