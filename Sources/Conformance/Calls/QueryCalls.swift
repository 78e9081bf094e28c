import JSONText
import OfflineStore
import SmartSQL
import Soups

/// The calls for queries: running and counting query specs, and their plans.
enum QueryCalls {
    static let all: [CallHandler] = [
        .reads("querySoup") { (context, arguments) throws(Fault) in
            let spec = try arguments.querySpec()
            guard spec.kind != .smart else {
                throw Fault(.invalidQuerySpec, "a smart query must be run with runSmartQuery")
            }
            let store = try context.store(arguments)
            return try context.keep(store.query(spec, soup: arguments.soupName()), arguments).json()
        },
        .reads("runSmartQuery") { (context, arguments) throws(Fault) in
            let spec = try arguments.querySpec()
            guard spec.kind == .smart else {
                throw Fault(.invalidQuerySpec, "runSmartQuery accepts only smart queries")
            }
            return try context.keep(
                context.store(arguments).runSmartQuery(spec, arguments: arguments.boundArguments()), arguments
            ).json()
        },
        .reads("countQuery") { (context, arguments) throws(Fault) in
            let spec = try arguments.querySpec()
            try arguments.refuseArguments(of: spec)
            let store = try context.store(arguments)
            let count =
                spec.kind == .smart
                ? try store.count(spec, arguments: arguments.boundArguments())
                : try store.count(spec, soup: arguments.soupName())
            return .number(JSONNumber(Int64(count)))
        },
        .reads("explainQuery") { (context, arguments) throws(Fault) in
            let spec = try arguments.querySpec()
            try arguments.refuseArguments(of: spec)
            let store = try context.store(arguments)
            let plan =
                spec.kind == .smart
                ? try store.explain(spec, arguments: arguments.boundArguments())
                : try store.explain(spec, soup: arguments.soupName())
            return [
                "uses": .array(plan.uses.map { ["soupName": .string($0.soupName), "path": .string($0.path)] }),
                "scans": .array(plan.scans.map(JSONValue.string)), "sql": .string(plan.sql),
            ]
        },
        .reads("translateSmartSQL") { (context, arguments) throws(Fault) in
            .string(try context.store(arguments).translate(smartSql: arguments.text("smartSql")))
        },
        .reads("describeQuerySpec") { (_, arguments) throws(Fault) in
            let spec = try arguments.querySpec()
            return .string(try PublishedQuery(spec, soupName: spec.kind == .smart ? "" : arguments.soupName()).smartSql)
        },
        .reads("smartRows") { (context, arguments) throws(Fault) in
            let (text, bound) = (try arguments.text("smartSql"), try arguments.boundArguments())
            let limit = Int(clamping: try arguments.optionalInteger("limit") ?? .max)
            let store = try context.store(arguments)
            if try arguments.flag("named", default: false), limit > 0 {
                let rows = try store.rows(text, arguments: bound).prefix(limit)
                try RowReadings.compare(rows, text, bound, in: store)
                return try CallResults.namedRows(rows)
            }
            guard try arguments.flag("visited", default: false), limit > 0 else {
                return try CallResults.rows(store.rows(text, arguments: bound, limit: limit))
            }
            return try CallResults.rows(store.shownRows(text, arguments: bound, limit: limit))
        },
        .reads("lookUpKeys") { (context, arguments) throws(Fault) in
            let keys = try arguments.keys("keys")
            let (path, selected) = (try arguments.text("path"), try arguments.texts("selectPaths"))
            return try CallResults.rows(
                context.store(arguments).lookUp(
                    specKeys: keys, path: path, in: arguments.soupName(), selecting: selected))
        },
    ]
}

extension SmartStore {
    /// The rows that are shown to a closure that stops after `limit` rows.
    fileprivate func shownRows(_ text: String, arguments: [SQLValue], limit: Int) throws(Fault) -> [[StoreCell]] {
        var shown: [[StoreCell]] = []
        do {
            try rows(text, arguments: arguments) { row in
                shown.append(try row.cells())
                return shown.count < limit
            }
        } catch {
            throw error as? Fault ?? Fault(.unsupported, "the closure has thrown \(error)")
        }
        return shown
    }
}

extension CallArguments {
    /// Arguments are for the parameters of a smart query. A query of another kind has keys in its spec.
    fileprivate func refuseArguments(of spec: QuerySpec) throws(Fault) {
        if spec.kind != .smart, value("arguments") != nil {
            throw Fault(.invalidQuerySpec, "only smart queries have arguments; give the keys in the query spec")
        }
    }
}

extension StoreCursor {
    /// The cursor in the form of the contract.
    func json() throws(Fault) -> JSONValue {
        let page = currentPage
        let (entries, pages) = (try totalEntries, try totalPages)
        return [
            "cursorId": .number(JSONNumber(Int64(cursorId))),
            "currentPageIndex": .number(JSONNumber(Int64(page.index))),
            "pageSize": .number(JSONNumber(Int64(pageSize))), "totalEntries": .number(JSONNumber(Int64(entries))),
            "totalPages": .number(JSONNumber(Int64(pages))),
            "currentPageOrderedEntries": try CallResults.entry(page.json),
        ]
    }

    func moving(_ move: (StoreCursor) throws(Fault) -> StorePage) throws(Fault) -> JSONValue {
        _ = try move(self)
        return try json()
    }
}
