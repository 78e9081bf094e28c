package import Benchmarking
package import JSONText
package import Soups

/// All cells of this package: the costs of the stores, of their queries, and of the readers of OData and JSON.
package struct SoupCells: CellCatalogue {
    package init() {}

    /// Add a source here; the order is the order of reports.
    private static var sources: [any CellSource.Type] {
        [
            ControlCells.self,
            OpenCells.self,
            KeyCells.self,
            WriteCells.self,
            LoadCells.self,
            LoadQueryCells.self,
            AlterCells.self,
            ExternalLoadCells.self,
            ScriptLoadCells.self,
            JSONLinesLoadCells.self,
            RemovalCells.self,
            PartitionCells.self,
            GrowthCells.self,
            PathDepthCells.self,
            ReadCells.self,
            ReadWhileWritingCells.self,
            FloorCells.self,
            StoreFloorCells.self,
            QueryCells.self,
            PhaseCells.self,
            InstructionCells.self,
            SettingsCells.self,
            QueryKindCells.self,
            FullTextSpeedCells.self,
            PagingCells.self,
            SmartSQLCells.self,
            AggregateCells.self,
            JSONCells.self,
            JSONPeerCells.self,
            PeerCells.self,
            ODataCells.self,
            ODataPayloadCells.self,
            ODataMemoryCells.self,
            ODataBatchCells.self,
            SOQLCells.self,
            MergeCells.self,
            SyncDownCells.self,
            SyncMemoryCells.self,
            GhostCells.self,
            SyncStopCells.self,
            MockSyncCells.self,
            MockSyncUpCells.self,
            SyncUpCells.self,
            SyncIdleCells.self,
            SyncCreationCells.self,
            SyncUpMemoryCells.self,
            ODataSoupCells.self,
            ODataApplyCells.self,
            ODataEvaluationCells.self,
            ODataLoadCells.self,
            ODataPushCells.self,
            ObservationCells.self,
            CodableCells.self,
            KeyValueCells.self,
            CareCells.self,
        ]
    }

    package func cells(_ scope: CellScope) -> [Cell] { Self.sources.flatMap { $0.cells(scope) } }

    package func corpora(_ scope: CellScope) -> [Corpus] {
        if let documents = scope.documents {
            return [documents.corpus]
        }
        return scope.sizes.map { Corpus(generated: $0, hash: GeneratedCorpus(seed: scope.seed).hash) }
    }

    package func documents(json: JSONValue) throws(Fault) -> any OwnDocuments { try DocumentCorpus(json: json) }

    package func storage() -> StorageFacts {
        let libraries = Libraries.find()
        return StorageFacts(
            identity: libraries.identity, libraries: libraries.json, missing: libraries.missing,
            arms: StorageSettings.json)
    }

    /// The cells that show the noise of this machine: one without storage, and one that reads from a store.
    package var noiseCells: [Cell] {
        cells(CellScope(profile: Profile(.quick), sizes: [1_000])).filter {
            ["control", "retrieve"].contains($0.workload)
        }
    }
}
