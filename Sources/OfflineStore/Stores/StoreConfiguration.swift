public import JSONText
public import Soups

/// Holds the soups that a configuration file (`userstore.json`, `globalstore.json`) asks for. Source: guide,
/// Registering Soups with Configuration Files.
///
/// ```swift
/// let text = #"{"soups": [{"soupName": "tasks", "indexes": [{"path": "due", "type": "string"}]}]}"#
/// let result = try store.load(StoreConfiguration(json: Array(text.utf8)))
/// ```
public struct StoreConfiguration: Sendable {
    /// One soup, or the reason why it cannot be registered.
    enum Item: Sendable {
        case soup(name: String, indexSpecs: [IndexSpec])
        case malformed(name: String?, Fault)
    }

    let items: [Item]

    /// Whether the configuration names no soup, so that no store needs to be opened for it.
    public var isEmpty: Bool { items.isEmpty }

    /// Reads `{"soups": [{"soupName": …, "indexes": [{"path": …, "type": …}]}]}`.
    ///
    /// A configuration without `soups` does nothing.
    ///
    /// - Throws: `invalidStoreConfig` if the text is not an object, or `soups` is not an array. What is wrong with a
    ///   single soup is reported when the configuration is loaded.
    public init(json text: [UInt8]) throws(Fault) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: text)
        } catch {
            throw Fault(
                .invalidStoreConfig, "the configuration is not valid JSON: \(error.message)", offset: error.offset)
        }
        try self.init(json)
    }

    /// Reads a configuration that is parsed already. One without `soups` does nothing.
    ///
    /// - Throws: `invalidStoreConfig` if the value is not an object, or `soups` is not an array.
    public init(_ json: JSONValue) throws(Fault) {
        guard let members = json.object else {
            throw Fault(.invalidStoreConfig, "a configuration must be an object")
        }
        guard let value = members["soups"] else {
            items = []
            return
        }
        guard let soups = value.array else {
            throw Fault(.invalidStoreConfig, "\"soups\" of a configuration must be an array")
        }
        items = soups.map(Self.item)
    }

    private static func item(_ json: JSONValue) -> Item {
        guard let name = json["soupName"]?.string else {
            return .malformed(name: nil, Fault(.invalidSoupName, "a soup of the configuration has no name"))
        }
        guard let indexes = json["indexes"]?.array else {
            return .malformed(
                name: name,
                Fault(.noIndexSpecs, "a soup of the configuration needs an array \"indexes\"", context: [.soup(name)]))
        }
        var specs: [IndexSpec] = []
        for index in indexes {
            guard let path = index["path"]?.string, let type = index["type"]?.string.flatMap(IndexType.init(rawValue:))
            else {
                return .malformed(
                    name: name,
                    Fault(
                        .invalidIndexSpec, "an index of the configuration needs a path and a known type",
                        context: [.soup(name)]))
            }
            specs.append(IndexSpec(path: path, type: type))
        }
        return .soup(name: name, indexSpecs: specs)
    }
}

extension SmartStore {
    /// Registers the soups of a configuration that do not exist yet. Each is handled separately: one that fails does
    /// not prevent the others.
    ///
    /// - Throws: only faults about the store as a whole: `closed`, `readOnly`, `diskFull`, `busy`, `inputOutput`,
    ///   `corrupt`.
    public func load(_ configuration: StoreConfiguration) throws(Fault) -> StoreConfigurationResult {
        try connections.requireOpen()
        var result = StoreConfigurationResult()
        // The list alone: a soup of it may be damaged, and the others are made all the same.
        var existing = Set(try allSoupNames().map { ByteKey($0) })
        for item in configuration.items {
            switch item {
            case .malformed(let name, let fault):
                result.skipped.append((name, fault))
            case .soup(let name, let specs):
                do throws(Fault) {
                    if existing.contains(ByteKey(name)) {
                        result.present.append(name)
                    } else {
                        result.created.append(try registerSoup(name, indexSpecs: specs))
                        existing.insert(ByteKey(name))
                    }
                } catch {
                    guard Self.concernsSoup(error.code) else {
                        throw error
                    }
                    result.skipped.append((name, error))
                }
            }
        }
        return result
    }

    private static func concernsSoup(_ code: Fault.Code) -> Bool {
        [.invalidSoupName, .invalidIndexSpec, .noIndexSpecs, .sqlError, .limitExceeded].contains(code)
    }
}
