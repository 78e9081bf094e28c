/// All cells there are.
public enum CellCatalogue {
    /// Add a source here; the order is the order of reports.
    static var sources: [any CellSource.Type] {
        [
            ControlCells.self,
            OpenCells.self,
            WriteCells.self,
            ReadCells.self,
            FloorCells.self,
            QueryCells.self,
            QueryKindCells.self,
            FullTextSpeedCells.self,
            PagingCells.self,
            SmartSQLCells.self,
            JSONCells.self,
            ODataCells.self,
            ODataPayloadCells.self,
        ]
    }

    /// The cells of a scope that its profile runs; the smoke profile runs all of them.
    public static func cells(_ scope: CellScope) -> [Cell] {
        sources.flatMap { $0.cells(scope) }.filter { scope.profile.name == .smoke || $0.profile <= scope.profile.name }
    }
}
