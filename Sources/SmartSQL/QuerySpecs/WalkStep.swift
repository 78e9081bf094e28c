/// Holds one statement of a walk. Its text depends on where the walk stands only by the kind of place, so it is written
/// once and bound for each page.
struct WalkStep: Sendable {
    let sql: String
    let values: [WalkValue]

    func statement(at position: PageQuery.Position?) -> BoundStatement {
        BoundStatement(sql: sql, bindings: values.map { $0.bound(at: position) })
    }
}
