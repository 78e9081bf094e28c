import JSONText
import SOQL
import Soups

/// The calls about SOQL and SOSL texts, which need no store.
enum SOQLCalls {
    static let all: [CallHandler] = [
        .reads("soql.tokenize") { (_, arguments) throws(Fault) in
            .array(try SOQLToken.tokens(of: arguments.text("text")).map { .string($0.text) })
        },
        .reads("soql.mutate") { (_, arguments) throws(Fault) in try .string(mutated(arguments).text) },
        .reads("soql.inspect") { (_, arguments) throws(Fault) in try inspection(arguments) },
        .reads("soql.literal") { (_, arguments) throws(Fault) in
            .string(try SOQLLiteral.text(arguments.text("text")))
        },
        .reads("soql.build") { (_, arguments) throws(Fault) in try .string(query(arguments).text()) },
        .reads("sosl.escape") { (_, arguments) throws(Fault) in
            .string(try SOSLTerm.escaped(arguments.text("text")))
        },
        .reads("sosl.build") { (_, arguments) throws(Fault) in try .string(search(arguments).text()) },
    ]

    static let capabilities: Set<Capability> = [.soql]

    private static func mutated(_ arguments: CallArguments) throws(Fault) -> SOQLQuery {
        var query = try SOQLQuery(arguments.text("query"))
        for operation in try arguments.array("operations") {
            guard let parts = operation.array, parts.count == 2, let name = parts[0].string, let text = parts[1].string
            else {
                throw CallArguments.wrong("operations", "must be an array of pairs of an operation and a text")
            }
            switch name {
            case "addSelect": query = try query.addingSelect(text)
            case "replaceSelect": query = try query.replacingSelect(with: text)
            case "addWhere": query = try query.addingWhere(text)
            case "replaceOrderBy": query = try query.replacingOrderBy(with: text)
            default:
                throw CallArguments.wrong(
                    "operations", "has an unknown operation; use addSelect, replaceSelect, addWhere or replaceOrderBy")
            }
        }
        return query
    }

    private static func inspection(_ arguments: CallArguments) throws(Fault) -> JSONValue {
        let query = try SOQLQuery(arguments.text("query"))
        guard let field = try arguments.optionalText("field") else {
            return ["hasOrderBy": .bool(query.hasOrderBy)]
        }
        return [
            "hasOrderBy": .bool(query.hasOrderBy), "selecting": .bool(query.isSelecting(field)),
            "orderingBy": .bool(query.isOrdering(by: field)), "ordered": .bool(query.isAscending(by: field)),
        ]
    }

    private static func query(_ arguments: CallArguments) throws(Fault) -> SOQLBuilder {
        SOQLBuilder(
            fields: try arguments.textList("fields"), from: try arguments.optionalText("from") ?? "",
            where: try arguments.optionalText("where") ?? "", with: try arguments.optionalText("with") ?? "",
            groupBy: try arguments.optionalText("groupBy") ?? "", having: try arguments.optionalText("having") ?? "",
            orderBy: try arguments.optionalText("orderBy") ?? "", limit: try arguments.optionalInt("limit") ?? 0,
            offset: try arguments.optionalInt("offset") ?? 0)
    }

    private static func search(_ arguments: CallArguments) throws(Fault) -> SOSLBuilder {
        var returning: [SOSLReturning] = []
        for object in try arguments.optionalObjects("returning") ?? [] {
            returning.append(try self.returning(CallArguments(object)))
        }
        return SOSLBuilder(
            term: try arguments.optionalText("term") ?? "",
            searchGroup: try arguments.optionalText("searchGroup") ?? "",
            returning: returning, divisionFilter: try arguments.optionalText("divisionFilter") ?? "",
            dataCategory: try arguments.optionalText("dataCategory") ?? "",
            limit: try arguments.optionalInt("limit") ?? 0)
    }

    private static func returning(_ arguments: CallArguments) throws(Fault) -> SOSLReturning {
        SOSLReturning(
            objectName: try arguments.optionalText("objectName") ?? "", fields: try arguments.textList("fields"),
            where: try arguments.optionalText("where") ?? "", orderBy: try arguments.optionalText("orderBy") ?? "",
            withNetwork: try arguments.optionalText("withNetwork") ?? "", limit: try arguments.optionalInt("limit") ?? 0
        )
    }
}
