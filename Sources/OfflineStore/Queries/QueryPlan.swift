import SQLiteAccess
import SmartSQL
public import Soups

/// Says how SQLite answers a query: which indexes of which soups it uses, and which soups it reads from end to end.
///
/// ```swift
/// let plan = try store.explain(.exact(path: "name", matchKey: "Ada"), soup: "contacts")
/// let usesIndex = plan.scans.isEmpty && plan.uses.contains { $0.path == "name" }
/// ```
public struct QueryPlan: Sendable {
    /// Describes one use of an index: the soup and the path. For the entry id and the dates the path is
    /// `_soupEntryId`, `_soupCreatedDate` or `_soupLastModifiedDate`.
    public struct Use: Sendable, Hashable {
        /// The name of the soup.
        public let soupName: String
        /// The index path, or the name of a system field.
        public let path: String

        package init(soupName: String, path: String) {
            self.soupName = soupName
            self.path = path
        }
    }

    /// The indexes that are used, in the order of the plan, without duplicates.
    public private(set) var uses: [Use] = []
    /// The soups of which every entry (or every index row) is read to find those that match, without duplicates.
    public private(set) var scans: [String] = []
    /// The statement that was explained.
    public let sql: String

    init(sql: String) { self.sql = sql }

    fileprivate mutating func add(_ use: Use) {
        let isKnown = uses.contains { known in
            ByteKey(known.soupName) == ByteKey(use.soupName) && ByteKey(known.path) == ByteKey(use.path)
        }
        if !isKnown {
            uses.append(use)
        }
    }
    fileprivate mutating func add(scanOf soup: String) {
        if !scans.contains(where: { ByteKey($0) == ByteKey(soup) }) {
            scans.append(soup)
        }
    }
}

extension SmartStore {
    /// Asks SQLite how it would answer the first page of a query of any kind but smart. The answer depends on the
    /// indexes that exist.
    ///
    /// - Throws: as `query`.
    public func explain(_ spec: QuerySpec, soup: String) throws(Fault) -> QueryPlan {
        try reading(.explain) { (session) throws(Fault) in
            var execution = try QueryExecution(spec, soup: soup, session: session)
            try execution.plan(session)
            guard let bound = execution.query.firstPage.statements.first else {
                throw Fault(.invalidQuerySpec, "the query has no statement")
            }
            // Without a condition, walking along an index is not a search. With a full-text search it only gives the
            // order.
            let isUnconditional =
                spec.kind == .all || execution.query.walksOrder
                || (spec.kind == .range && spec.beginKey == nil && spec.endKey == nil)
            let searched = try spec.kind == .match ? MatchExpression.searchedPaths(of: spec) : nil
            let reader = PlanReader(session: session, walksAreScans: !isUnconditional, searchedPaths: searched)
            let plan = try reader.plan(of: bound.sql)
            return Reported(plan, CallReport(statement: plan.sql))
        }
    }

    /// Asks SQLite how it would answer a smart query.
    ///
    /// - Throws: as `runSmartQuery`.
    public func explain(_ spec: QuerySpec, arguments: [SQLValue] = []) throws(Fault) -> QueryPlan {
        try reading(.explain) { (session) throws(Fault) in
            let execution = try SmartExecution(spec, arguments: arguments, session: session)
            do throws(Fault) {
                let sql = execution.query.sql(.rows)
                _ = try session.connection.restricted(to: session.reach(of: execution.query)) { () throws(Fault) in
                    try session.connection.statement(sql)
                }
                let reader = PlanReader(session: session, walksAreScans: true, aliases: execution.query.aliases)
                return Reported(try reader.plan(of: sql), CallReport(statement: sql))
            } catch {
                throw Self.located(error, execution.query, session)
            }
        }
    }

    /// The fault with the offset in the Smart SQL text. SQLite has none for a text that ends too early; inside the
    /// parentheses of a page it has.
    private static func located(_ fault: Fault, _ query: TranslatedQuery, _ session: StoreSession) -> Fault {
        guard fault.offset == nil else {
            return query.located(fault, in: .rows)
        }
        do throws(Fault) {
            _ = try session.connection.restricted(to: session.reach(of: query)) { () throws(Fault) in
                try session.connection.statement(query.sql(.page))
            }
            return fault
        } catch {
            return query.located(error, in: .page)
        }
    }
}

/// Reads the lines of EXPLAIN QUERY PLAN. Source: https://sqlite.org/eqp.html.
private struct PlanReader {
    let session: StoreSession
    let walksAreScans: Bool
    /// Aliases of soups in the statement: a plan names a table by its alias.
    var aliases: [(alias: String, soupName: String)] = []
    /// The full-text paths that a match query searches; nil for all of them.
    var searchedPaths: Set<ByteKey>?

    func plan(of sql: String) throws(Fault) -> QueryPlan {
        let soups = try soupsByTable()
        var plan = QueryPlan(sql: sql)
        let lines = try session.connection.prepare("EXPLAIN QUERY PLAN " + sql)
        var looksUpIds: [RegisteredSoup] = []
        while try lines.step() {
            read(lines.text(at: 3), soups, &plan, &looksUpIds)
        }
        // Rows that another index has found are fetched by id: that is not a search of its own.
        for soup in looksUpIds where !plan.uses.contains(where: { ByteKey($0.soupName) == ByteKey(soup.name) }) {
            plan.add(QueryPlan.Use(soupName: soup.name, path: "_soupEntryId"))
        }
        return plan
    }

    /// The soups that a plan may name. The soups of the statement can be read, or it would not have been prepared; one
    /// that cannot is another soup.
    private func soupsByTable() throws(Fault) -> [Int64: RegisteredSoup] {
        var soups: [Int64: RegisteredSoup] = [:]
        for name in try SoupReading.names(in: session.connection) {
            do throws(Fault) {
                let soup = try session.soup(name)
                soups[soup.id] = soup
            } catch {
                guard error.code == .corrupt || error.code == .busy else {
                    throw error
                }
            }
        }
        return soups
    }

    /// `SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0=?)`, `SCAN e`, `SCAN TABLE_1_fts VIRTUAL TABLE INDEX 0:M1`;
    /// under an alias only the name of the index shows the table.
    private func read(
        _ line: String, _ soups: [Int64: RegisteredSoup], _ plan: inout QueryPlan, _ looksUpIds: inout [RegisteredSoup]
    ) {
        guard let space = line.utf8.firstIndex(of: UInt8(ascii: " ")) else { return }
        let verb = line[..<space]
        guard verb == "SEARCH" || verb == "SCAN" else { return }
        var rest = line[line.utf8.index(after: space)...]
        let alias = alias(beginning: rest)
        if let alias {
            // Words of an alias say nothing about the plan.
            rest = Substring(rest.utf8.dropFirst(alias.alias.utf8.count))
        }
        let words = rest.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
        let index = words.last { SoupTableName.begins($0) && $0.hasSuffix("_idx") }
        let aliased = alias.flatMap { known in soups.values.first { ByteKey($0.name) == ByteKey(known.soupName) } }
        guard let soup = aliased ?? (index ?? words.first).flatMap({ soup($0, soups) }) else { return }
        if let index {
            if let path = path(ofIndex: index, soup) {
                plan.add(QueryPlan.Use(soupName: soup.name, path: path))
            }
            if verb == "SCAN", walksAreScans {
                plan.add(scanOf: soup.name)
            }
        } else if aliased == nil, words.first?.hasSuffix("_fts") ?? false {
            for spec in soup.fullTextSpecs where searchedPaths?.contains(ByteKey(spec.path)) ?? true {
                plan.add(QueryPlan.Use(soupName: soup.name, path: spec.path))
            }
        } else if rest.contains("INTEGER PRIMARY KEY") {
            looksUpIds.append(soup)
        } else {
            plan.add(scanOf: soup.name)
        }
    }

    /// The alias of a soup with which a text begins. It may have any characters, also blanks, and the form of a table's
    /// name.
    private func alias(beginning text: Substring) -> (alias: String, soupName: String)? {
        let matches = aliases.filter { known in
            text.utf8.starts(with: known.alias.utf8)
                && [nil, UInt8(ascii: " ")].contains(text.utf8.dropFirst(known.alias.utf8.count).first)
        }
        return matches.max { $0.alias.utf8.count < $1.alias.utf8.count }
    }

    /// The soup of a table or an index.
    private func soup(_ name: Substring, _ soups: [Int64: RegisteredSoup]) -> RegisteredSoup? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0] == "TABLE", let table = Int64(parts[1]) else {
            return nil
        }
        return soups[table]
    }

    private func path(ofIndex index: Substring, _ soup: RegisteredSoup) -> String? {
        let name = index.dropFirst(soup.tableName.count + 1).dropLast("_idx".count)
        if name == "created" {
            return "_soupCreatedDate"
        }
        if name == "lastModified" {
            return "_soupLastModifiedDate"
        }
        return Int(name).flatMap { soup.indexSpecs.indices.contains($0) ? soup.indexSpecs[$0].path : nil }
    }
}
