import JSONText
import OData

/// Proves for rows that an index has found by an integer that they have it: by their text, in which the member of this
/// name is written once.
///
/// The cell of such a row equals the integer, so that the row has the member. It may have another value all the same,
/// which the cell is rounded from or converted from, such as a text.
struct PointProof: Sendable {
    private let search: MemberSearch
    /// What is left to evaluate for a row that has the integer.
    let conjuncts: Conjuncts

    /// Nil if the one condition that finds candidates is not a comparison with an integer.
    init?(_ plan: FilterPlan, of filter: ODataEvaluator) {
        guard plan.point != nil, let found = plan.conjuncts.first(where: { $0.bounds != nil }),
            found.bounds?.line == .numberEqual, let search = NumberSpelling(found.node, of: filter)?.search
        else { return nil }
        self.search = search
        conjuncts = Conjuncts(
            plan.conjuncts.map { $0.bounds == nil ? Conjuncts.Part($0.node, on: $0.cell) : nil })
    }

    /// Whether the text of a row proves the integer.
    func holds(for text: UnsafeRawBufferPointer) -> Bool { search.isOnlyMember(in: text) }
}
