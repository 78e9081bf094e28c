import JSONText
package import Soups

extension RunRecord {
    /// Reads a record back.
    ///
    /// - Throws: `invalidJSON` if it is malformed, or if its run or machine has a name that no folder can have;
    ///   `unsupported` for another major version of the schema.
    package init(json bytes: [UInt8]) throws(Fault) {
        let json = try RunJSON(bytes)
        try SchemaVersion.check(try json.text("schema"))
        try ReportName.check(try json.text("run_id"), "run.json: the run_id", .invalidJSON)
        try ReportName.check(try json.text("fingerprint"), "run.json: the fingerprint", .invalidJSON)
        guard let profile = Profile.Name(rawValue: try json.text("profile")),
            let ending = Runner.Ending(rawValue: try json.text("ending"))
        else {
            throw Fault(.invalidJSON, "run.json: unknown profile or ending")
        }
        guard let seed = UInt64(try json.text("seed")) else {
            throw Fault(.invalidJSON, "run.json: the seed is not a number")
        }
        self.init(
            id: try json.text("run_id"), startedUTC: try json.text("started_utc"), commit: try json.text("commit"),
            profile: profile, seed: seed, shard: try json.shard(), commandLine: json.commandLine,
            fingerprint: try json.text("fingerprint"), libraries: try json.text("libraries"),
            cellVersions: try json.pairs("cells").map { (id: $0, version: $1) },
            corpora: try json.pairs("corpora").map { Corpus(name: $0, hash: $1) }, plans: try json.plans(),
            ending: ending, seconds: try json.seconds(), suite: try json.suite(), faults: try json.faults(),
            details: json.details)
    }
}

/// The members of a run.json.
private struct RunJSON {
    private let json: JSONValue

    init(_ bytes: [UInt8]) throws(Fault) {
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw Fault(.invalidJSON, "run.json is not valid JSON: \(error.message)", offset: error.offset)
        }
    }

    func text(_ name: String) throws(Fault) -> String {
        guard let text = json[name]?.string else {
            throw Fault(.invalidJSON, "run.json: \(name) is missing or not a string")
        }
        return text
    }

    func pairs(_ name: String) throws(Fault) -> [(String, String)] { try Self.pairs(json[name], name) }

    private static func pairs(_ object: JSONValue?, _ name: String) throws(Fault) -> [(String, String)] {
        let members = object?.object?.members
        let pairs = members?.compactMap { member in member.value.string.map { (member.name, $0) } }
        guard let pairs, pairs.count == members?.count else {
            throw Fault(.invalidJSON, "run.json: \(name) is missing or not an object of strings")
        }
        return pairs
    }

    /// Runs from before schema 1.2 had no shards.
    func shard() throws(Fault) -> Shard {
        guard let shard = Shard(json["shard"] == nil ? "1/1" : try text("shard")) else {
            throw Fault(.invalidJSON, "run.json: the shard is not of the form k/N")
        }
        return shard
    }

    func seconds() throws(Fault) -> Double {
        guard let seconds = json["seconds"]?.double, (0...1e12).contains(seconds) else {
            throw Fault(.invalidJSON, "run.json: seconds is missing or out of range")
        }
        return seconds
    }

    /// A run is valid only if its list of faults is present and empty.
    func faults() throws(Fault) -> [String] {
        guard let list = json["faults"]?.array, case let faults = list.compactMap(\.string), faults.count == list.count,
            json["valid"]?.bool == faults.isEmpty
        else {
            throw Fault(.invalidJSON, "run.json: faults and valid contradict each other")
        }
        return faults
    }

    func plans() throws(Fault) -> [RunRecord.Plan] {
        var plans: [RunRecord.Plan] = []
        for cell in json["plans"]?.object?.members ?? [] {
            for (arm, text) in try Self.pairs(cell.value, "plans") {
                plans.append(RunRecord.Plan(cellID: cell.name, arm: Arm(arm), text: text))
            }
        }
        return plans
    }

    func suite() throws(Fault) -> [SuiteVerdict] {
        let suite = (json["suite"]?.array ?? []).compactMap(SuiteVerdict.init(json:))
        guard suite.count == json["suite"]?.array?.count ?? 0 else {
            throw Fault(.invalidJSON, "run.json: a verdict of the suite lacks figures")
        }
        return suite
    }

    var commandLine: [String] { (json["command_line"]?.array ?? []).compactMap(\.string) }

    var details: JSONObject { json["details"]?.object ?? JSONObject() }
}
