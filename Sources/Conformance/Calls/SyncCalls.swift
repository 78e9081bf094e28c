import JSONText
import OfflineStore
import OfflineSync
import Soups

/// The calls about local changes and creations in doubt, and the answers of the scripted service.
enum SyncCalls {
    static let all: [CallHandler] = [
        .apart("sync.answers", writes: false) { (context, arguments) throws(Fault) in
            .number(JSONNumber(Int64(context.sync.service.append(try arguments.objects("answers")))))
        },
        .writes("sync.edit") { (context, arguments) throws(Fault) in try edit(context, arguments) },
        .reads("sync.doubts") { (context, arguments) throws(Fault) in
            let (store, soup) = (try context.store(arguments), try arguments.soupName())
            let doubts = try Outbox(store).doubts(inSoup: soup)
            if doubts.isEmpty {
                // A name that is wrong must not look like a soup without doubts.
                _ = try store.soup(soup)
            }
            return .array(
                doubts.map { doubt in
                    [
                        "entryId": .number(JSONNumber(doubt.entryId)), "objectType": .string(doubt.objectType),
                        "sent": .object(doubt.sent),
                    ]
                })
        },
        .writes("sync.resolveDoubt") { (context, arguments) throws(Fault) in
            let soup = try arguments.soupName()
            let entryId = try arguments.integer("entryId")
            let doubt = try arguments.optionalText("createdAs").map { Doubt.wasCreated(id: $0) } ?? .wasNotCreated
            let keyField = try context.keyField(soup, arguments)
            let row = try SyncManager.resolve(
                doubt, soup: soup, entryId: entryId, keyField: keyField, in: context.store(arguments),
                registry: context.sync.options.targets)
            return row.map(JSONValue.object) ?? .null
        },
    ]

    static let capabilities: Set<Capability> = [.sync]

    /// Runs asynchronous work on the calling thread.
    @discardableResult
    static func awaiting<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) throws(Fault) -> R {
        try Fault.only { try CallingThread.run(work) }
    }

    private static func edit(_ context: CallContext, _ arguments: CallArguments) throws(Fault) -> JSONValue {
        let soup = try arguments.soupName()
        let edits = LocalEdits(
            try context.store(arguments), soup: soup, keyField: try context.keyField(soup, arguments),
            keepsOriginals: try arguments.flag("keepsOriginals", default: false), uuids: context.sync.uuids)
        let row: JSONObject?
        switch try arguments.text("operation") {
        case "create": row = try edits.create(arguments.object("record"))
        case "update": row = try edits.update(arguments.integer("entryId"), changes: arguments.object("changes"))
        case "delete": row = try edits.delete(arguments.integer("entryId"))
        case "undelete": row = try edits.undelete(arguments.integer("entryId"))
        case "discard": row = try edits.discard(arguments.integer("entryId"))
        default:
            throw CallArguments.wrong("operation", "must be create, update, delete, undelete or discard")
        }
        return row.map(JSONValue.object) ?? .null
    }
}
