public import Soups

/// Holds one row of a Smart SQL text: cells by position, and by the name of the column.
///
/// Conversions are strict: integers give `Int64` and `Double`, reals `Double`, texts `String`, 0 and 1 `Bool`, blobs
/// and texts bytes. Anything else is `typeMismatch`, which names the column and never the value.
public struct StoreRow: Sendable, Hashable, RandomAccessCollection {
    /// The names of the columns, in order.
    public let columns: [String]
    let cells: [StoreCell]

    init(columns: [String], cells: [StoreCell]) {
        self.columns = columns
        self.cells = cells
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { cells.count }

    /// Returns the cell at a position.
    public subscript(index: Int) -> StoreCell { cells[index] }

    /// Returns the cell of the first column with that name, compared by bytes; `nil` if no column has it.
    public subscript(name: String) -> StoreCell? {
        let name = ByteKey(name)
        return columns.firstIndex { ByteKey($0) == name }.map { cells[$0] }
    }

    // MARK: - Values

    /// Returns the integer at a position. Throws `typeMismatch` for another type and NULL.
    public func int64(_ index: Int) throws(Fault) -> Int64 { try need(cells[index].int64, index, "an integer") }

    /// Returns the number at a position as a double. Throws `typeMismatch` for another type and NULL.
    public func double(_ index: Int) throws(Fault) -> Double { try need(cells[index].double, index, "a number") }

    /// Returns the text at a position. Throws `typeMismatch` for another type, NULL, and text that is not UTF-8.
    public func string(_ index: Int) throws(Fault) -> String { try need(cells[index].string, index, "a text") }

    /// Returns the boolean at a position, which SQLite stores as 0 or 1. Throws `typeMismatch` for another value and
    /// NULL.
    public func bool(_ index: Int) throws(Fault) -> Bool { try need(cells[index].bool, index, "0 or 1") }

    /// Returns the bytes of a blob or a text at a position. Throws `typeMismatch` for another type and NULL.
    public func bytes(_ index: Int) throws(Fault) -> [UInt8] { try need(cells[index].bytes, index, "a blob or a text") }

    /// Returns the JSON text of the entry at a position. Throws `typeMismatch` for another type and NULL.
    public func entry(_ index: Int) throws(Fault) -> ArraySlice<UInt8> {
        try need(cells[index].entry, index, "an entry")
    }

    // MARK: - Values that may be NULL

    /// Returns the integer at a position; `nil` for NULL. Throws `typeMismatch` for another type.
    public func int64IfPresent(_ index: Int) throws(Fault) -> Int64? { isNull(index) ? nil : try int64(index) }

    /// Returns the number at a position as a double; `nil` for NULL. Throws `typeMismatch` for another type.
    public func doubleIfPresent(_ index: Int) throws(Fault) -> Double? { isNull(index) ? nil : try double(index) }

    /// Returns the text at a position; `nil` for NULL. Throws `typeMismatch` for another type.
    public func stringIfPresent(_ index: Int) throws(Fault) -> String? { isNull(index) ? nil : try string(index) }

    /// Returns the boolean at a position; `nil` for NULL. Throws `typeMismatch` for another type.
    public func boolIfPresent(_ index: Int) throws(Fault) -> Bool? { isNull(index) ? nil : try bool(index) }

    /// Returns the bytes at a position; `nil` for NULL. Throws `typeMismatch` for another type.
    public func bytesIfPresent(_ index: Int) throws(Fault) -> [UInt8]? { isNull(index) ? nil : try bytes(index) }

    /// Returns the entry at a position; `nil` for NULL. Throws `typeMismatch` for another type.
    public func entryIfPresent(_ index: Int) throws(Fault) -> ArraySlice<UInt8>? {
        isNull(index) ? nil : try entry(index)
    }

    private func isNull(_ index: Int) -> Bool { cells[index].isNull }

    private func need<Value>(_ value: Value?, _ index: Int, _ what: String) throws(Fault) -> Value {
        guard let value else {
            throw Fault(
                .typeMismatch, "the column \(columns[index]) holds \(cells[index].kindName) and not \(what)")
        }
        return value
    }

    public static func == (a: StoreRow, b: StoreRow) -> Bool {
        a.cells == b.cells && a.columns.elementsEqual(b.columns) { $0.utf8.elementsEqual($1.utf8) }
    }
}
