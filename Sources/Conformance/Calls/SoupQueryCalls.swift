import JSONText
import OData
import OfflineOData
import OfflineStore
import Soups

/// The calls about OData over soups.
enum SoupQueryCalls {
    static let all: [CallHandler] = [
        .reads("odata.querySoup") { (context, arguments) throws(Fault) in
            let (store, query) = (try context.store(arguments), try query(arguments))
            let cursor = try store.query(
                odata: query, in: arguments.soupName(), relations: relations(arguments))
            return try result(of: cursor)
        },
        .reads("odata.explainSoupQuery") { (context, arguments) throws(Fault) in
            let (store, query) = (try context.store(arguments), try query(arguments))
            return json(
                try store.explain(odata: query, in: arguments.soupName(), relations: relations(arguments)))
        },
    ]

    static let capabilities: Set<Capability> = [.offlineOData, .soupApply]

    private static func query(_ arguments: CallArguments) throws(Fault) -> SoupQuery {
        guard arguments.value("token") == nil else {
            throw Fault(.unsupported, "tokens (soupTokens) are not supported")
        }
        return try SoupQuery(
            arguments.text("query"), version: ODataExpressionCalls.version(arguments),
            model: ODataExpressionCalls.model(arguments), entityType: arguments.optionalText("entityType"),
            now: ODataExpressionCalls.instant("now", of: arguments),
            pageSize: arguments.optionalInt("pageSize") ?? 200)
    }

    private static func relations(_ arguments: CallArguments) throws(Fault) -> [SoupRelation] {
        var relations: [SoupRelation] = []
        for object in try arguments.optionalObjects("relations") ?? [] {
            relations.append(try SoupRelation(CallArguments(object)))
        }
        return relations
    }

    private static func json(_ plan: ODataPlan) -> JSONValue {
        let conjuncts = plan.conjuncts.map { conjunct -> JSONValue in
            [
                "text": .string(conjunct.text), "answer": .string(conjunct.answer.rawValue),
                "index": conjunct.index.map(JSONValue.string) ?? .null,
                "on": conjunct.evaluatedOn.map { .string($0.rawValue) } ?? .null,
                "reason": conjunct.reason.map(JSONValue.string) ?? .null,
            ]
        }
        return [
            "conjuncts": .array(conjuncts), "order": .string(plan.order.rawValue),
            "uses": .array(plan.uses.map { ["soupName": .string($0.soupName), "path": .string($0.path)] }),
            "scans": .array(plan.scans.map(JSONValue.string)), "sql": .string(plan.sql),
        ]
    }

    /// A page in the form of the contract.
    static func result(of cursor: ODataCursor) throws(Fault) -> JSONValue {
        var entries: [JSONValue] = []
        for row in cursor.page {
            entries.append(try CallResults.entry(row))
        }
        var result = JSONObject([("entries", .array(entries))])
        if let count = cursor.count {
            result["count"] = .number(JSONNumber(count))
        }
        if let skip = cursor.nextSkip {
            result["nextSkip"] = .number(JSONNumber(skip))
        }
        if let token = cursor.nextToken {
            result["nextToken"] = .string(token)
        }
        return .object(result)
    }
}
