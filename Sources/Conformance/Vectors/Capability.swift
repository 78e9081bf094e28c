/// An optional capability of a back end. A case that requires it is skipped on back ends without it.
public struct Capability: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let fts4 = Capability(rawValue: "fts4")
    public static let fts5 = Capability(rawValue: "fts5")
    /// Stores can be encrypted.
    public static let encryption = Capability(rawValue: "encryption")
    public static let json1 = Capability(rawValue: "json1")
    public static let externalStorage = Capability(rawValue: "externalStorage")
    public static let globalStores = Capability(rawValue: "globalStores")
    public static let explain = Capability(rawValue: "explain")

    /// Several calls can be one transaction: beginTransaction, commit, rollback.
    public static let transactions = Capability(rawValue: "transactions")

    /// OData calls. Each case with an OData call requires it implicitly.
    public static let odata = Capability(rawValue: "odata")
    public static let atom = Capability(rawValue: "atom")
    public static let verboseJSON = Capability(rawValue: "verboseJSON")
    public static let json = Capability(rawValue: "json")
    public static let metadata = Capability(rawValue: "metadata")
    public static let batch = Capability(rawValue: "batch")
    public static let delta = Capability(rawValue: "delta")
    public static let apply = Capability(rawValue: "apply")
    public static let offlineOData = Capability(rawValue: "offlineOData")

    /// Calls about SOQL and SOSL texts. Each case with such a call requires it implicitly.
    public static let soql = Capability(rawValue: "soql")

    /// Every capability of the contract whose calls this version knows.
    public static let all: [Capability] = [
        .fts4, .fts5, .encryption, .json1, .externalStorage, .globalStores, .explain, .transactions,
        .odata, .atom, .verboseJSON, .json, .metadata, .batch, .delta, .apply, .offlineOData,
        .soql,
    ]

    /// Capabilities of the contract whose calls this version does not know yet. A case that requires one is skipped on
    /// every back end, and its steps are not read.
    public static let later: [Capability] = [
        // Synchronisation.
        "sync", "recordCache", "clientKeys", "briefcase",
        // OData over soups and the offline client.
        "odataClient", "soupTokens", "soupRelations", "soupApply", "shadow", "links", "media", "loadSince",
        "deepInserts", "repeatable", "jsonBatch", "jsonCSDL",
        // Apps.
        "observation", "backup", "keyValue", "migration", "maintenance",
    ].map(Capability.init(rawValue:))

    static func isKnown(_ name: String) -> Bool { contains(name, in: all) || isLater(name) }
    static func isLater(_ name: String) -> Bool { contains(name, in: later) }

    private static func contains(_ name: String, in list: [Capability]) -> Bool {
        list.contains { $0.rawValue.utf8.elementsEqual(name.utf8) }
    }
}
