import OData
import Soups

/// Tests rows by the filter of a query: on cells as far as they tell, else on the documents.
final class RowTest {
    let options: PreparedOptions
    private(set) var execution: RowExecution
    /// Not made for a query whose rows the indexes decide.
    private lazy var tape = RowTape(options)
    /// What the text of each row has that the filter keeps. Computed members are not in the text.
    private lazy var required: RequiredText? =
        options.computations.isEmpty ? options.filter.flatMap { RequiredText($0) } : nil

    /// What the cells of a row tell.
    enum CellAnswer {
        case kept(Bool)
        /// The row must be read.
        case open(ConjunctProgress)
    }

    init(_ options: PreparedOptions, query: RowQuery) {
        self.options = options
        execution = RowExecution(options, query: query)
    }

    /// Whether the filter keeps a row.
    func keeps(_ candidate: Candidate) throws(Fault) -> Bool {
        switch try onCells(candidate) {
        case .kept(let isKept): return isKept
        case .open(let progress):
            return try candidate.withText { (text) throws(Fault) in
                guard mayKeep(text) else { return false }
                return try withRow(text) { (row) throws(Fault) in
                    try keeps(row, try execution.computed(row), candidate.conjuncts, progress)
                }
            }
        }
    }

    /// Whether the filter keeps a row, if its cells decide that.
    func onCells(_ candidate: Candidate) throws(Fault) -> CellAnswer {
        guard options.computations.isEmpty else {
            return .open(ConjunctProgress())
        }
        guard !candidate.conjuncts.isEmpty else {
            return .kept(true)
        }
        var progress = ConjunctProgress()
        if candidate.conjuncts.beginsOnCell {
            let isKept = try execution.keeps(candidate.conjuncts, &progress, cell: candidate.cell)
            if let isKept {
                return .kept(isKept)
            }
        }
        return .open(progress)
    }

    /// What a row that the filter keeps is sorted by; nil if it is not kept.
    func sortKeys(of candidate: Candidate) throws(Fault) -> [SortKey]? {
        let answer = try onCells(candidate)
        if case .kept(false) = answer {
            return nil
        }
        return try candidate.withText { (text) throws(Fault) in
            if case .open = answer {
                guard mayKeep(text) else { return nil }
            }
            return try withRow(text) { (row) throws(Fault) -> [SortKey]? in
                let result = try execution.computed(row)
                if case .open(let progress) = answer {
                    guard try keeps(row, result, candidate.conjuncts, progress) else { return nil }
                }
                return try execution.sortKeys(of: result)
            }
        }
    }

    /// Whether the whole filter keeps a row that may have changed since it was sorted.
    func stillKeeps(_ text: UnsafeRawBufferPointer) throws(Fault) -> Bool {
        guard options.filter != nil else {
            return true
        }
        return try withRow(text) { (row) throws(Fault) in try execution.keeps(try execution.computed(row)) }
    }

    /// The row with its computed members.
    func computed(_ row: RowNode) throws(Fault) -> RowResult { try execution.computed(row) }

    /// The text of what the options make of a row.
    func text(of row: RowResult) throws(Fault) -> [UInt8] { try execution.text(of: row) }

    /// What applies the steps of `$apply` to rows.
    var pipeline: RowPipeline { RowPipeline(execution) }

    /// Adds a row to what `$apply` is applied to.
    func add(_ row: RowNode, to pipeline: inout RowPipeline) throws(Fault) { try pipeline.add(row, &execution) }

    /// The texts of what `$apply` and the options after it make of rows, and their number if it is asked for.
    func results(of pipeline: inout RowPipeline) throws(Fault) -> (texts: [[UInt8]], count: Int64?) {
        try pipeline.results(&execution)
    }

    /// Whether the filter may keep a row with this text, which need not be read to say no.
    private func mayKeep(_ text: UnsafeRawBufferPointer) -> Bool { required?.mayBe(in: text) ?? true }

    private func keeps(
        _ row: RowNode, _ computed: RowResult, _ conjuncts: Conjuncts, _ progress: ConjunctProgress
    ) throws(Fault) -> Bool {
        guard options.computations.isEmpty else {
            return try execution.keeps(computed)
        }
        return try execution.keeps(row, conjuncts, progress)
    }

    private func withRow<R>(
        _ text: UnsafeRawBufferPointer, _ body: (RowNode) throws(Fault) -> R
    ) throws(Fault) -> R {
        try tape.withRow(text, body)
    }
}
