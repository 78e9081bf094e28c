import JSONText
import LocalChanges
import OData
import OfflineOData
import OfflineStore
import OfflineSync
import Soups

/// The calls of the offline OData client.
enum OfflineCalls {
    static let capabilities: Set<Capability> = [.odataClient]

    static let all: [CallHandler] = [
        .apart("offline.open", writes: true) { (context, arguments) throws(Fault) in
            OfflineShapes.map(try context.openOffline(arguments).map)
        },
        .apart("offline.answers", writes: false) { (context, arguments) throws(Fault) in
            .number(JSONNumber(Int64(context.sync.service.append(try arguments.objects("answers")))))
        },
        .apart("offline.load", writes: true) { (context, arguments) throws(Fault) in try load(context, arguments) },
        .apart("offline.resume", writes: true) { (context, arguments) throws(Fault) in
            let set = try arguments.text("entitySet")
            return try run(context, arguments) { client in .load(try await client.resume(set)) }
        },
        .writes("offline.create") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return .object(try client.create(arguments.text("entitySet"), arguments.object("entity")))
        },
        .writes("offline.update") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return .object(
                try client.update(
                    arguments.text("entitySet"), try reference(arguments), arguments.object("changes")))
        },
        .writes("offline.delete") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return try client.delete(arguments.text("entitySet"), try reference(arguments)).map(JSONValue.object)
                ?? .null
        },
        .writes("offline.undelete") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return .object(try client.undelete(arguments.text("entitySet"), try reference(arguments)))
        },
        .writes("offline.discard") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return try client.discard(arguments.text("entitySet"), try reference(arguments)).map(JSONValue.object)
                ?? .null
        },
        .reads("offline.query") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            return try SoupQueryCalls.result(
                of: client.query(arguments.text("entitySet"), arguments.optionalText("query") ?? ""))
        },
        .reads("offline.plan") { (context, arguments) throws(Fault) in
            let client = try context.offlineClient(arguments)
            let plan = try client.plan(try sets(arguments), mode: try mode(arguments))
            return .array(plan.map(OfflineShapes.plan))
        },
        .apart("offline.push", writes: true) { (context, arguments) throws(Fault) in try push(context, arguments) },
        .reads("offline.pending") { (context, arguments) throws(Fault) in
            .array(
                try context.offlineClient(arguments).pending(arguments.optionalText("entitySet"))
                    .map(OfflineShapes.pending))
        },
        .reads("offline.conflicts") { (context, arguments) throws(Fault) in
            .array(
                try context.offlineClient(arguments).conflicts(arguments.optionalText("entitySet"))
                    .map(OfflineShapes.conflict))
        },
        .reads("offline.doubts") { (context, arguments) throws(Fault) in
            .array(
                try context.offlineClient(arguments).doubts(arguments.optionalText("entitySet"))
                    .map(OfflineShapes.doubt))
        },
        .writes("offline.resolve") { (context, arguments) throws(Fault) in
            let resolution: Conflict.Resolution
            switch try arguments.text("resolution") {
            case "mine": resolution = .mine
            case "theirs": resolution = .theirs
            case "merged": resolution = .merged(try arguments.object("entity"))
            default: throw CallArguments.wrong("resolution", "must be mine, theirs or merged")
            }
            return try context.offlineClient(arguments).resolve(
                arguments.text("entitySet"), entryId: arguments.integer("entryId"), resolution
            ).map(JSONValue.object) ?? .null
        },
        .writes("offline.resolveDoubt") { (context, arguments) throws(Fault) in
            try context.offlineClient(arguments).resolveDoubt(
                arguments.text("entitySet"), entryId: arguments.integer("entryId"),
                createdAs: arguments.value("createdAs")
            ).map(JSONValue.object) ?? .null
        },
        .apart("offline.reopen", writes: true) { (context, arguments) throws(Fault) in
            try context.reopenOffline(arguments)
            return true
        },
    ]

    private static func reference(_ arguments: CallArguments) throws(Fault) -> RowReference {
        if let key = arguments.value("key") {
            return .key(key)
        }
        return .entryId(try arguments.integer("entryId"))
    }

    private static func sets(_ arguments: CallArguments) throws(Fault) -> [String]? {
        arguments.value("entitySets") == nil ? nil : try arguments.textList("entitySets")
    }

    private static func mode(_ arguments: CallArguments) throws(Fault) -> PushMode? {
        try arguments.optionalText("mode").map { (text) throws(Fault) in
            try OfflineArguments.choice(text, "mode", PushMode.init(rawValue:))
        }
    }

    // MARK: - Runs

    private enum Ended: Sendable {
        case load(LoadResult)
        case push(PushResult)
    }

    private static func load(_ context: CallContext, _ arguments: CallArguments) throws(Fault) -> JSONValue {
        guard arguments.value("since") == nil else {
            throw Fault(.unsupported, "loads by a property (loadSince) are not supported; leave since out")
        }
        let set = try arguments.text("entitySet")
        let query = try arguments.optionalText("query") ?? ""
        let mode = try OfflineArguments.choice(
            try arguments.optionalText("mode") ?? "auto", "mode", LoadMode.init(rawValue:))
        let mergeMode = try OfflineArguments.choice(
            try arguments.optionalText("mergeMode") ?? "LEAVE_IF_CHANGED", "mergeMode",
            ChangedRowMode.init(rawValue:))
        return try run(context, arguments) { client in
            .load(try await client.load(set, query: query, mode: mode, mergeMode: mergeMode))
        }
    }

    private static func push(_ context: CallContext, _ arguments: CallArguments) throws(Fault) -> JSONValue {
        let sets = try sets(arguments)
        let mode = try mode(arguments)
        let rule = try arguments.optionalText("conflict").map { (text) throws(Fault) in
            try OfflineArguments.choice(text, "conflict", ConflictRule.init(rawValue:))
        }
        let changeSet = try arguments.optionalText("changeSet").map { (text) throws(Fault) in
            try OfflineArguments.choice(text, "changeSet", ChangeSetMode.init(rawValue:))
        }
        let size = try OfflineArguments.batchSize(arguments.value("batch"))
        return try run(context, arguments) { client in
            .push(try await client.push(sets, mode: mode, conflict: rule, batchSize: size, changeSet: changeSet))
        }
    }

    /// Runs a load or a push. The result says how it was, or that the process was killed.
    private static func run(
        _ context: CallContext, _ arguments: CallArguments,
        _ work: @escaping @Sendable (ODataClient) async throws -> Ended
    ) throws(Fault) -> JSONValue {
        try context.requireNoTransaction(arguments)
        let client = try context.offlineClient(arguments)
        let service = context.sync.service
        let firstRequest = service.requestCount
        let outcome: Result<Ended, Fault>
        do throws(Fault) {
            outcome = .success(try SyncCalls.awaiting { try await work(client) })
        } catch {
            outcome = .failure(error)
        }
        let requests = OfflineShapes.requests(service.requests(from: firstRequest))
        if service.takeKill() {
            try context.reopenOffline(arguments)
            return ["killed": true, "requests": requests]
        }
        switch try outcome.get() {
        case .load(let result): return OfflineShapes.load(result, requests)
        case .push(let result): return OfflineShapes.push(result, requests)
        }
    }
}
