/// An optional capability of a back end. A case that requires it is skipped on back ends without it.
public struct Capability: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let cursors = Capability(rawValue: "cursors")
    public static let alter = Capability(rawValue: "alter")
    public static let smartSQL = Capability(rawValue: "smartSQL")
    public static let stores = Capability(rawValue: "stores")
    public static let configuration = Capability(rawValue: "configuration")
    public static let reopening = Capability(rawValue: "reopening")
    /// The texts into which queries are translated.
    public static let translation = Capability(rawValue: "translation")
    public static let permissivePaths = Capability(rawValue: "permissivePaths")

    public static let fts4 = Capability(rawValue: "fts4")
    public static let fts5 = Capability(rawValue: "fts5")
    /// Full-text columns can do without an ordinary index.
    public static let fullTextIndexes = Capability(rawValue: "fullTextIndexes")
    /// Stores can be encrypted.
    public static let encryption = Capability(rawValue: "encryption")
    public static let json1 = Capability(rawValue: "json1")
    public static let externalStorage = Capability(rawValue: "externalStorage")
    public static let globalStores = Capability(rawValue: "globalStores")
    public static let explain = Capability(rawValue: "explain")

    /// Several calls can be one transaction: beginTransaction, commit, rollback.
    public static let transactions = Capability(rawValue: "transactions")

    /// Rows without a cursor, and the look-up of many keys.
    public static let batchReads = Capability(rawValue: "batchReads")

    public static let odata = Capability(rawValue: "odata")
    public static let atom = Capability(rawValue: "atom")
    public static let verboseJSON = Capability(rawValue: "verboseJSON")
    public static let json = Capability(rawValue: "json")
    public static let metadata = Capability(rawValue: "metadata")
    public static let batch = Capability(rawValue: "batch")
    public static let delta = Capability(rawValue: "delta")
    /// Batches as JSON.
    public static let jsonBatch = Capability(rawValue: "jsonBatch")
    /// Metadata as JSON.
    public static let jsonCSDL = Capability(rawValue: "jsonCSDL")
    public static let apply = Capability(rawValue: "apply")
    public static let offlineOData = Capability(rawValue: "offlineOData")
    /// `$apply` over the rows of a soup.
    public static let soupApply = Capability(rawValue: "soupApply")

    /// Calls about SOQL and SOSL texts.
    public static let soql = Capability(rawValue: "soql")

    /// Local changes, creations in doubt, and the scripted service.
    public static let sync = Capability(rawValue: "sync")
    /// The record cache and the three-way merge.
    public static let recordCache = Capability(rawValue: "recordCache")
    /// The offline OData client.
    public static let odataClient = Capability(rawValue: "odataClient")

    /// Values under names, apart from soups.
    public static let keyValue = Capability(rawValue: "keyValue")
    /// Copies of a store while it is in use.
    public static let backup = Capability(rawValue: "backup")
    /// A copy put in the place of a store.
    public static let restoration = Capability(rawValue: "restoration")
    /// What the bytes of a store are taken by, and a file made smaller.
    public static let upkeep = Capability(rawValue: "upkeep")
    /// The file has the tables of Mobile SDK, and statements can be run on it.
    public static let tables = Capability(rawValue: "tables")
    /// Entries from a text of lines.
    public static let load = Capability(rawValue: "load")
    /// Checks of a store, and its entries as lines.
    public static let maintenance = Capability(rawValue: "maintenance")
    /// Entries rewritten step by step, once in the life of a store.
    public static let migration = Capability(rawValue: "migration")

    /// What is committed can be watched.
    public static let observation = Capability(rawValue: "observation")
    /// A caller can wait for a change, and for a value to change.
    public static let awaiting = Capability(rawValue: "awaiting")

    /// A store can be suspended.
    public static let suspending = Capability(rawValue: "suspending")
    /// A transaction can require that soups are unchanged since a state.
    public static let states = Capability(rawValue: "states")

    /// Whole entries without a cursor, and entries that are written over.
    public static let wholeEntries = Capability(rawValue: "wholeEntries")
    /// A store can be opened for reading only.
    public static let readOnly = Capability(rawValue: "readOnly")
    /// Several callers use a store at the same time.
    public static let callers = Capability(rawValue: "callers")

    /// The capabilities of the contract whose calls this version knows, by level.
    static let byLevel: [(level: ConformanceLevel, capabilities: [Capability])] = [
        (.core, [.cursors]),
        (.full, [.alter, .smartSQL, .stores, .configuration, .reopening, .globalStores, .json1, .fts5]),
        (.extended, [.fts4, .fullTextIndexes, .translation, .permissivePaths, .explain]),
        (.extended, [.transactions, .externalStorage, .encryption, .batchReads]),
        (.extended, [.odata, .metadata, .atom, .json, .verboseJSON, .delta, .batch, .apply, .offlineOData]),
        (.extended, [.soupApply]),
        (.extended, [.jsonBatch, .jsonCSDL]),
        (.extended, [.soql]),
        (.extended, [.sync, .recordCache]),
        (.extended, [.keyValue]),
        (.extended, [.observation, .awaiting, .wholeEntries, .callers]),
        (.extended, [.backup, .maintenance, .migration, .load, .restoration, .upkeep, .tables]),
        (.extended, [.suspending, .states, .readOnly]),
        (.extended, [.odataClient]),
    ]

    /// Every capability of the contract whose calls this version knows.
    public static let all: [Capability] = byLevel.flatMap(\.capabilities)

    /// The capabilities that every back end had before they had names. A back end that lists no
    /// capability of these has them all.
    public static let unnamedBefore: Set<Capability> = [
        .cursors, .alter, .smartSQL, .stores, .configuration, .reopening, .translation, .permissivePaths,
    ]

    /// The level of the capability; `extended` for one that this version does not know.
    public var level: ConformanceLevel { Self.levels[self] ?? .extended }

    private static let levels = Dictionary(
        uniqueKeysWithValues: byLevel.flatMap { entry in entry.capabilities.map { ($0, entry.level) } })

    /// Capabilities of the contract whose calls this version does not know yet. A case that requires one is skipped on
    /// every back end, and its steps are not read.
    public static let later: [Capability] = [
        // Synchronisation.
        "clientKeys", "briefcase",
        // OData over soups and the offline client.
        "soupTokens", "soupRelations", "shadow", "links", "media", "loadSince",
        "deepInserts", "repeatable",
    ].map(Capability.init(rawValue:))

    static func isKnown(_ name: String) -> Bool { contains(name, in: all) || isLater(name) }
    static func isLater(_ name: String) -> Bool { contains(name, in: later) }

    private static func contains(_ name: String, in list: [Capability]) -> Bool {
        list.contains { $0.rawValue.utf8.elementsEqual(name.utf8) }
    }
}
