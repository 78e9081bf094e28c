import JSONText
import OfflineStore
import OfflineSync
import Soups

/// The calls about the record cache.
enum CacheCalls {
    static let all: [CallHandler] = [
        .reads("cache.merge") { (_, arguments) throws(Fault) in try merged(arguments) },
        .writes("cache.init") { (context, arguments) throws(Fault) in
            let soup = try arguments.soupName()
            let keyField = try arguments.optionalText("keyField") ?? "Id"
            let cache = RecordCache(
                try context.store(arguments), soup: soup, additionalIndexSpecs: try arguments.indexSpecs(),
                keyField: keyField)
            try cache.register()
            try context.keep(keyField: keyField, of: soup, arguments)
            return true
        },
        .reads("cache.retrieve") { (context, arguments) throws(Fault) in
            let record = try context.cache(arguments).retrieve(
                arguments.text("key"), fields: arguments.textList("fields"))
            return record.map(JSONValue.object) ?? .null
        },
        .writes("cache.save") { (context, arguments) throws(Fault) in
            .object(try context.cache(arguments).save(arguments.object("record"), mode: saveMode(arguments)))
        },
        .writes("cache.saveAll") { (context, arguments) throws(Fault) in
            let records = try arguments.objects("records")
            let saved = try context.cache(arguments).saveAll(records, mode: saveMode(arguments))
            return .array(saved.map(JSONValue.object))
        },
        .writes("cache.remove") { (context, arguments) throws(Fault) in
            try context.cache(arguments).remove(arguments.text("key"))
            return true
        },
        .reads("cache.find") { (context, arguments) throws(Fault) in
            let found = try context.cache(arguments).find(arguments.querySpec())
            let id = try context.keep(found.cursor, arguments).cursorId
            return [
                "records": .array(try found.records()), "hasMore": .bool(found.hasMore),
                "cursorId": .number(JSONNumber(Int64(id))),
            ]
        },
        .reads("cache.getMore") { (context, arguments) throws(Fault) in
            _ = try context.store(arguments).soup(arguments.soupName())
            let found = RecordCursor(try context.cursor(arguments))
            return ["records": .array(try found.more()), "hasMore": .bool(found.hasMore)]
        },
        .apart("cache.sync", writes: true) { (context, arguments) throws(Fault) in
            try context.requireNoTransaction(arguments)
            try context.noteRunning(arguments)
            let call = try CachedRemoteCall(context, arguments)
            return try SyncRunCalls.orKilled(context, arguments) { () throws(Fault) in try call.result() }
        },
    ]

    static let capabilities: Set<Capability> = [.recordCache]

    private static func saveMode(_ arguments: CallArguments) throws(Fault) -> SaveMode {
        let replaces = try arguments.flag("noMerge", default: false)
        if let name = try arguments.optionalText("mergeMode") {
            guard let mode = SaveMode(rawValue: name) else {
                throw CallArguments.wrong(
                    "mergeMode", "must be OVERWRITE, MERGE_ACCEPT_THEIRS or LEAVE_IF_CHANGED")
            }
            return mode
        }
        return replaces ? .overwrite : .mergeAcceptTheirs
    }

    private static func merged(_ arguments: CallArguments) throws(Fault) -> JSONValue {
        let merge = ThreeWayMerge(
            fields: try arguments.value("fields") == nil ? nil : arguments.textList("fields"),
            emptyIsNull: try arguments.flag("emptyIsNull", default: false))
        let outcome = merge.outcome(
            base: try arguments.optionalObject("base"), theirs: try arguments.optionalObject("theirs"),
            yours: try arguments.object("yours"), mode: try mergeMode(arguments.text("mode"), "mode"))
        switch outcome {
        case .merged(let record, let changes):
            return .object(JSONObject([("conflict", false), ("record", .object(record))] + names(changes)))
        case .conflict(let report):
            return .object(JSONObject([("conflict", true)] + names(report.changes)))
        }
    }

    static func mergeMode(_ name: String, _ argument: String) throws(Fault) -> MergeMode {
        guard let mode = MergeMode(rawValue: name) else {
            throw CallArguments.wrong(
                argument, "must be overwrite, merge-accept-yours, merge-fail-if-conflict or merge-fail-if-changed")
        }
        return mode
    }

    /// The lists of a report as members.
    static func names(_ changes: MergeChanges) -> [(String, JSONValue)] {
        [
            ("remoteChanges", .array(changes.remote.map(JSONValue.string))),
            ("localChanges", .array(changes.local.map(JSONValue.string))),
            ("conflictingChanges", .array(changes.conflicting.map(JSONValue.string))),
        ]
    }
}
