import SQLiteAccess
public import Soups

/// A row that is shown to a closure. It is valid only until the closure returns.
///
/// A cell is read when it is asked for, so that a row costs what is looked at.
public struct VisitedRow {
    /// What the rows of a statement share. It is an object, so that a copy of a row counts one reference.
    final class Source {
        let statement: Statement
        let columns: [SmartExecution.Column]
        let read: (SmartExecution.Column) throws(Fault) -> StoreCell

        init(
            _ statement: Statement, columns: [SmartExecution.Column],
            read: @escaping (SmartExecution.Column) throws(Fault) -> StoreCell
        ) {
            self.statement = statement
            self.columns = columns
            self.read = read
        }
    }

    let source: Source
    private var statement: Statement { source.statement }
    private var columns: [SmartExecution.Column] { source.columns }

    private func read(_ column: SmartExecution.Column) throws(Fault) -> StoreCell { try source.read(column) }

    /// The number of cells.
    public var count: Int { columns.count }

    /// Reads a cell as the rows of `runSmartQuery` have it.
    ///
    /// - Throws: `corrupt` if the file of an external entry is missing or damaged.
    public func cell(at index: Int) throws(Fault) -> StoreCell { try read(columns[index]) }

    /// Reads all cells.
    ///
    /// - Throws: as `cell(at:)`.
    public func cells() throws(Fault) -> [StoreCell] {
        var cells: [StoreCell] = []
        cells.reserveCapacity(columns.count)
        for column in columns {
            cells.append(try read(column))
        }
        return cells
    }

    /// The integer in a cell of values; 0 for null.
    package func integer(at index: Int) -> Int64 {
        guard case .value(let column) = columns[index] else { return 0 }
        return statement.integer(at: column)
    }

    /// The number in a cell of values; 0 for null.
    package func real(at index: Int) -> Double {
        guard case .value(let column) = columns[index] else { return 0 }
        return statement.real(at: column)
    }

    /// The text in a cell of values; nil for null.
    package func text(at index: Int) -> String? {
        guard case .value(let column) = columns[index], !statement.isNull(at: column) else { return nil }
        return statement.text(at: column)
    }

    /// Lends the bytes of a text without a copy; nil for a cell that does not hold a text.
    package func withText<R>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws(Fault) -> R
    ) throws(Fault) -> R? {
        guard case .value(let column) = columns[index], statement.isText(at: column) else { return nil }
        return try body(statement.lentBytes(at: column))
    }

    /// Lends the bytes of an entry, without a copy where the entry is in the table.
    ///
    /// - Throws: what the closure throws; `corrupt` for a cell without an entry.
    package func withEntry<R>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws(Fault) -> R
    ) throws(Fault) -> R {
        if case .entry(let column) = columns[index] {
            return try body(statement.lentBytes(at: column))
        }
        guard case .entry(let bytes) = try read(columns[index]) else {
            throw Fault(.corrupt, "an entry is missing")
        }
        return try Self.lending(bytes, body)
    }

    /// Copies the bytes of an entry.
    ///
    /// - Throws: `corrupt` for a cell without an entry.
    package func entryBytes(at index: Int) throws(Fault) -> [UInt8] {
        if case .entry(let column) = columns[index] {
            return statement.bytes(at: column)
        }
        guard case .entry(let bytes) = try read(columns[index]) else {
            throw Fault(.corrupt, "an entry is missing")
        }
        return bytes
    }

    private static func lending<R>(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(Fault) -> R
    ) throws(Fault) -> R {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}
