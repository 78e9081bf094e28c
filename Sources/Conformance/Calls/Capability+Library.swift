import SQLiteAccess

extension Capability {
    /// The capabilities of a store with a library.
    static func all(of library: SQLiteLibrary) -> Set<Capability> {
        let offered = library.capabilities
        var all = Capability.unnamedBefore.union([
            .externalStorage, .globalStores, .explain, .transactions, .fullTextIndexes, .readOnly,
            .batchReads,
        ])
        if offered.fts4 {
            all.insert(.fts4)
        }
        if offered.fts5 {
            all.insert(.fts5)
        }
        if offered.json1 {
            all.insert(.json1)
        }
        if offered.encryption {
            all.insert(.encryption)
        }
        return all.union(ODataCalls.capabilities).union(SOQLCalls.capabilities).union(SyncCalls.capabilities)
            .union(CacheCalls.capabilities).union(KeyValueCalls.capabilities).union(ObservationCalls.capabilities)
            .union(MaintenanceCalls.capabilities).union(UpkeepCalls.capabilities).union(TableCalls.capabilities)
            .union(SoupQueryCalls.capabilities).union(OfflineCalls.capabilities).union(WholeEntryCalls.capabilities)
            .union(AwaitingCalls.capabilities).union(CallerCalls.capabilities).union(SuspensionCalls.capabilities)
            .union(StateCalls.capabilities)
    }
}
