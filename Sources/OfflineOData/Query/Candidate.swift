import OfflineStore
import Soups

/// A row that may be in the result.
struct Candidate {
    let id: Int64
    /// Whether the conditions of the statement that found the row prove the conjuncts that they stand for.
    let isSure: Bool
    private let source: Source

    private enum Source {
        /// A cell of the statement that found it.
        case cell(VisitedRow, Int)
        case text([UInt8])
    }

    init(id: Int64, isSure: Bool, row: VisitedRow, cell: Int) {
        self.id = id
        self.isSure = isSure
        source = .cell(row, cell)
    }

    init(id: Int64, isSure: Bool, text: [UInt8]) {
        self.id = id
        self.isSure = isSure
        source = .text(text)
    }

    /// Lends the text of the row.
    func withText<R>(_ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R {
        switch source {
        case .cell(let row, let cell): return try row.withEntry(at: cell, body)
        case .text(let text):
            return try text.withUnsafeBufferPointer { (buffer) throws(Fault) in
                try body(UnsafeRawBufferPointer(buffer))
            }
        }
    }

    /// Copies the text of the row.
    func text() throws(Fault) -> [UInt8] {
        if case .text(let text) = source {
            return text
        }
        return try withText { (text) throws(Fault) in Array(text) }
    }
}
