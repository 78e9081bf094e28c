import Soups

extension PageQuery {
    /// The page after a position; without a position the first page.
    public func page(after position: Position?) -> Page {
        Page(statements: steps(from: position, order), isReversed: false)
    }

    /// The page before a position, read backwards; without a position the last page.
    public func page(before position: Position?) -> Page {
        Page(statements: steps(from: position, order.reversed), isReversed: true)
    }

    /// The page after the first `offset` entries, which are skipped one by one. O(n) in `offset`.
    public func page(at offset: Int64) -> Page {
        let allEqual = runsAlongFilter && filter.intervals.count == 1 && filter.intervals[0].isPoint
        let condition = matchPlan == nil ? filter.condition : matchCondition
        let step = Walk(query: self, order: order).step(
            condition.map { [.fixed($0)] } ?? [], allEqual: allEqual, isCounted: true)
        let statement = step.statement(at: nil)
        return Page(
            statements: [BoundStatement(sql: statement.sql, bindings: statement.bindings + [.integer(max(0, offset))])],
            isReversed: false)
    }

    private func steps(from position: Position?, _ order: SortOrder) -> [BoundStatement] {
        guard runsAlongFilter, let column = filter.column else {
            return statements(through: nil, order, from: position)
        }
        var statements: [BoundStatement] = []
        let intervals = filter.intervals
        for index in order == .ascending ? Array(intervals.indices) : intervals.indices.reversed() {
            let interval = intervals[index]
            var start = position
            if let position, intervals.count > 1, !column.isId {
                if order == .ascending ? interval.ends(before: position.key) : interval.begins(after: position.key) {
                    continue
                }
                if order == .ascending ? interval.begins(after: position.key) : interval.ends(before: position.key) {
                    start = nil
                }
            }
            statements += self.statements(through: index, order, from: start)
        }
        return statements
    }

    /// The statements that read one interval of the filter, or everything that passes the filter.
    private func statements(through index: Int?, _ order: SortOrder, from position: Position?) -> [BoundStatement] {
        let start = WalkStart(position)
        let steps = knownSteps.steps(WalkSteps.Key(interval: index, order: order, start: start)) {
            let walk = Walk(query: self, order: order)
            guard let index else {
                let condition = matchPlan == nil ? filter.condition : matchCondition
                return walk.steps(through: .everything, besides: condition, from: start)
            }
            return walk.steps(through: filter.intervals[index], besides: filter.residual, from: start)
        }
        return steps.map { $0.statement(at: position) }
    }

    /// The condition of a match query, in the form that its plan needs.
    private var matchCondition: SQLFragment? {
        switch matchPlan {
        case .walkFullText: filter.search?.match
        case .walkOrder: filter.search?.filter
        case .sortKeys, nil: filter.residual
        }
    }

    /// Whether the query is ordered by the column of the condition. The intervals of the filter are then read one after
    /// the other.
    private var runsAlongFilter: Bool { filter.column?.expression == orderColumn.expression }
}

/// Writes the statements that read an interval of the order column in one direction.
///
/// After a position come the rest of the entries with the same key, then the entries with the next keys. NULL, which is
/// first in ascending order, is a separate case. Comparing `(key, id)` as a row value would be shorter, but it is wrong
/// for NULL and reads all equal keys from the first one.
private struct Walk {
    let query: PageQuery
    let order: SortOrder

    private var column: SoupColumn { query.orderColumn }
    private var ascending: Bool { order == .ascending }

    func steps(through interval: KeyInterval, besides residual: SQLFragment?, from start: WalkStart) -> [WalkStep] {
        let rest = residual.map { [WalkCondition.fixed($0)] } ?? []
        let whole = interval.conditions(column.expression).map { WalkCondition.fixed($0) }
        if start == .beginning {
            return [step(whole + rest, allEqual: interval.isPoint)]
        }

        // The rows of a full-text table have the ids of the entries, under another name.
        let id = query.matchPlan == .walkFullText ? "rowid" : "id"
        let beyondId = WalkCondition.compared(id, ascending ? ">" : "<", .positionId)
        if column.isId {
            return [step(far(interval) + [beyondId] + rest)]
        }
        if interval.isPoint {
            return [step(whole + [beyondId] + rest, allEqual: true)]
        }

        let isNull = WalkCondition.fixed(SQLFragment(text: "\(column.expression) IS NULL"))
        if start == .afterNull {
            let sameKey = step([isNull, beyondId] + rest, allEqual: true)
            guard ascending else {
                return [sameKey]
            }
            let lowest = WalkCondition.fixed(SQLFragment(text: "\(column.expression) >= \(column.lowestValue)"))
            return [sameKey, step([lowest] + (interval.isEverything ? [] : whole) + rest)]
        }
        let equal = WalkCondition.compared(column.expression, "=", .positionKey)
        let beyondKey = WalkCondition.compared(column.expression, ascending ? ">" : "<", .positionKey)
        var steps = [step([equal, beyondId] + rest, allEqual: true), step([beyondKey] + far(interval) + rest)]
        if !ascending, interval.isEverything {
            steps.append(step([isNull] + rest, allEqual: true))
        }
        return steps
    }

    /// The bound in the direction of the walk. The other bound already holds for every remaining entry, and repeating
    /// it would only mislead the query planner.
    private func far(_ interval: KeyInterval) -> [WalkCondition] {
        (ascending ? interval.upperCondition(column.expression) : interval.lowerCondition(column.expression)).map {
            [.fixed($0)]
        } ?? []
    }

    /// Writes one statement. If all keys are equal, entries are ordered by id only, which avoids a sort. A counted
    /// statement skips as many rows as its last value says.
    func step(_ conditions: [WalkCondition], allEqual: Bool = false, isCounted: Bool = false) -> WalkStep {
        let filter = conditions.isEmpty ? "" : " WHERE \(conditions.map(\.text).joined(separator: " AND "))"
        let order = " ORDER BY \(orderTerms(isById: column.isId || allEqual))"
        let limit = isCounted ? " LIMIT ?, ?" : " LIMIT ?"
        let values = "SELECT id, \(column.expression), \(query.selected) FROM"
        let sql =
            switch query.matchPlan {
            // Inside the parentheses are the ids only, under a name that no table has: the full-text table and the
            // soup's table have columns of the same names.
            case .walkFullText where isCounted:
                "\(values) (SELECT rowid AS found FROM \(searched)\(filter) ORDER BY rowid\(direction)\(limit)) \(fetched) ORDER BY found\(direction)"
            case .walkFullText:
                "\(values) (SELECT rowid AS found FROM \(searched)\(filter)) \(fetched) ORDER BY found\(direction)\(limit)"
            case .sortKeys:
                "\(values) (SELECT id AS found FROM \(query.table)\(filter)\(order)\(limit)) \(fetched)\(order)"
            case .walkOrder, nil: "\(values) \(query.table)\(filter)\(order)\(limit)"
            }
        return WalkStep(sql: sql, values: conditions.flatMap(\.values))
    }

    private var direction: String { ascending ? "" : " DESC" }
    private var searched: String { query.filter.search?.table ?? query.table }
    /// The join that fetches the entries of the ids found. CROSS JOIN keeps SQLite from turning it round.
    private var fetched: String { "CROSS JOIN \(query.table) ON id = found" }

    private func orderTerms(isById: Bool) -> String {
        isById ? "id\(direction)" : "\(column.expression)\(direction), id\(direction)"
    }
}
