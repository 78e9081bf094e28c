import CSQLite
public import Soups

/// Runs one prepared statement: bind, step, read, reset. Belongs to its connection's thread.
///
/// Parameters count from 1, columns from 0, as in SQLite. What a column returns is valid until the next step or reset.
public final class Statement {
    public let sql: String
    /// Keeps the connection's handle alive, not the connection: the connection's cache holds statements.
    let handle: RawHandle
    private let prepared: OpaquePointer
    /// The statement; nil once its connection is closed.
    var pointer: OpaquePointer? { handle.isClosed ? nil : prepared }
    /// Whether a step has returned a row and the statement was not reset since.
    private(set) var isRunning = false
    let table: UnsafePointer<sq_api>
    private let watch: CallWatch
    public let parameterCount: Int

    /// - Throws: `sqlError` with the byte offset into the text, also if the text has no statement or more than one.
    init(_ sql: String, on connection: Connection) throws(Fault) {
        self.sql = sql
        handle = connection.handle
        table = handle.table
        watch = handle.watch
        let (result, pointer, rest) = Self.prepare(sql, handle)
        guard result == SQ_OK else {
            throw .sqlite(result, handle, doing: "preparing a statement", mayQuoteValues: false, offsets: true)
        }
        guard let pointer else {
            throw Fault(.sqlError, "the text contains no statement", offset: 0)
        }
        prepared = pointer
        handle.adopt(pointer)
        parameterCount = Int(sq_bind_parameter_count(table, pointer))
        if let rest {
            throw Fault(.sqlError, "the text contains more than one statement", offset: rest)
        }
    }

    deinit { handle.finalize(prepared) }

    /// Prepares the first statement. `rest` is the offset of anything but blanks and semicolons after it.
    private static func prepare(_ sql: String, _ handle: RawHandle) -> (Int32, OpaquePointer?, rest: Int?) {
        var sql = sql
        return sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var pointer: OpaquePointer?
                var tail: UnsafePointer<CChar>?
                let result = sq_prepare_v3(
                    handle.table, handle.database, text.baseAddress, Int32(clamping: text.count),
                    UInt32(SQ_PREPARE_PERSISTENT), &pointer, &tail)
                guard result == SQ_OK, let start = text.baseAddress, let tail else {
                    return (result, pointer, nil)
                }
                let used = start.distance(to: tail)
                let rest = text[used...].firstIndex { $0 > 32 && $0 != CChar(UInt8(ascii: ";")) || $0 < 0 }
                return (result, pointer, rest)
            }
        }
    }

    /// Runs to the next row; returns false if there are no more.
    ///
    /// - Throws: `busy`, `diskFull`, `readOnly`, `corrupt`, `inputOutput`, `sqlError`, as SQLite reports; the statement
    ///   is then reset. In a transaction that SQLite has rolled back by itself, the fault that caused it. In a
    ///   cancelled call, `closed`.
    public func step() throws(Fault) -> Bool {
        if watch.isWatched {
            try refuse()
        }
        guard let pointer else {
            throw Fault(.closed, "the connection of this statement is closed")
        }
        switch sq_step(table, pointer) {
        case SQ_ROW:
            isRunning = true
            return true
        case SQ_DONE:
            isRunning = false
            return false
        case let result:
            // A user's text can make a function quote what it reads from an entry.
            let mayQuoteValues = parameterCount > 0 || handle.authorizer.readable != nil
            let fault = Fault.sqlite(result, handle, doing: "running a statement", mayQuoteValues: mayQuoteValues)
            reset()
            throw watch.note(fault, isInTransaction: sq_get_autocommit(table, handle.database) == 0)
        }
    }

    /// Throws what prevents a step. Kept apart from `step`, which stays short that way.
    private func refuse() throws(Fault) {
        do throws(Fault) {
            try watch.check()
        } catch {
            reset()
            throw error
        }
    }

    /// Runs a statement that returns no rows to its end, and makes it ready for the next values.
    public func run() throws(Fault) {
        while try step() {}
        reset()
    }

    /// Makes the statement ready to run again; bound values stay.
    public func reset() {
        guard let pointer else { return }
        _ = sq_reset(table, pointer)
        isRunning = false
    }

    /// Resets and forgets the bound values.
    public func clear() {
        guard let pointer else { return }
        reset()
        _ = sq_clear_bindings(table, pointer)
    }
}
