import CSQLite
public import Soups

/// Decides what statements may touch while a user's text is prepared and stepped.
///
/// It is set once for the whole life of a connection, because setting another one would make SQLite prepare every
/// cached statement again. Outside of a restriction it allows everything. Source:
/// https://sqlite.org/c3ref/set_authorizer.html. `sqlite3_stmt_readonly` is not enough: it is true for ATTACH.
final class Authorizer {
    /// The tables that may be read, in lower case, or nil if there is no restriction.
    fileprivate(set) var readable: Set<ByteKey>?
    /// Everything in the schema, in lower case. A name that is not in it is one that the text itself defines.
    fileprivate(set) var schema: Set<ByteKey> = []
    /// The tables that the text defines for all of itself, in lower case: no other table has such a name in it, unless
    /// the name of a database is before it.
    fileprivate(set) var defined: Set<ByteKey> = []

    /// The handle owns the authorizer, so an unretained pointer to it is valid for as long as SQLite can call.
    func attach(to handle: RawHandle) {
        _ = sq_set_authorizer(
            handle.table, handle.database,
            { context, action, first, second, database, _ in
                guard let context else {
                    return SQ_AUTHORIZER_DENY
                }
                return Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
                    .decide(action, first, second, hasDatabase: database != nil)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func decide(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, hasDatabase: Bool
    ) -> Int32 {
        guard let readable else {
            return SQ_AUTHORIZER_ALLOW
        }
        switch action {
        case SQ_ACTION_SELECT, SQ_ACTION_RECURSIVE:
            return SQ_AUTHORIZER_ALLOW
        case SQ_ACTION_READ:
            // Without a table name the column belongs to a subquery or a common table expression, whose own tables are
            // checked separately.
            guard let first, first.pointee != 0 else {
                return SQ_AUTHORIZER_ALLOW
            }
            let name = String(cString: first).lowercased()
            if readable.contains(ByteKey(name)) {
                return SQ_AUTHORIZER_ALLOW
            }
            // A common table expression of which no column is used is checked by its name, with an empty column.
            let isOwnName = second?.pointee == 0 && isDefinedByText(name, hasDatabase: hasDatabase)
            return isOwnName ? SQ_AUTHORIZER_ALLOW : SQ_AUTHORIZER_DENY
        case SQ_ACTION_FUNCTION:
            guard let second else {
                return SQ_AUTHORIZER_DENY
            }
            return Self.refusedFunctions.contains(String(cString: second).lowercased())
                ? SQ_AUTHORIZER_DENY : SQ_AUTHORIZER_ALLOW
        default:
            return SQ_AUTHORIZER_DENY
        }
    }

    /// Whether a table is one that the text itself defines, such as by `WITH`: then it is not in the schema.
    private func isDefinedByText(_ name: String, hasDatabase: Bool) -> Bool {
        if !hasDatabase, defined.contains(ByteKey(name)) {
            return true
        }
        return !schema.isEmpty && !schema.contains(ByteKey(name))
            && !["sqlite_", "pragma_", "dbstat", "fts"].contains { name.utf8.starts(with: $0.utf8) }
    }

    /// Functions that reach beyond the rows: files, code, SQLCipher's copy of the whole database, the tokenizers'
    /// pointers.
    private static let refusedFunctions: Set<String> = [
        "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fts5", "sqlcipher_export",
        "sqlite_compileoption_get", "sqlite_compileoption_used",
    ]
}

extension Connection {
    /// Says what a user's text may read. Made once for each schema, because every run needs it.
    public struct Reach: Sendable {
        fileprivate let readable: Set<ByteKey>
        fileprivate let schema: Set<ByteKey>
        fileprivate var defined: Set<ByteKey> = []

        /// - Parameters:
        ///   - tables: The tables and table-valued functions that may be read.
        ///   - schema: Every table of the database. Without it a text cannot count the rows of its own common table
        ///     expressions, because their names would be taken for tables.
        public init(tables: some Sequence<String>, schema: some Sequence<String> = EmptyCollection<String>()) {
            readable = Set(tables.map { ByteKey($0.lowercased()) })
            self.schema = Set(schema.map { ByteKey($0.lowercased()) })
        }

        /// The same for a text that defines tables of these names for all of itself, and may count their rows.
        public func defining(_ tables: [String]) -> Reach {
            guard !tables.isEmpty else { return self }
            var reach = self
            reach.defined = Set(tables.map { ByteKey($0.lowercased()) })
            return reach
        }
    }

    /// Lets statements read only these tables (and table-valued functions) while the work runs: no write, no pragma, no
    /// attached file.
    ///
    /// Statements prepared inside stay restricted only if they are also stepped inside: SQLite may prepare them again
    /// when the schema changes.
    public func restricted<R>(to reach: Reach, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let authorizer = handle.authorizer
        let before = (authorizer.readable, authorizer.schema, authorizer.defined)
        (authorizer.readable, authorizer.schema, authorizer.defined) = (reach.readable, reach.schema, reach.defined)
        defer { (authorizer.readable, authorizer.schema, authorizer.defined) = before }
        return try work()
    }

    /// Does the same for a list of tables.
    public func restricted<R>(toTables tables: some Sequence<String>, _ work: () throws(Fault) -> R) throws(Fault) -> R
    {
        try restricted(to: Reach(tables: tables), work)
    }
}
