import OData
import OfflineStore
import Soups

/// Finds the rows that have one of some keys, and lists them by the key.
struct RelatedRows<List: RelatedRowList> {
    /// The keys that are looked for now.
    var wanted: Range<Int> = 0..<0
    private let paths: [[String]]
    private let numbers: [RowKey: Int]
    /// The types of the rows; nil for all.
    private let types: RowTypes?
    /// The rows of each key.
    private(set) var lists: [List]
    /// Reads what the keys and the flag of deleted rows need of a row.
    private let tape: RowTape
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
    ///   - types: The types of the rows; nil for all.
    ///   - empty: What a list begins as.
    init(keys: Int, paths: [[String]], numbers: [RowKey: Int], types: RowTypes? = nil, empty: List) {
        self.types = types
        self.paths = paths
        self.numbers = numbers
        lists = Array(repeating: empty, count: keys)
        let control = types == nil ? [] : [RowMember.control]
        tape = RowTape(names: paths.compactMap(\.first) + ["__locally_deleted__"] + control)
    }

    /// Adds a row of a `RelatedSearch` if it has one of the keys and was not deleted locally.
    mutating func add(_ row: VisitedRow, cell: Int?) throws(Fault) {
        let id = row.integer(at: 0)
        let known = try cell.flatMap { (column) throws(Fault) in
            try row.withText(at: column) { (text) throws(Fault) in key(inCell: text) }
        }
        try row.withEntry(at: RelatedSearch.entry) { (text) throws(Fault) in
            switch known {
            case .wanted(let number)? where types == nil && !RowResult.mayBeDeletedLocally(text):
                try append(id, text, number)
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
            let isRelated = !row.isDeletedLocally && types?.contains(row) ?? true
            return isRelated ? RowKey(of: row, at: paths) : nil
        }
        if let number = key.flatMap({ numbers[$0] }) {
            try append(id, text, number)
        }
    }

    private mutating func append(_ id: Int64, _ text: UnsafeRawBufferPointer, _ number: Int) throws(Fault) {
        guard wanted.contains(number) else { return }
        try lists[number].append(id, text)
    }
}
