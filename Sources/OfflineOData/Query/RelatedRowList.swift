import OData
import Soups

/// Collects the related rows of one key.
protocol RelatedRowList {
    /// Adds the text of a row, in any order of the ids.
    mutating func append(_ id: Int64, _ text: UnsafeRawBufferPointer) throws(Fault)
}

/// The related rows of one key as results, for options that look at them.
struct RelatedResults: RelatedRowList {
    private var ids: [Int64] = []
    private var rows: [RowResult] = []
    private var isSorted = true
    private let areRead: Bool

    /// - Parameter areRead: Whether anything but the texts of the rows is needed, so that they must be valid.
    init(areRead: Bool) { self.areRead = areRead }

    mutating func append(_ id: Int64, _ text: UnsafeRawBufferPointer) throws(Fault) {
        let row = areRead ? try RowExpander.document(text) : RowDocument(checked: text).root
        append(id, .data(row))
    }

    /// Adds the rows of another list that this one lacks.
    mutating func add(_ other: RelatedResults) {
        let known = Set(ids)
        for (id, row) in zip(other.ids, other.rows) where !known.contains(id) {
            append(id, row)
        }
    }

    private mutating func append(_ id: Int64, _ row: RowResult) {
        isSorted = isSorted && ids.last.map { $0 < id } ?? true
        ids.append(id)
        rows.append(row)
    }

    var isEmpty: Bool { ids.isEmpty }

    /// The rows in the order of their ids. An index gives the rows of a key in this order.
    var sorted: [RowResult] {
        isSorted ? rows : rows.indices.sorted { ids[$0] < ids[$1] }.map { rows[$0] }
    }
}

/// The related rows of one key as the text of an array, for options that show all rows as they are.
struct RelatedText: RelatedRowList {
    /// The text of the array, but for its end.
    private var document: RowDocument?
    /// The rows: their ids, and where they are in the text.
    private var rows: [(id: Int64, range: Range<Int>)] = []
    private var isSorted = true

    mutating func append(_ id: Int64, _ row: UnsafeRawBufferPointer) {
        isSorted = isSorted && rows.last.map { $0.id < id } ?? true
        let start = (rows.last?.range.upperBound ?? 0) + 1
        if let document {
            document.append(UInt8(ascii: ","), row)
        } else {
            let document = RowDocument()
            document.append(UInt8(ascii: "["), row)
            self.document = document
        }
        rows.append((id, start..<start + row.count))
    }

    /// Ends the array, and gives it with the rows in the order of their ids. Nothing may be appended afterwards.
    func finishedArray() -> RowResult {
        guard let document else {
            return .list([], count: nil)
        }
        let array = isSorted ? document : sorted(document)
        array.append(UInt8(ascii: "]"))
        return .data(array.root)
    }

    private func sorted(_ document: RowDocument) -> RowDocument {
        let sorted = RowDocument()
        for (index, row) in rows.sorted(by: { $0.id < $1.id }).enumerated() {
            let text = UnsafeRawBufferPointer(rebasing: document.bytes[row.range])
            sorted.append(UInt8(ascii: index == 0 ? "[" : ","), text)
        }
        return sorted
    }
}
