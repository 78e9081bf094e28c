/// The calls about local changes, the record cache, and the service that a case scripts.
extension CallSignature {
    static let sync: [CallSignature] = [
        CallSignature("sync.answers", ["answers"], needs: [.sync]),
        CallSignature(
            "sync.edit", ["soupName", "operation", "record", "entryId", "changes", "keepsOriginals"], needs: [.sync]),
        CallSignature("sync.doubts", ["soupName"], needs: [.sync]),
        CallSignature("sync.resolveDoubt", ["soupName", "entryId", "createdAs"], needs: [.sync]),
        CallSignature("sync.configure", ["version", "overlap", "dateHeader"], needs: [.sync]),
        CallSignature("sync.createSync", ["type", "soupName", "target", "options", "name"], needs: [.sync]),
        CallSignature("sync.getSyncStatus", ["syncId", "name"], needs: [.sync]),
        CallSignature("sync.getSyncsWithStatus", ["status"], needs: [.sync]),
        CallSignature("sync.hasSyncWithName", ["name"], needs: [.sync]),
        CallSignature("sync.deleteSync", ["syncId", "name"], needs: [.sync]),
        CallSignature("sync.stop", needs: [.sync]),
        CallSignature("sync.managerState", needs: [.sync]),
        CallSignature("sync.loadConfig", ["config", "text"], needs: [.sync]),
        CallSignature("sync.reopen", needs: [.sync]),
        CallSignature(
            "sync.runSync", ["syncId", "type", "soupName", "target", "options", "name"], needs: [.sync]),
        CallSignature("sync.reSync", ["syncId", "name"], needs: [.sync]),
        CallSignature("sync.cleanResyncGhosts", ["syncId", "name"], needs: [.sync]),
        CallSignature("sync.restart", ["restartStoppedSyncs"], needs: [.sync]),
        CallSignature(
            "sync.describeTarget", ["direction", "target", "soupName", "bound", "syncId"], needs: [.sync]),
        CallSignature("sync.fetchMetadata", ["sobjectType", "mode"], needs: [.sync]),
        CallSignature(
            "sync.fetchLayout", ["sobjectType", "mode", "formFactor", "layoutType", "layoutMode", "recordTypeId"],
            needs: [.sync]),
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
    static let later: [CallSignature] = []
}
