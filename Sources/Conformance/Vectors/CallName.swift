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

    /// The calls about SOQL and SOSL texts.
    public static let soql: [String] = [
        "soql.tokenize", "soql.mutate", "soql.inspect", "soql.build", "soql.literal", "sosl.build", "sosl.escape",
    ]

    static func isKnown(_ name: String) -> Bool {
        (store + odata + soql).contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// The capabilities that a call requires, also where its case does not list them.
    static func capabilities(for name: String) -> [Capability] {
        if name.utf8.elementsEqual("odata.querySoup".utf8) {
            return [.odata, .offlineOData]
        }
        if name.utf8.starts(with: "odata.".utf8) {
            return [.odata]
        }
        return soql.contains { $0.utf8.elementsEqual(name.utf8) } ? [.soql] : []
    }
}
