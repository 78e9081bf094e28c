/// The calls of store and query.
extension CallSignature {
    static let program = [
        CallSignature("hello", ["format"], dependsOnBackEnd: true),
        CallSignature("reset", cannotFail: true),
    ]

    static let soups = [
        CallSignature("registerSoup", ["soupName", "soupSpec", "indexSpecs"]),
        CallSignature("soupExists", ["soupName"]),
        CallSignature("getSoupIndexSpecs", ["soupName"]),
        CallSignature("getSoupSpec", ["soupName"]),
        CallSignature("getAllSoupNames"),
        CallSignature("alterSoup", ["soupName", "indexSpecs", "reIndexData", "soupSpec"], needs: [.alter]),
        CallSignature("reIndexSoup", ["soupName", "paths"], needs: [.alter]),
        CallSignature("clearSoup", ["soupName"]),
        CallSignature("removeSoup", ["soupName"]),
    ]

    static let entries = [
        CallSignature("upsertSoupEntries", ["soupName", "entries", "text", "externalIdPath"]),
        CallSignature("retrieveSoupEntries", ["soupName", "entryIds"]),
        CallSignature("removeFromSoup", ["soupName", "entryIds", "querySpec"]),
        CallSignature("readEntries", ["soupName", "entryIds", "querySpec", "limit"], needs: [.wholeEntries]),
        CallSignature("storeValues", ["soupName", "entries", "externalIdPath"], needs: [.wholeEntries]),
        CallSignature("replaceEntries", ["soupName", "entries"], needs: [.wholeEntries]),
    ]

    static let queries = [
        CallSignature("querySoup", ["soupName", "querySpec"]),
        CallSignature("runSmartQuery", ["querySpec", "arguments"], needs: [.smartSQL]),
        CallSignature("countQuery", ["querySpec", "soupName", "arguments"]),
        CallSignature(
            "explainQuery", ["querySpec", "soupName", "arguments"], needs: [.explain], dependsOnBackEnd: true),
        CallSignature("translateSmartSQL", ["smartSql"], needs: [.translation]),
        CallSignature("describeQuerySpec", ["querySpec", "soupName"], needs: [.translation]),
        CallSignature(
            "smartRows", ["smartSql", "arguments", "limit", "visited", "named"], needs: [.batchReads, .smartSQL]),
        CallSignature("lookUpKeys", ["soupName", "path", "keys", "selectPaths"], needs: [.batchReads]),
    ]

    static let cursors = [
        CallSignature("moveCursorToPageIndex", ["cursorId", "index"], needs: [.cursors]),
        CallSignature("moveCursorToNextPage", ["cursorId"], needs: [.cursors]),
        CallSignature("moveCursorToPreviousPage", ["cursorId"], needs: [.cursors]),
        CallSignature("closeCursor", ["cursorId"], needs: [.cursors]),
    ]

    static let transactions =
        ["beginTransaction", "commit", "rollback"].map { CallSignature($0, needs: [.transactions]) } + [
            CallSignature("store.state", needs: [.states]),
            CallSignature("requireUnchanged", ["handle", "soups"], needs: [.states]),
        ]

    static let callers = [CallSignature("atOnce", ["calls", "ends"], needs: [.callers], dependsOnBackEnd: true)]

    static let stores = [
        CallSignature("getDatabaseSize", needs: [.stores], dependsOnBackEnd: true),
        CallSignature("getAllStores", needs: [.stores]),
        CallSignature("getAllGlobalStores", needs: [.globalStores]),
        CallSignature("removeStore", needs: [.stores]),
        CallSignature("removeAllStores", needs: [.stores]),
        CallSignature("removeAllGlobalStores", needs: [.globalStores]),
        CallSignature("loadStoreConfig", ["config"], needs: [.configuration]),
        CallSignature("reopenStore", ["key", "options"], needs: [.reopening]),
        CallSignature("rekeyStore", ["newKey"], needs: [.encryption]),
    ]
}
