/// All cells there are.
public enum CellCatalogue {
    /// Add a source here; the order is the order of reports.
    static var sources: [any CellSource.Type] {
        [
            ControlCells.self,
        ]
    }

    /// The cells of a scope that its profile runs.
    public static func cells(_ scope: CellScope) -> [Cell] {
        sources.flatMap { $0.cells(scope) }.filter { $0.profile <= scope.profile.name }
    }
}
