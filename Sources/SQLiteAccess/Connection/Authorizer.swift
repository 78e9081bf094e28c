import CSQLite
public import Soups

/// Decides what statements may touch while a user's text is prepared and stepped.
///
/// It is set once for the whole life of a connection (setting one anew would make SQLite prepare every kept statement again) and allows everything
/// outside a restriction. Source: https://sqlite.org/c3ref/set_authorizer.html; `sqlite3_stmt_readonly` alone is no guard, it is true for ATTACH.
final class Authorizer {
    /// The tables that may be read, or nil where there is no restriction.
    fileprivate(set) var readable: Set<ByteKey>?

    /// The handle owns the authorizer, so a bare pointer to it is good for as long as SQLite can call.
    func attach(to handle: RawHandle) {
        _ = sq_set_authorizer(
            handle.table, handle.database,
            { context, action, first, second, _, _ in
                guard let context else { return SQ_AUTHORIZER_DENY }
                return Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue().decide(action, first, second)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func decide(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Int32 {
        guard let readable else { return SQ_AUTHORIZER_ALLOW }
        switch action {
        case SQ_ACTION_SELECT, SQ_ACTION_RECURSIVE:
            return SQ_AUTHORIZER_ALLOW
        case SQ_ACTION_READ:
            // Without a table name the column belongs to a sub-query or a common table expression, whose own tables are asked for by themselves.
            guard let first, first.pointee != 0 else { return SQ_AUTHORIZER_ALLOW }
            return readable.contains(ByteKey(String(cString: first))) ? SQ_AUTHORIZER_ALLOW : SQ_AUTHORIZER_DENY
        case SQ_ACTION_FUNCTION:
            guard let second else { return SQ_AUTHORIZER_DENY }
            return Self.refusedFunctions.contains(String(cString: second).lowercased()) ? SQ_AUTHORIZER_DENY : SQ_AUTHORIZER_ALLOW
        default:
            return SQ_AUTHORIZER_DENY
        }
    }

    /// Functions that reach beyond the rows: files, code, SQLCipher's copy of the whole database, the tokenizers' pointers.
    private static let refusedFunctions: Set<String> = [
        "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fts5", "sqlcipher_export", "sqlite_compileoption_get", "sqlite_compileoption_used",
    ]
}

extension Connection {
    /// Lets statements read only these tables (and table-valued functions) while the work runs: no write, no pragma, no attached file.
    ///
    /// Statements prepared inside stay restricted only if they are also stepped inside: SQLite may prepare them again when the schema changes.
    public func restricted<R>(toTables tables: some Sequence<String>, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let before = handle.authorizer.readable
        handle.authorizer.readable = Set(tables.map { ByteKey($0) })
        defer { handle.authorizer.readable = before }
        return try work()
    }
}
