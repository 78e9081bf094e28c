import CSQLite
import Platform
import Soups

/// Owns one handle of SQLite from opening to closing; `Connection` builds on it. One thread at a time.
final class RawHandle {
    let library: SQLiteLibrary
    /// The path of the file.
    let path: String
    let database: OpaquePointer
    /// Decides what statements may touch; lives as long as SQLite may call it.
    let authorizer = Authorizer()
    /// Knows the transaction that is open, and whether it was lost.
    let watch = CallWatch()
    /// The statements to finalize before the handle can be closed.
    private var statements: Set<OpaquePointer> = []
    private(set) var isClosed = false
    /// Milliseconds that SQLite waits for a lock.
    var busyTimeout: Int32 = 0

    var table: UnsafePointer<sq_api> { library.table }

    /// - Parameters:
    ///   - uri: What SQLite is given instead of the path, if the flags say that it is a URI.
    ///   - fileSystem: SQLite's name of the file system to use; nil for the default.
    init(
        path: String, library: SQLiteLibrary, flags: Int32, uri: String? = nil, fileSystem: String? = nil
    ) throws(Fault) {
        var handle: OpaquePointer?
        let flags = flags | SQ_OPEN_NOMUTEX | SQ_OPEN_EXRESCODE
        let result = sq_open_v2(library.table, uri ?? path, &handle, flags, fileSystem)
        guard result == SQ_OK, let handle else {
            let system = handle.map { sq_system_errno(library.table, $0) } ?? 0
            _ = sq_close_v2(library.table, handle)
            let code = ResultCode(rawValue: result)
            throw Fault(
                code.faultCode, "\(path) cannot be opened (SQLite code \(result), system error \(system))",
                context: [.resultCode(result)])
        }
        self.library = library
        self.path = path
        database = handle
        _ = sq_extended_result_codes(table, database, 1)
        authorizer.attach(to: self)
    }

    deinit { close() }

    func adopt(_ statement: OpaquePointer) { statements.insert(statement) }

    func finalize(_ statement: OpaquePointer) {
        if statements.remove(statement) != nil {
            _ = sq_finalize(table, statement)
        }
    }

    /// The texts of the statements that are prepared, without the values bound to them; those that SQLite's modules
    /// prepare for themselves are not among them.
    var statementTexts: [String] { statements.compactMap { sq_sql(table, $0).map { String(cString: $0) } } }

    /// Finalizes what is left and closes: afterwards no descriptor of the file is open.
    func close() {
        if isClosed {
            return
        }
        isClosed = true
        for statement in statements {
            _ = sq_finalize(table, statement)
        }
        statements = []
        _ = sq_close_v2(table, database)
    }

    /// Runs work that fails at once if a lock is held elsewhere.
    func withoutWaiting<R>(_ work: () -> R) -> R {
        _ = sq_busy_timeout(table, database, 0)
        defer { _ = sq_busy_timeout(table, database, busyTimeout) }
        return work()
    }

    /// Runs statements and ignores their rows.
    func execute(_ sql: String) -> ResultCode {
        ResultCode(rawValue: sq_exec(table, database, sql, nil, nil, nil))
    }

    /// The first value that a statement answers, as text; nil if it fails or answers no row.
    func answer(to sql: String) -> String? { Self.answer(to: sql, table, database) }

    /// The first value that a statement answers in a database, as text; nil if it fails or answers no row.
    static func answer(to sql: String, _ table: UnsafePointer<sq_api>, _ database: OpaquePointer?) -> String? {
        var statement: OpaquePointer?
        guard sq_prepare_v3(table, database, sql, -1, 0, &statement, nil) == SQ_OK, let statement else {
            return nil
        }
        defer { _ = sq_finalize(table, statement) }
        guard sq_step(table, statement) == SQ_ROW, let text = sq_column_text(table, statement, 0) else {
            return nil
        }
        return String(cString: text)
    }

    /// Runs statements, again and again while they are busy, until the busy timeout is over.
    ///
    /// SQLite does not wait by itself if waiting could be a deadlock: of several connections that switch one file to
    /// WAL at the same moment all but one fail at once.
    func executePatiently(_ sql: String) -> ResultCode {
        let end = ContinuousClock.now + .milliseconds(Int(busyTimeout))
        while true {
            let code = execute(sql)
            if code.primary != SQ_BUSY || .now >= end {
                return code
            }
            // A random time, so that the connections that were refused together do not try again together.
            CurrentThread.sleep(.microseconds(Int.random(in: 500...5_000)))
        }
    }

    /// Hands over the key and says how the file is encrypted. Nothing is read yet, so a wrong key is not noticed here.
    func apply(key: Key, settings: ConnectionSettings) throws(Fault) {
        // Set again, because the process may have raised SQLCipher's log level since (see CipherLog). Older versions
        // lack the pragma.
        _ = execute("PRAGMA cipher_log_level = NONE")
        let result = try key.withText { sq_key_v2(table, database, "main", $0.baseAddress, Int32($0.count)) }
        guard result == SQ_OK else {
            throw Fault(.invalidKey, "SQLCipher refuses the key (SQLite code \(result))")
        }
        for pragma in settings.cipher.pragmas(pageSize: settings.pageSize) {
            let code = execute(pragma)
            guard code.rawValue == SQ_OK else {
                throw Fault(
                    .sqlError, "SQLCipher refuses the setting \(pragma.prefix { $0 != "=" })",
                    context: [.resultCode(code.rawValue)])
            }
        }
        _ = execute("PRAGMA cipher_memory_security = OFF")
    }
}
