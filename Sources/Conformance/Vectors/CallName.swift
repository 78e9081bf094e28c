/// The names of the calls of the contract. A file with any other call is invalid.
public enum CallName {
    /// The calls of store and query.
    public static let store: [String] = [
        "hello", "reset",
        "registerSoup", "soupExists", "getSoupIndexSpecs", "getSoupSpec", "getAllSoupNames", "alterSoup", "reIndexSoup",
        "clearSoup", "removeSoup",
        "upsertSoupEntries", "retrieveSoupEntries", "removeFromSoup", "beginTransaction", "commit", "rollback",
        "querySoup", "runSmartQuery", "moveCursorToPageIndex", "moveCursorToNextPage", "moveCursorToPreviousPage",
        "closeCursor",
        "countQuery", "explainQuery", "translateSmartSQL", "describeQuerySpec",
        "getDatabaseSize", "getAllStores", "getAllGlobalStores", "removeStore", "removeAllStores",
        "removeAllGlobalStores",
        "loadStoreConfig", "reopenStore", "rekeyStore",
    ]

    /// The OData calls.
    public static let odata: [String] = [
        "odata.parseURL", "odata.parseFilter", "odata.parseOrderBy", "odata.parseExpand", "odata.parseSelect",
        "odata.parseSearch",
        "odata.formatFilter", "odata.parsePayload", "odata.parseMetadata", "odata.changeRequest", "odata.evaluate",
        "odata.querySoup", "odata.applyOptions",
    ]

    static func isKnown(_ name: String) -> Bool {
        store.contains { $0.utf8.elementsEqual(name.utf8) } || odata.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    static func isOData(_ name: String) -> Bool { name.utf8.starts(with: "odata.".utf8) }
}
