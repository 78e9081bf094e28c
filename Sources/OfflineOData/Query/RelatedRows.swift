import OData
import OfflineStore
import Soups

/// Collects the rows that have one of some keys.
struct RelatedRows {
    /// The keys that are looked for now.
    var wanted: Range<Int> = 0..<0
    private let paths: [[String]]
    private let numbers: [RowKey: Int]
    private var lists: [[(id: Int64, row: RowResult)]]
    /// Reads what the keys and the flag of deleted rows need of a row.
    private let tape: RowTape
    private let areRead: Bool
    /// The last cell and the key that it proves. An index gives the rows of a key one after the other.
    private var last: (cell: [UInt8], key: CellKey)?

    /// What the cell of a row tells about its key.
    private enum CellKey {
        case wanted(Int)
        case notWanted
        /// The row must be read.
        case unknown
    }

    /// - Parameters:
    ///   - paths: Where the rows have the parts of their keys.
    ///   - numbers: The keys, each with its number.
    ///   - areRead: Whether anything but the texts of the rows is needed, so that they must be valid.
    init(keys: Int, paths: [[String]], numbers: [RowKey: Int], areRead: Bool) {
        self.areRead = areRead
        self.paths = paths
        self.numbers = numbers
        lists = Array(repeating: [], count: keys)
        tape = RowTape(names: paths.compactMap(\.first) + ["__locally_deleted__"])
    }

    /// Adds a row of a `RelatedSearch` if it has one of the keys and was not deleted locally.
    mutating func add(_ row: VisitedRow, cell: Int?) throws(Fault) {
        let id = row.integer(at: 0)
        let known = try cell.flatMap { (column) throws(Fault) in
            try row.withText(at: column) { (text) throws(Fault) in key(inCell: text) }
        }
        try row.withEntry(at: RelatedSearch.entry) { (text) throws(Fault) in
            switch known {
            case .wanted(let number)? where !RowResult.mayBeDeletedLocally(text): try append(id, text, number)
            case .notWanted?: break
            default: try add(id, text)
            }
        }
    }

    /// The key that a cell proves. A cell that can be nothing but a text is one, so that the row need not be read.
    private mutating func key(inCell text: UnsafeRawBufferPointer) -> CellKey {
        if let last, last.cell.count == text.count, last.cell.elementsEqual(text) {
            return last.key
        }
        let key: CellKey =
            if case .text(let value) = PlainText.value(text) {
                numbers[RowKey(text: value)].map { .wanted($0) } ?? .notWanted
            } else {
                .unknown
            }
        last = (Array(text), key)
        return key
    }

    /// Adds a row if it has one of the keys and was not deleted locally.
    mutating func add(_ id: Int64, _ text: UnsafeRawBufferPointer) throws(Fault) {
        let key = try tape.withRow(text) { (row) throws(Fault) -> RowKey? in
            let row = RowResult.data(row)
            return row.isDeletedLocally ? nil : RowKey(of: row, at: paths)
        }
        if let number = key.flatMap({ numbers[$0] }) {
            try append(id, text, number)
        }
    }

    private mutating func append(_ id: Int64, _ text: UnsafeRawBufferPointer, _ number: Int) throws(Fault) {
        guard wanted.contains(number) else { return }
        let row = areRead ? try RowExpander.document(text) : RowDocument(checked: text).root
        lists[number].append((id, .data(row)))
    }

    /// The rows of each key in the order of their ids.
    func sortedLists() -> [[RowResult]] {
        lists.map { list in
            // An index gives the rows of a key in this order.
            let isSorted = zip(list, list.dropFirst()).allSatisfy { $0.id < $1.id }
            return (isSorted ? list : list.sorted { $0.id < $1.id }).map(\.row)
        }
    }
}
