import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// The calls about whole stores.
enum StoreCalls {
    static let all: [CallHandler] = [
        .reads("getDatabaseSize") { (context, arguments) throws(Fault) in
            .number(JSONNumber(try context.store(arguments).databaseSize()))
        },
        .reads("getAllStores") { (context, _) throws(Fault) in context.storeList(global: false) },
        .reads("getAllGlobalStores") { (context, _) throws(Fault) in context.storeList(global: true) },
        .apart("removeStore", writes: true) { (context, arguments) throws(Fault) in
            try context.removeStore(arguments)
            return true
        },
        .apart("removeAllStores", writes: true) { (context, _) throws(Fault) in
            try context.removeAllStores(global: false)
            return true
        },
        .apart("removeAllGlobalStores", writes: true) { (context, _) throws(Fault) in
            try context.removeAllStores(global: true)
            return true
        },
        .writes("loadStoreConfig") { (context, arguments) throws(Fault) in
            let configuration = try StoreConfiguration(arguments.value("config") ?? .null)
            // Not opened for nothing, as the reference does not.
            if configuration.isEmpty, try !context.directory.exists(context.storeName(arguments)) {
                return []
            }
            let result = try context.store(arguments).load(configuration)
            try result.requireAll(of: arguments.value("config"))
            return .array(result.created.map(JSONValue.string))
        },
        .apart("reopenStore", writes: false) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.existingStore(arguments)
            let changes = try ReopeningChanges(arguments)
            let defaults = StoreOptions(library: store.library)
            try store.reopen { changes.apply(to: &$0, defaults) }
            return true
        },
        .apart("rekeyStore", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            let store = try context.existingStore(arguments)
            try store.rekey(to: ReopeningChanges.key(try arguments.text("newKey")))
            return true
        },
    ]
}

/// The changes that `reopenStore` makes to the options of a store: those that it is not given get their defaults again.
private struct ReopeningChanges {
    /// The new key. The outer nil keeps the key, the inner nil opens the store without a key.
    private let key: Key??
    private let permissivePaths: Bool?
    private let fullTextVersion: FullTextVersion?
    private let fullTextIndexes: Bool?
    private let isReadOnly: Bool

    init(_ arguments: CallArguments) throws(Fault) {
        if let text = try arguments.optionalText("key") {
            key = .some(try Self.key(text))
        } else {
            key = nil
        }
        let options = arguments.value("options") ?? .object(JSONObject())
        guard let members = options.object else {
            throw CallArguments.wrong("options", "must be an object")
        }
        let given = CallArguments(members)
        permissivePaths =
            given.value("permissivePaths") == nil ? nil : try given.flag("permissivePaths", default: false)
        fullTextIndexes =
            given.value("fullTextIndexes") == nil ? nil : try given.flag("fullTextIndexes", default: true)
        isReadOnly = try given.flag("readOnly", default: false)
        if let number = given.value("fullTextVersion")?.int64 {
            guard let version = FullTextVersion(rawValue: "fts\(number)") else {
                throw CallArguments.wrong("fullTextVersion", "must be 4 or 5")
            }
            fullTextVersion = version
        } else if let name = try given.optionalText("fullTextVersion") {
            guard let version = FullTextVersion(rawValue: name) else {
                throw CallArguments.wrong("fullTextVersion", "must be fts4 or fts5")
            }
            fullTextVersion = version
        } else {
            fullTextVersion = nil
        }
    }

    /// The key of a passphrase; nil for the empty text.
    static func key(_ text: String) throws(Fault) -> Key? { text.isEmpty ? nil : try Key(passphrase: text) }

    func apply(to options: inout StoreOptions, _ defaults: StoreOptions) {
        if let key {
            options.key = key
        }
        options.permissivePaths = permissivePaths ?? defaults.permissivePaths
        options.fullTextVersion = fullTextVersion ?? defaults.fullTextVersion
        options.fullTextIndexes = fullTextIndexes ?? defaults.fullTextIndexes
        options.access = isReadOnly ? .readOnly : defaults.access
    }
}

extension StoreConfigurationResult {
    /// Requires that every soup of a configuration was made, was there, or was left out for a reason.
    fileprivate func requireAll(of configuration: JSONValue?) throws(Fault) {
        let soups = configuration?["soups"]?.array ?? []
        guard created.count + present.count + skipped.count == soups.count else {
            throw Fault(.corrupt, "the result does not name each soup of the configuration")
        }
    }
}
