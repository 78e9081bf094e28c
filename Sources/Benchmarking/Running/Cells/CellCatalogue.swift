/// All cells there are.
public enum CellCatalogue {
    /// Add a source here; the order is the order of reports.
    static var sources: [any CellSource.Type] {
        [
            ControlCells.self,
            OpenCells.self,
            WriteCells.self,
            LoadCells.self,
            LoadQueryCells.self,
            AlterCells.self,
            ExternalLoadCells.self,
            ScriptLoadCells.self,
            JSONLinesLoadCells.self,
            RemovalCells.self,
            PartitionCells.self,
            PathDepthCells.self,
            ReadCells.self,
            FloorCells.self,
            QueryCells.self,
            PhaseCells.self,
            QueryKindCells.self,
            FullTextSpeedCells.self,
            PagingCells.self,
            SmartSQLCells.self,
            JSONCells.self,
            JSONPeerCells.self,
            ODataCells.self,
            ODataPayloadCells.self,
            ODataMemoryCells.self,
        ]
    }

    /// All cells of a scope. Which of them a run measures is decided by `PlannedCell`.
    public static func cells(_ scope: CellScope) -> [Cell] { sources.flatMap { $0.cells(scope) } }
}
