import JSONText
import OfflineStore
import OfflineSync
import Soups

/// The calls that define and list syncs, and that stop and restart their manager.
enum SyncManagerCalls {
    static let all: [CallHandler] =
        [
            .apart("sync.configure", writes: false) { (context, arguments) throws(Fault) in
                let version = try arguments.optionalText("version")
                let overlap = try arguments.optionalInteger("overlap")
                let usesDate = try arguments.value("dateHeader").map { _ throws(Fault) in
                    try arguments.flag("dateHeader", default: true)
                }
                context.sync.configure { options in
                    options.version = version ?? options.version
                    options.overlap = overlap ?? options.overlap
                    options.usesDateHeader = usesDate ?? options.usesDateHeader
                }
                return true
            },
            .apart("sync.createSync", writes: true) { (context, arguments) throws(Fault) in
                let manager = try context.manager(arguments)
                let definition = try SyncArguments(arguments)
                let state = try SyncCalls.awaiting {
                    try await manager.createSync(
                        definition.type, target: definition.target, soup: definition.soup,
                        options: definition.options, name: definition.name)
                }
                return .object(state.json)
            },
            .apart("sync.getSyncStatus", writes: false) { (context, arguments) throws(Fault) in
                let (manager, sync) = (try context.manager(arguments), try SyncArguments.reference(arguments))
                return try SyncCalls.awaiting { try await manager.status(of: sync) }.map { .object($0.json) } ?? .null
            },
            .apart("sync.getSyncsWithStatus", writes: false) { (context, arguments) throws(Fault) in
                let manager = try context.manager(arguments)
                guard let status = SyncStatus(rawValue: try arguments.text("status")) else {
                    throw CallArguments.wrong("status", "must be NEW, RUNNING, STOPPED, DONE or FAILED")
                }
                return .array(try SyncCalls.awaiting { try await manager.syncs(with: status) }.map { .object($0.json) })
            },
            .apart("sync.hasSyncWithName", writes: false) { (context, arguments) throws(Fault) in
                let (manager, name) = (try context.manager(arguments), try arguments.text("name"))
                return .bool(try SyncCalls.awaiting { try await manager.hasSync(named: name) })
            },
            .apart("sync.deleteSync", writes: true) { (context, arguments) throws(Fault) in
                let (manager, sync) = (try context.manager(arguments), try SyncArguments.reference(arguments))
                try SyncCalls.awaiting { try await manager.deleteSync(sync) }
                return true
            },
            .apart("sync.stop", writes: false) { (context, arguments) throws(Fault) in
                .string(try context.manager(arguments).stop().rawValue)
            },
            .apart("sync.managerState", writes: false) { (context, arguments) throws(Fault) in
                .string(try context.manager(arguments).state.rawValue)
            },
            .apart("sync.loadConfig", writes: true) { (context, arguments) throws(Fault) in
                try load(context, arguments)
            },
            .apart("sync.reopen", writes: false) { (context, arguments) throws(Fault) in
                try context.reopenAfterCrash(arguments)
                return true
            },
        ] + SyncRunCalls.all + SyncModelCalls.all

    private static func load(_ context: CallContext, _ arguments: CallArguments) throws(Fault) -> JSONValue {
        let manager = try context.manager(arguments)
        let configuration =
            if let text = try arguments.optionalText("text") {
                try SyncConfiguration(json: Array(text.utf8))
            } else {
                try SyncConfiguration(arguments.value("config") ?? .null)
            }
        let result = try SyncCalls.awaiting { try await manager.load(configuration) }
        let skipped: [JSONValue] = result.skipped.map {
            ["name": .string($0.name), "code": .string($0.fault.code.rawValue)]
        }
        return [
            "created": .array(result.created.map(JSONValue.string)),
            "present": .array(result.present.map(JSONValue.string)), "skipped": .array(skipped),
        ]
    }
}

/// The definition of a sync, or the one that is meant, in the arguments of a call.
struct SyncArguments {
    let type: SyncType
    let soup: String
    let target: JSONObject
    let options: SyncOptions
    let name: String?

    init(_ arguments: CallArguments) throws(Fault) {
        let text = try arguments.text("type")
        guard let type = SyncType(rawValue: text) else {
            throw Fault(.invalidSync, "the type of a sync must be syncDown or syncUp", context: [.path("type")])
        }
        self.type = type
        soup = try arguments.soupName()
        target = try arguments.object("target")
        options = try SyncOptions(json: arguments.optionalObject("options") ?? JSONObject())
        name = try arguments.optionalText("name")
    }

    /// The sync with an id or a name; nil if the arguments define one.
    static func named(_ arguments: CallArguments) throws(Fault) -> SyncReference? {
        if let id = try arguments.optionalInteger("syncId") {
            return .id(id)
        }
        guard arguments.value("target") == nil else { return nil }
        return try arguments.optionalText("name").map { .name($0) }
    }

    static func reference(_ arguments: CallArguments) throws(Fault) -> SyncReference {
        guard let sync = try named(arguments) else {
            throw CallArguments.wrong("syncId", "must be a number, or there must be a name")
        }
        return sync
    }
}
