public import JSONText
public import Soups

/// Says what a run was: when, where, of what, and how it ended. The file run.json; what no row of a table should repeat.
public struct RunRecord: Sendable {
    public let id: String
    public let startedUTC: String
    public let commit: String
    public let profile: Profile.Name
    public let seed: UInt64
    public let commandLine: [String]
    public let fingerprint: String
    /// Versions and options of the SQLite libraries: runs with others are incomparable.
    public let libraries: String
    /// Hashes of the cells' definitions, by the cells' ids.
    public let cellVersions: [(id: String, version: String)]
    /// Names of the documents measured with, with their hashes.
    public let corpora: [(name: String, hash: String)]
    public var ending: Runner.Ending
    public var seconds: Double
    /// Why the run is not valid; empty where it is.
    public var faults: [String]
    /// Everything that is only shown: machine, disk, load, settings of the arms.
    public var details: JSONObject

    public init(
        id: String, startedUTC: String, commit: String, profile: Profile.Name, seed: UInt64, commandLine: [String], fingerprint: String, libraries: String,
        cellVersions: [(id: String, version: String)], corpora: [(name: String, hash: String)], ending: Runner.Ending, seconds: Double, faults: [String],
        details: JSONObject
    ) {
        self.id = id
        self.startedUTC = startedUTC
        self.commit = commit
        self.profile = profile
        self.seed = seed
        self.commandLine = commandLine
        self.fingerprint = fingerprint
        self.libraries = libraries
        self.cellVersions = cellVersions
        self.corpora = corpora
        self.ending = ending
        self.seconds = seconds
        self.faults = faults
        self.details = details
    }

    /// The hash of a cell's definition in this run; nil where the cell was not part of it.
    public func version(of cellID: String) -> String? { cellVersions.first { ByteKey($0.id) == ByteKey(cellID) }?.version }
}

extension RunRecord {
    public var json: JSONValue {
        .object(
            JSONObject([
                ("schema", .string(SchemaVersion.current)), ("run_id", .string(id)), ("started_utc", .string(startedUTC)), ("commit", .string(commit)),
                ("profile", .string(profile.rawValue)), ("seed", .string(String(seed))), ("command_line", .array(commandLine.map { .string($0) })),
                ("fingerprint", .string(fingerprint)), ("libraries", .string(libraries)), ("ending", .string(ending.rawValue)),
                ("seconds", JSONNumber(seconds).map { .number($0) } ?? .null), ("valid", .bool(faults.isEmpty)),
                ("faults", .array(faults.map { .string($0) })),
                ("cells", .object(JSONObject(cellVersions.map { ($0.id, .string($0.version)) }))),
                ("corpora", .object(JSONObject(corpora.map { ($0.name, .string($0.hash)) }))), ("details", .object(details)),
            ]))
    }

    /// Reads a record back.
    ///
    /// - Throws: `invalidJSON` where it is none, `unsupported` for another major version of the schema.
    public init(json bytes: [UInt8]) throws(Fault) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw Fault(.invalidJSON, "run.json is no JSON: \(error.message)", offset: error.offset)
        }
        func text(_ name: String) throws(Fault) -> String {
            guard let text = json[name]?.string else { throw Fault(.invalidJSON, "run.json has no text \(name)") }
            return text
        }
        try SchemaVersion.check(try text("schema"))
        func pairs(_ name: String) -> [(String, String)] { (json[name]?.object?.members ?? []).compactMap { member in member.value.string.map { (member.name, $0) } } }
        guard let profile = Profile.Name(rawValue: try text("profile")), let ending = Runner.Ending(rawValue: try text("ending")) else {
            throw Fault(.invalidJSON, "run.json has a profile or an ending that does not exist")
        }
        self.init(
            id: try text("run_id"), startedUTC: try text("started_utc"), commit: try text("commit"), profile: profile,
            seed: UInt64(try text("seed")) ?? 0, commandLine: (json["command_line"]?.array ?? []).compactMap(\.string), fingerprint: try text("fingerprint"),
            libraries: try text("libraries"), cellVersions: pairs("cells").map { (id: $0, version: $1) }, corpora: pairs("corpora").map { (name: $0, hash: $1) },
            ending: ending, seconds: json["seconds"]?.double ?? 0, faults: (json["faults"]?.array ?? []).compactMap(\.string),
            details: json["details"]?.object ?? JSONObject())
    }
}
