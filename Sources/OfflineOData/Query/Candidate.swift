import OData
import OfflineStore
import Soups

/// A row that may be in the result. It is valid only while it is shown.
struct Candidate {
    let id: Int64
    /// What is left to evaluate: the conjuncts that the statement which found the row does not prove.
    let conjuncts: Conjuncts
    private let source: Source

    private enum Source {
        /// The row of a statement of `CandidateStatement`, with its entry.
        case row(VisitedRow)
        /// The row of one without entries.
        case cells(VisitedRow)
        case text(UnsafeRawBufferPointer)
    }

    /// A row of a statement.
    init(_ row: VisitedRow, _ conjuncts: Conjuncts, hasEntry: Bool) {
        id = row.integer(at: 0)
        self.conjuncts = conjuncts
        source = hasEntry ? .row(row) : .cells(row)
    }

    init(id: Int64, _ conjuncts: Conjuncts, text: UnsafeRawBufferPointer) {
        self.id = id
        self.conjuncts = conjuncts
        source = .text(text)
    }

    /// What the cell with a number says of the value in the row.
    func cell(_ number: Int) -> CellText {
        let row: VisitedRow
        switch source {
        case .row(let found), .cells(let found): row = found
        case .text: return .unsure
        }
        let text = try? row.withText(at: CandidateStatement.firstCell + number) { (text) throws(Fault) in
            PlainText.value(text)
        }
        return text ?? .null
    }

    /// Lends the text of the row.
    func withText<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        switch source {
        case .row(let row): try Self.withEntry(of: row, body)
        case .cells: throw Fault(.corrupt, "the entry of a row was not read")
        case .text(let text): try body(text)
        }
    }

    /// Lends the text of the row of a statement with entries.
    static func withEntry<R>(
        of row: VisitedRow, _ body: (UnsafeRawBufferPointer) throws(Fault) -> R
    ) throws(Fault) -> R {
        try row.withEntry(at: row.count - 1, body)
    }

    /// Copies the text of the row.
    func text() throws(Fault) -> [UInt8] {
        if case .row(let row) = source {
            return try row.entryBytes(at: row.count - 1)
        }
        return try withText { (text) throws(Fault) in Array(text) }
    }
}
