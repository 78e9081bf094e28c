/// The calls about local changes, the record cache, and the service that a case scripts.
extension CallSignature {
    static let sync: [CallSignature] = [
        CallSignature("sync.answers", ["answers"], needs: [.sync]),
        CallSignature(
            "sync.edit", ["soupName", "operation", "record", "entryId", "changes", "keepsOriginals"], needs: [.sync]),
        CallSignature("sync.doubts", ["soupName"], needs: [.sync]),
        CallSignature("sync.resolveDoubt", ["soupName", "entryId", "createdAs"], needs: [.sync]),
    ]

    static let cache: [CallSignature] = [
        CallSignature(
            "cache.merge", ["mode", "base", "theirs", "yours", "fields", "emptyIsNull"], needs: [.recordCache]),
        CallSignature("cache.init", ["soupName", "indexSpecs", "keyField"], needs: [.recordCache]),
        CallSignature("cache.retrieve", ["soupName", "key", "fields"], needs: [.recordCache]),
        CallSignature("cache.save", ["soupName", "record", "noMerge", "mergeMode"], needs: [.recordCache]),
        CallSignature("cache.saveAll", ["soupName", "records", "noMerge", "mergeMode"], needs: [.recordCache]),
        CallSignature("cache.remove", ["soupName", "key"], needs: [.recordCache]),
        CallSignature("cache.find", ["soupName", "querySpec"], needs: [.recordCache]),
        CallSignature("cache.getMore", ["soupName", "cursorId"], needs: [.recordCache]),
        CallSignature(
            "cache.sync",
            [
                "soupName", "originals", "operation", "cacheMode", "mergeMode", "id", "record", "fields", "sobjectType",
            ], needs: [.recordCache, .sync]),
    ]

    /// Calls of the contract that this version does not know yet. A case with one of them is skipped on every back end.
    static let later: [CallSignature] = [
        "sync.configure", "sync.createSync", "sync.runSync", "sync.reSync", "sync.cleanResyncGhosts",
        "sync.getSyncStatus", "sync.getSyncsWithStatus", "sync.hasSyncWithName", "sync.deleteSync", "sync.stop",
        "sync.managerState", "sync.restart", "sync.loadConfig", "sync.reopen", "sync.describeTarget",
        "sync.fetchMetadata", "sync.fetchLayout",
    ].map { CallSignature($0, needs: [.syncManager]) }
}
