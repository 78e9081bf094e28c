import JSONText
import OData
import OfflineOData
import OfflineStore
import Soups
import Synchronization

/// The arguments of `offline.open`, kept to open the client again.
struct OfflineArguments: Sendable {
    let serviceRoot: String
    let map: EntitySetMap
    var options = ODataClientOptions()

    init(_ arguments: CallArguments) throws(Fault) {
        let odata = ODataArguments(arguments.object)
        serviceRoot = try arguments.text("serviceRoot")
        options.format = try odata.format()
        var sets: [String: EntitySetSettings] = [:]
        for (name, value) in try arguments.optionalObject("sets")?.members ?? [] {
            guard let object = value.object else {
                throw CallArguments.wrong("sets", "must have an object for each set")
            }
            sets[name] = try Self.settings(CallArguments(object))
        }
        map = try EntitySetMap(model: try odata.model(), version: try odata.version(), sets: sets)
        if let given = try arguments.optionalObject("options") {
            try read(CallArguments(given))
        }
        options.clock = StoreClock { VectorClock.start }
        options.boundary = Self.boundaries()
    }

    /// batch_1, batch_2 and so on.
    private static func boundaries() -> @Sendable () -> String {
        let counter = Counter()
        return { "batch_\(counter.next())" }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private mutating func read(_ given: CallArguments) throws(Fault) {
        if let refresh = try given.optionalText("refresh"), refresh != "marking" {
            throw Self.later("the refresh \(refresh)", refresh == "shadow" ? "shadow" : "replacesAll")
        }
        guard try !given.flag("deepInserts", default: false) else {
            throw Self.later("deep inserts", "deepInserts")
        }
        options.pageSize = try given.optionalInt("pageSize")
        if let changeSet = try given.optionalText("changeSet") {
            options.changeSet = try Self.choice(changeSet, "changeSet", ChangeSetMode.init(rawValue:))
        }
        if let size = try Self.batchSize(given.value("batch")) {
            options.batchSize = size
        }
    }

    /// The greatest number of requests in a batch: a number, or an object with `size`; true leaves it as it is.
    static func batchSize(_ value: JSONValue?) throws(Fault) -> Int? {
        guard let value, value.bool != true else { return nil }
        guard let size = value.int64 ?? value["size"]?.int64, size > 0, size <= 1_000 else {
            throw CallArguments.wrong("batch", "must be a number of requests from 1 to 1000")
        }
        return Int(size)
    }

    static func choice<Choice>(
        _ text: String, _ name: String, _ make: (String) -> Choice?
    ) throws(Fault) -> Choice {
        guard let choice = make(text) else {
            throw CallArguments.wrong(name, "has a value that is not known")
        }
        return choice
    }

    private static func later(_ what: String, _ capability: String) -> Fault {
        Fault(.unsupported, "not supported: \(what) (\(capability)); leave it out")
    }

    private static func settings(_ given: CallArguments) throws(Fault) -> EntitySetSettings {
        var settings = EntitySetSettings()
        settings.soup = try given.optionalText("soupName")
        settings.key = try given.textList("key")
        settings.indexSpecs = try given.indexSpecs()
        settings.localOnly = try given.textList("localOnly")
        settings.mergesBy = try given.textList("mergesBy")
        if let rule = try given.optionalText("conflict") {
            settings.conflict = try choice(rule, "conflict", ConflictRule.init(rawValue:))
        }
        if let rule = try given.optionalText("doubt") {
            settings.doubt = try choice(rule, "doubt", LostInsertRule.init(rawValue:))
        }
        guard try !given.flag("repeatable", default: false) else {
            throw later("repeatable requests", "repeatable")
        }
        settings.makesKeys = try given.flag("clientKey", default: false)
        settings.replaces = try given.flag("replaces", default: false)
        settings.tunnels = try given.flag("tunnels", default: false)
        for object in try given.optionalObjects("relations") ?? [] {
            settings.relations.append(try SoupRelation(CallArguments(object)))
        }
        return settings
    }
}

extension SoupRelation {
    /// Reads a relation of a vector.
    init(_ given: CallArguments) throws(Fault) {
        self.init(
            try given.text("name"), soup: try given.text("soup"), local: try given.textList("local"),
            foreign: try given.textList("foreign"), isCollection: try given.flag("collection", default: false))
    }
}
