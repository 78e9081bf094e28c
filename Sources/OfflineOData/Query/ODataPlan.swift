import OData
public import OfflineStore
import Soups

/// Says how a query over a soup is answered: which conditions an index decides, and which are evaluated.
///
/// It never shows a literal of the query.
public struct ODataPlan: Sendable {
    /// How one condition of the filter is answered.
    public enum Answer: String, Sendable, Hashable {
        /// By indexes alone.
        case sql
        /// Indexes find rows, of which some or all are then evaluated.
        case superset
        /// By evaluation of all rows.
        case residual
    }

    /// What a condition is evaluated on.
    public enum Evaluated: String, Sendable, Hashable {
        /// The cell of an index, where its text can be nothing but the text of the value; else the stored entry.
        case cell
        /// The stored entry.
        case document
    }

    /// How the rows get their order.
    public enum Order: String, Sendable, Hashable {
        /// Along an index. If a filter leaves few of the rows in front, a sort takes its place.
        case index
        /// By a sort in memory.
        case sort
        /// By the entry ids.
        case id
    }

    /// A condition of the filter: the filter is cut where `and` joins its parts.
    public struct Conjunct: Sendable, Hashable {
        /// The condition in canonical form, with `?` for each literal.
        public let text: String
        /// How it is answered.
        public let answer: Answer
        /// The path of the index that is used; `nil` if no index finds its rows.
        public let index: String?
        /// What it is evaluated on; nil if it is not evaluated.
        public let evaluatedOn: Evaluated?
        /// Why it is evaluated; nil if it is not.
        public let reason: String?
    }

    /// The conditions of the filter, from left to right.
    public let conjuncts: [Conjunct]
    /// How the rows get their order.
    public let order: Order
    /// The indexes that the statement uses.
    public let uses: [QueryPlan.Use]
    /// The soups that the statement reads from end to end.
    public let scans: [String]
    /// The statement that finds the rows, with `?` for values.
    public let sql: String

    init(_ run: SoupQueryRun) throws(Fault) {
        let (soup, indexOrder) = try run.store.snapshot { (snapshot) throws(Fault) in
            (try snapshot.soup(run.soup), try Self.indexOrder(run, snapshot))
        }
        guard !run.options.applies else {
            // All rows are read, whatever the conditions.
            let explained = try run.store.explain(.all(), soup: run.soup)
            (conjuncts, order) = ([], run.options.order.isEmpty ? .id : .sort)
            (uses, scans, sql) = (explained.uses, explained.scans, explained.sql)
            return
        }
        let plan = run.plan(for: soup)
        conjuncts = plan.first.conjuncts.map { Self.conjunct($0, run.options.filter) }
        order = run.options.order.isEmpty ? .id : indexOrder == nil ? .sort : .index
        guard soup.canBeNamed else {
            let explained = try run.store.explain(.all(), soup: run.soup)
            (uses, scans, sql) = (explained.uses, explained.scans, explained.sql)
            return
        }
        let explained: QueryPlan
        if let indexOrder {
            explained = try run.store.explain(.smart(indexOrder.statement))
        } else {
            let statement = plan.firstStatement
            explained = try run.store.explain(.smart(statement.text), arguments: statement.arguments)
        }
        uses = explained.uses
        scans = explained.scans
        sql = explained.sql
    }

    /// The order along an index, if the rows are found by it.
    private static func indexOrder(_ run: SoupQueryRun, _ snapshot: StoreSnapshot) throws(Fault) -> IndexOrder? {
        guard !run.options.applies else { return nil }
        let test = RowTest(run.options, query: run.query.query)
        guard let order = try OrderedRows(run, snapshot, test).order else { return nil }
        return try order.isCertain(in: snapshot) ? order : nil
    }

    private static func conjunct(_ conjunct: FilterPlan.Conjunct, _ filter: ODataEvaluator?) -> Conjunct {
        let answer = Answer(rawValue: conjunct.answer.rawValue) ?? .residual
        let reason: String? =
            switch (answer, conjunct.bounds) {
            case (.sql, _): nil
            case (.superset, _): "cells do not tell everything about the values"
            case (.residual, nil): conjunct.reason?.rawValue
            case (.residual, _): "the index tells of some rows that they are in the result, but excludes none"
            }
        return Conjunct(
            text: filter?.expression.shape(of: conjunct.node) ?? "", answer: answer,
            index: conjunct.bounds?.paths.first ?? conjunct.cell?.names.joined(separator: "."),
            evaluatedOn: answer == .sql ? nil : conjunct.cell == nil ? .document : .cell, reason: reason)
    }
}
