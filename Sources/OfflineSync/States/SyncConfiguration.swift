public import JSONText
public import Soups

/// Definitions of syncs in a file that comes with an app: `{"syncs": [{"syncName", "syncType", "soupName", "target",
/// "options"}]}`.
public struct SyncConfiguration: Sendable {
    let definitions: [SyncDefinition]

    /// Reads the JSON text of a file. Its definitions are checked one by one when they are loaded.
    ///
    /// - Throws: `invalidSyncsConfig`, with the offset if the text is not JSON.
    public init(json bytes: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw Fault(
                .invalidSyncsConfig, "the configuration is not JSON: \(error.message)", offset: error.offset)
        }
        try self.init(value)
    }

    /// Reads a parsed file.
    ///
    /// - Throws: `invalidSyncsConfig`.
    public init(_ value: JSONValue) throws(Fault) {
        guard let syncs = value["syncs"]?.array else {
            throw Fault(.invalidSyncsConfig, "the configuration has no array syncs", offset: 0)
        }
        definitions = syncs.map { SyncDefinition(value: $0) }
    }
}

/// What became of the definitions of a configuration.
public struct SyncConfigurationResult: Sendable {
    /// The names of the syncs that were created.
    public var created: [String] = []
    /// The names that existed; these syncs stay as they are.
    public var present: [String] = []
    /// The definitions that cannot be used.
    public var skipped: [Skipped] = []

    /// A definition that cannot be used.
    public struct Skipped: Sendable {
        /// Its name; empty without one.
        public let name: String
        /// What is wrong with it.
        public let fault: Fault
    }
}

/// One definition of a configuration, as it came.
struct SyncDefinition: Sendable {
    let value: JSONValue

    var name: String? { value["syncName"]?.string }

    struct Parsed {
        let name: String
        let type: SyncType
        let soup: String
        let target: JSONObject
        let options: SyncOptions
    }

    func parsed() throws(Fault) -> Parsed {
        guard let object = value.object else { throw DefinitionReader.wrong("syncs", "must have objects") }
        let reader = DefinitionReader(object)
        let name = try reader.required("syncName")
        let type = try reader.requiredChoice("syncType", SyncType.self)
        let target = try reader.requiredObject("target")
        if type == .down {
            try Self.requireDown(target)
        }
        return Parsed(
            name: name, type: type, soup: try reader.required("soupName"), target: target,
            options: try SyncOptions(json: reader.object("options") ?? JSONObject()))
    }

    /// Refuses the target of a sync up, which a file with both directions may have by mistake. That of a sync down is
    /// refused by `UpDefinition`.
    private static func requireDown(_ target: JSONObject) throws(Fault) {
        let kind = target["type"]?.string
        guard kind != nil, kind != "rest" else {
            throw DefinitionReader.wrong("target", "is not one of a sync down")
        }
    }
}
