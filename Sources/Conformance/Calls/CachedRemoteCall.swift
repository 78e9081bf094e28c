import JSONText
import OfflineStore
import OfflineSync
import Soups

/// One call of `cache.sync`.
struct CachedRemoteCall {
    private let service: ScriptedService
    private let firstRequest: Int
    private let accounts: CachedRemote
    private let operation: CacheOperation
    private let mode: CacheMode?
    private let id: String?
    private let record: JSONObject?
    private let fields: [String]?

    init(_ context: CallContext, _ arguments: CallArguments) throws(Fault) {
        service = context.sync.service
        firstRequest = service.requestCount
        let cache = try context.cache(arguments)
        var originals: RecordCache?
        if let name = try arguments.optionalText("originals") {
            let kept = RecordCache(cache.store, soup: name, keyField: cache.keyField)
            try kept.register()
            originals = kept
        }
        guard let operation = CacheOperation(rawValue: try arguments.text("operation")) else {
            throw CallArguments.wrong("operation", "must be create, read, update or delete")
        }
        var mode: CacheMode?
        if let name = try arguments.optionalText("cacheMode") {
            mode = CacheMode(rawValue: name)
            guard mode != nil else {
                throw CallArguments.wrong(
                    "cacheMode", "must be cache-only, server-only, cache-first or server-first")
            }
        }
        self.operation = operation
        self.mode = mode
        record = try arguments.optionalObject("record")
        fields = try arguments.value("fields") == nil ? nil : arguments.textList("fields")
        let named = record?[cache.keyField]
        id = try arguments.optionalText("id") ?? named?.string ?? named?.number?.text
        let type = try arguments.optionalText("sobjectType") ?? record?["attributes"]?["type"]?.string ?? "null"
        let mergeMode: MergeMode? =
            if let name = try arguments.optionalText("mergeMode") {
                try CacheCalls.mergeMode(name, "mergeMode")
            } else { nil }
        accounts = CachedRemote(
            ServiceRemote(service, objectType: type, keyField: cache.keyField), cache: cache, originals: originals,
            mergeMode: mergeMode ?? .overwrite, uuids: context.sync.uuids)
    }

    func result() throws(Fault) -> JSONValue {
        do {
            let found = try CallingThread.run(perform)
            return answer(found.record.map(JSONValue.object) ?? .null, isFromCache: found.isFromCache, .null)
        } catch let conflict as MergeConflict {
            return answer(.null, isFromCache: false, Self.json(conflict.report))
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(.closed, "the call ended with another error")
        }
    }

    @Sendable private func perform() async throws -> CachedRecord {
        switch operation {
        case .create: try await accounts.create(given(), fields: fields, mode: mode)
        case .read: try await accounts.read(key(), fields: fields, mode: mode)
        case .update: try await accounts.update(key(), with: given(), fields: fields, mode: mode)
        case .delete: try await accounts.delete(key(), fields: fields, mode: mode)
        }
    }

    private func given() throws(Fault) -> JSONObject {
        guard let record else { throw CallArguments.wrong("record", "must be an object") }
        return record
    }

    private func key() throws(Fault) -> String {
        guard let id else { throw CallArguments.wrong("id", "must be a string") }
        return id
    }

    private func answer(_ record: JSONValue, isFromCache: Bool, _ conflict: JSONValue) -> JSONValue {
        [
            "record": record, "fromCache": .bool(isFromCache),
            "requests": .array(service.requests(from: firstRequest).map(\.json)), "conflict": conflict,
        ]
    }

    private static func json(_ report: ConflictReport) -> JSONValue {
        .object(
            JSONObject(
                [
                    ("base", .object(report.base)), ("theirs", report.theirs.map(JSONValue.object) ?? .null),
                    ("yours", .object(report.yours)),
                ] + CacheCalls.names(report.changes)))
    }
}
