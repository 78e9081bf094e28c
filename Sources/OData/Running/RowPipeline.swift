package import Soups

/// Applies the steps of `$apply` to rows that come one at a time.
///
/// Rows that a reducing step follows are not kept: the running values of the groups are. Other steps need all rows
/// together.
package struct RowPipeline {
    /// The steps that are applied to each row as it comes.
    private let leading: ArraySlice<PreparedTransformation>
    /// The step after them, if the rows need not be kept for it.
    private var reduction: EntityReduction<RowNode>?
    /// The members of a row that its group is told by; nil if they may be any of them.
    private let groupingMembers: [String]?
    /// The steps after those, and the options after `$apply`.
    private let following: PreparedOptions
    /// The rows, where they are kept.
    private var rows: [RowResult] = []
    /// About how many bytes are kept.
    package private(set) var byteCount = 0

    /// What a row takes in memory besides its text: the document with its tape.
    private static var bytesForDocument: Int { 1_024 }

    package init(_ execution: RowExecution) {
        let steps = execution.options.transformations[...]
        let ofOneRow = steps.prefix(while: \.isOfOneEntity)
        reduction = steps.dropFirst(ofOneRow.count).first.flatMap {
            EntityReduction($0, model: execution.execution.model)
        }
        groupingMembers = reduction?.groups?.readMembers
        // Computed members would make rows larger that are kept.
        leading = reduction == nil ? steps.prefix(while: \.isFilter) : ofOneRow
        var following = execution.options
        following.transformations = Array(steps.dropFirst(leading.count + (reduction == nil ? 0 : 1)))
        self.following = following
    }

    /// Adds a row.
    package mutating func add(_ row: RowNode, _ execution: inout RowExecution) throws(Fault) {
        var result = RowResult.data(row)
        for step in leading {
            guard try execution.execution.apply(step, toOne: &result) else { return }
        }
        guard var reduction else {
            rows.append(result)
            byteCount += Self.byteCount(of: result)
            return
        }
        // The only other reference goes first, so that the groups are not copied.
        self.reduction = nil
        let known = reduction.byteCount
        var newGroup = 0
        try execution.execution.add(result, to: &reduction) { [groupingMembers] entity in
            let kept = Self.keeping(groupingMembers, of: entity)
            newGroup = Self.byteCount(of: kept)
            return kept
        }
        byteCount += newGroup + reduction.byteCount - known
        self.reduction = reduction
    }

    /// What is kept of the first row of a group: the other members, which can be long, go with their row. Computed
    /// members are of types that a text does not have.
    private static func keeping(_ names: [String]?, of entity: RowResult) -> RowResult {
        guard let names, case .data(let row) = entity else {
            return entity
        }
        return .data(RowText.text(of: row, keeping: names).withUnsafeBytes { RowDocument(checked: $0).root })
    }

    private static func byteCount(of result: RowResult) -> Int {
        (result.origin?.bytes.count ?? 0) + bytesForDocument
    }

    /// The texts of the results of `$apply` and of the options after it, and their number before `$skip` and `$top` if
    /// it is asked for.
    package mutating func results(
        _ execution: inout RowExecution
    ) throws(Fault) -> (texts: [[UInt8]], count: Int64?) {
        let entities = try reduction?.results() ?? rows
        let (texts, count) = try execution.execution.run(following, on: entities) { result -> [UInt8] in
            var text: [UInt8] = []
            RowText.append(result, to: &text)
            return text
        }
        return (texts, count)
    }
}
