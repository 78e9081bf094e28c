/// One page of a query.
struct QueryPage: Sendable {
    var rows: [[UInt8]]
    var count: Int64?
    var next: QueryPosition
}
