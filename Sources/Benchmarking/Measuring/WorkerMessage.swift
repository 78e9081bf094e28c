import JSONText
import Soups

/// The messages between runner and worker: one JSON object in each line, each answered by one line.
///
/// The runner controls every step, so that it can interleave the workers of several builds within one block:
///
///     {"do":"begin","protocol":1,"scope":{...}} -> {"pid":123,"protocol":1}
///     {"do":"prepare","cell":"retrieve/entries=1000","arm":"plain@previous","work":"plain","folder":"..."}  ->
///     {"version":"1f0c..."} {"do":"run","arm":"plain@previous"}   -> {"samples":[{"metric":"wall",...}]}
///     {"do":"check","arm":"plain@previous"} -> {"digest":"ab...","marker":true}
///
/// A step that fails is answered with `{"fault":"..."}`, one that the arm cannot do with `{"unsupported":"..."}`. The
/// end of the input ends the worker. Members may be added; a change of meaning raises `version`, and a runner refuses a
/// worker of another version.
enum WorkerMessage {
    static let version: Int64 = 1

    static func begin(_ scope: CellScope) -> JSONValue {
        ["do": "begin", "protocol": .number(JSONNumber(version)), "scope": scope.json]
    }

    /// `named` is the arm's name in this run; the cell knows the work by its own name, for example `plain` for
    /// `plain@previous`.
    static func prepare(cell: Cell, arm: Arm, workplace: Workplace, named: Arm) -> JSONValue {
        [
            "do": "prepare", "cell": .string(cell.id), "arm": .string(named.name), "work": .string(arm.name),
            "folder": .string(workplace.folder), "templates": .string(workplace.templates),
            "seed": .string(String(workplace.seed)), "masters": workplace.masters.map { .string($0) } ?? .null,
        ]
    }

    static func step(_ name: String, _ arm: Arm) -> JSONValue { ["do": .string(name), "arm": .string(arm.name)] }
}

extension CellScope {
    /// The scope as a worker reads it.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("profile", .string(profile.name.rawValue)),
            ("sizes", .array(sizes.map { .number(JSONNumber(Int64($0))) })), ("seed", .string(String(seed))),
        ]
        if let documents {
            members.append(("documents", documents.json))
        }
        return .object(JSONObject(members))
    }

    init(json: JSONValue, _ catalogue: any CellCatalogue) throws(Fault) {
        let listed = json["sizes"]?.array
        let sizes = listed?.compactMap(\.int64).compactMap { Int(exactly: $0) }.filter(Self.possibleSizes.contains)
        guard let name = json["profile"]?.string.flatMap(Profile.Name.init), let sizes, sizes.count == listed?.count,
            let seed = json["seed"]?.string.flatMap({ UInt64($0) })
        else {
            throw Fault(.invalidArguments, "malformed scope in a request to a benchmark worker")
        }
        self.init(
            profile: Profile(name), sizes: sizes, seed: seed,
            documents: try json["documents"].map { json throws(Fault) in try catalogue.documents(json: json) })
    }
}
