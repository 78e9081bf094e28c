import Benchmarking

/// Returns cells that belong together. Each source is an enum in a file of its own and is listed in
/// `SoupCells.sources`.
protocol CellSource {
    /// The cells at the sizes and for the documents of the scope. Must be cheap: data is generated only when a cell
    /// prepares.
    static func cells(_ scope: CellScope) -> [Cell]
}
