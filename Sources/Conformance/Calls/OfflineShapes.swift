import JSONText
import LocalChanges
import OData
import OfflineOData
import OfflineSync
import ServiceTransport
import Soups

/// What the offline client returns, in the form of the contract.
enum OfflineShapes {
    static func map(_ map: EntitySetMap) -> JSONValue {
        let sets = map.sets.map { set -> (String, JSONValue) in
            (
                set.name,
                [
                    "soupName": .string(set.soup), "key": .array(set.key.map(JSONValue.string)),
                    "indexSpecs": .array(
                        set.indexSpecs.map { ["path": .string($0.path), "type": .string($0.type.rawValue)] }),
                    "relations": .array(
                        set.relations.map { relation in
                            [
                                "name": .string(relation.name), "soup": .string(relation.soup),
                                "local": .array(relation.local.map(JSONValue.string)),
                                "foreign": .array(relation.foreign.map(JSONValue.string)),
                                "collection": .bool(relation.isCollection),
                            ]
                        }),
                ]
            )
        }
        return ["sets": .object(JSONObject(sets))]
    }

    static func load(_ result: LoadResult, _ requests: JSONValue) -> JSONValue {
        let summary = result.summary
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }
        return [
            "status": .string(result.status.rawValue),
            "errorCode": result.fault.map { .string($0.code.rawValue) } ?? .null,
            "summary": [
                "pages": number(summary.pages), "entities": number(summary.entities),
                "changed": number(summary.changed), "deleted": number(summary.deleted),
                "linked": number(summary.linked), "skipped": number(summary.skipped),
            ],
            "deltaLink": .bool(result.hasDeltaLink), "requests": requests,
        ]
    }

    static func push(_ result: PushResult, _ requests: JSONValue) -> JSONValue {
        [
            "status": .string(result.status.rawValue),
            "errorCode": result.fault.map { .string($0.code.rawValue) } ?? .null,
            "outcomes": .array(
                result.outcomes.map { outcome in
                    [
                        "entitySet": .string(outcome.entitySet),
                        "entryId": .number(JSONNumber(outcome.entryId)),
                        "operation": .string(outcome.operation.rawValue), "outcome": .string(outcome.kind.rawValue),
                        "error": outcome.error.map(JSONValue.object) ?? .null,
                    ]
                }), "requests": requests,
        ]
    }

    static func plan(_ request: PlannedRequest) -> JSONValue {
        [
            "method": .string(request.method), "url": .string(request.url),
            "headers": .object(JSONObject(request.headers.map { ($0.name, .string($0.value)) })),
            "body": request.body.map { (try? JSONValue(parsing: $0)) ?? .string($0) } ?? .null,
            "entitySet": .string(request.entitySet), "entryId": .number(JSONNumber(request.entryId)),
            "contentId": request.contentID.map(JSONValue.string) ?? .null,
        ]
    }

    static func conflict(_ conflict: Conflict) -> JSONValue {
        [
            "entitySet": .string(conflict.entitySet), "entryId": .number(JSONNumber(conflict.entryId)),
            "key": .string(conflict.key), "kind": .string(conflict.kind.rawValue),
            "base": conflict.base.map(JSONValue.object) ?? .null, "mine": .object(conflict.mine),
            "theirs": conflict.theirs.map(JSONValue.object) ?? .null,
            "etag": conflict.etag.map(JSONValue.string) ?? .null,
            "changed": .array(conflict.changed.map(JSONValue.string)), "at": .number(JSONNumber(conflict.at)),
        ]
    }

    static func pending(_ change: PendingChange) -> JSONValue {
        [
            "entitySet": .string(change.entitySet), "set": .string(change.entitySet),
            "entryId": .number(JSONNumber(change.entryId)), "key": .string(change.key),
            "operation": .string(change.operation.rawValue),
            "changed": .array(change.changed.map(JSONValue.string)),
            "error": change.error.map(JSONValue.object) ?? .null,
            "conflict": change.conflict.map(conflict) ?? .null, "doubt": .bool(change.isInDoubt),
        ]
    }

    static func doubt(_ row: OutboxRow) -> JSONValue {
        [
            "entitySet": .string(row.objectType), "soupName": .string(row.soupName),
            "entryId": .number(JSONNumber(row.entryId)),
            "sent": .object(row.sent),
        ]
    }

    /// Requests with the query as it was sent, and bodies as JSON where they are JSON, else as text.
    static func requests(_ requests: [ServiceRequest]) -> JSONValue {
        .array(
            requests.map { request in
                let target = request.target
                let query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
                return [
                    "method": .string(request.method), "path": .string(request.path),
                    "query": query.map(JSONValue.string) ?? .null,
                    "headers": .object(
                        JSONObject(request.headers.map { ($0.name.lowercased(), .string($0.value)) })),
                    "body": request.body.map { bytes in
                        (try? JSONValue(parsing: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
                    } ?? .null,
                ]
            })
    }
}
