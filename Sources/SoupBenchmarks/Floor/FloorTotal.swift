/// Counts what a run of the floor returned, so that a run that did nothing is noticed.
struct FloorTotal: Sendable, Hashable {
    let rows: Int64
    let bytes: Int64
}
