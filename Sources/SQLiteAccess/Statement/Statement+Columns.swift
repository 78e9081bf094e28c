import CSQLite
public import Soups

extension Statement {
    /// The number of columns of a row; 0 if the statement has no rows.
    public var columnCount: Int { pointer.map { Int(sq_column_count(table, $0)) } ?? 0 }

    /// Returns the name of a column; columns count from 0.
    public func columnName(at column: Int) -> String {
        guard let pointer, let name = sq_column_name(table, pointer, Int32(clamping: column)) else {
            return ""
        }
        return String(cString: name)
    }

    /// Returns whether the column is NULL.
    public func isNull(at column: Int) -> Bool { type(at: column) == SQ_NULL }

    /// Returns whether the column holds text.
    public func isText(at column: Int) -> Bool { type(at: column) == SQ_TEXT }

    /// Reads a column as an integer, converted by SQLite if it holds something else; 0 for NULL.
    public func integer(at column: Int) -> Int64 {
        pointer.map { sq_column_int64(table, $0, Int32(clamping: column)) } ?? 0
    }

    /// Reads a column as a floating-point number, converted by SQLite if it holds something else; 0 for NULL.
    public func real(at column: Int) -> Double {
        pointer.map { sq_column_double(table, $0, Int32(clamping: column)) } ?? 0
    }

    /// Lends the bytes of a text (UTF-8) or blob, without a copy, until the next step, reset or other reading of the
    /// column. NULL lends no bytes.
    ///
    /// Returns a pointer instead of calling a closure with it, because a generic call for each row costs more than
    /// copying the row.
    public func lentBytes(at column: Int) -> UnsafeRawBufferPointer {
        guard let pointer else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let column = Int32(clamping: column)
        // The text must be read before its length, because reading may convert it.
        let start =
            sq_column_type(table, pointer, column) == SQ_BLOB
            ? sq_column_blob(table, pointer, column) : UnsafeRawPointer(sq_column_text(table, pointer, column))
        let count = Int(sq_column_bytes(table, pointer, column))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// Copies the bytes that `lentBytes` lends.
    public func bytes(at column: Int) -> [UInt8] { Array(lentBytes(at: column)) }

    /// Copies a column as a string; invalid UTF-8 is repaired.
    public func text(at column: Int) -> String { String(decoding: lentBytes(at: column), as: UTF8.self) }

    /// Copies the value with SQLite's own type.
    public func value(at column: Int) -> SQLValue {
        switch type(at: column) {
        case SQ_INTEGER: .integer(integer(at: column))
        case SQ_FLOAT: .real(real(at: column))
        case SQ_TEXT: .text(bytes(at: column))
        case SQ_BLOB: .blob(bytes(at: column))
        default: .null
        }
    }

    private func type(at column: Int) -> Int32 {
        pointer.map { sq_column_type(table, $0, Int32(clamping: column)) } ?? SQ_NULL
    }
}

extension Statement {
    /// Reads the counts and, if `reset` is true, sets them back to 0.
    public func counters(reset: Bool = true) -> StatementCounters {
        func count(_ id: Int32) -> Int { pointer.map { Int(sq_stmt_status(table, $0, id, reset ? 1 : 0)) } ?? 0 }
        return StatementCounters(
            machineSteps: count(SQ_STMTSTATUS_VM_STEP), scanSteps: count(SQ_STMTSTATUS_FULLSCAN_STEP),
            sorts: count(SQ_STMTSTATUS_SORT))
    }

    /// Whether SQLite had to prepare the statement again since it was made, as it does when the schema has changed.
    /// Needs no lock of the file.
    public var wasPreparedAgain: Bool {
        pointer.map { sq_stmt_status(table, $0, SQ_STMTSTATUS_REPREPARE, 0) > 0 } ?? false
    }

    /// Whether the statement changes nothing by itself.
    public var isReadOnly: Bool { pointer.map { sq_stmt_readonly(table, $0) != 0 } ?? true }
}

extension Statement {
    /// Steps through all rows that are left, and returns the text in the first column of each.
    package func texts() throws(Fault) -> [String] {
        var texts: [String] = []
        while try step() {
            texts.append(text(at: 0))
        }
        return texts
    }

    /// Steps through all rows that are left, and returns the integer in the first column of each.
    package func integers() throws(Fault) -> [Int64] {
        var integers: [Int64] = []
        while try step() {
            integers.append(integer(at: 0))
        }
        return integers
    }
}
