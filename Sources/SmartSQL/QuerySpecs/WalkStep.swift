/// One statement of a walk. Its text depends only on the kind of the position, so it is written once and bound for each
/// page.
struct WalkStep: Sendable {
    let sql: String
    let values: [WalkValue]

    func statement(at position: PageQuery.Position?) -> BoundStatement {
        BoundStatement(sql: sql, bindings: values.map { $0.bound(at: position) })
    }
}
