import Soups

extension PageQuery {
    /// The page behind a position; without one the first page.
    public func page(after position: Position?) -> Page {
        Page(statements: steps(from: position, order), isReversed: false)
    }

    /// The page before a position, read backwards; without one the last page.
    public func page(before position: Position?) -> Page {
        Page(statements: steps(from: position, order.reversed), isReversed: true)
    }

    /// The page that begins after so many entries, counted by walking over them: linear in `offset`.
    public func page(at offset: Int64) -> Page {
        let walk = Walk(query: self, order: order)
        let allEqual = runsAlongFilter && filter.intervals.count == 1 && filter.intervals[0].isPoint
        return Page(statements: [walk.step(filter.condition.map { [$0] } ?? [], allEqual: allEqual, offset: max(0, offset))], isReversed: false)
    }

    private func steps(from position: Position?, _ order: SortOrder) -> [BoundStatement] {
        let walk = Walk(query: self, order: order)
        guard runsAlongFilter, let column = filter.column else {
            return walk.steps(through: .everything, besides: filter.condition, from: position)
        }
        var steps: [BoundStatement] = []
        let intervals = order == .ascending ? filter.intervals : filter.intervals.reversed()
        for interval in intervals {
            var start = position
            if let position, intervals.count > 1, !column.isId {
                if order == .ascending ? interval.ends(before: position.key) : interval.begins(after: position.key) { continue }
                if order == .ascending ? interval.begins(after: position.key) : interval.ends(before: position.key) { start = nil }
            }
            steps += walk.steps(through: interval, besides: filter.residual, from: start)
        }
        return steps
    }

    /// Whether the order runs along the column of the condition: its intervals are then read one after the other.
    private var runsAlongFilter: Bool { filter.column?.expression == orderColumn.expression }
}

/// Writes the statements that walk through an interval of the order column in one direction.
///
/// Behind a position come the rest of the entries with the same key, then the entries with further keys, with NULL (first when ascending) a case of its
/// own. Comparing `(key, id)` as a row would be shorter, but it is wrong on NULL and reads all equal keys from the first.
private struct Walk {
    let query: PageQuery
    let order: SortOrder

    private var column: SoupColumn { query.orderColumn }
    private var ascending: Bool { order == .ascending }

    func steps(through interval: KeyInterval, besides residual: SQLFragment?, from position: PageQuery.Position?) -> [BoundStatement] {
        func conditions(_ own: [SQLFragment?]) -> [SQLFragment] { (own + [residual]).compactMap { $0 } }
        let whole = interval.conditions(column.expression)
        guard let position else { return [step(conditions(whole), allEqual: interval.isPoint)] }

        let beyondId = SQLFragment(text: "id \(ascending ? ">" : "<") ?", bindings: [.integer(position.id)])
        if column.isId { return [step(conditions(far(interval) + [beyondId]))] }
        if interval.isPoint { return [step(conditions(whole + [beyondId]), allEqual: true)] }

        let isNull = SQLFragment(text: "\(column.expression) IS NULL")
        if case .null = position.key {
            let rest = step(conditions([isNull, beyondId]), allEqual: true)
            guard ascending else { return [rest] }
            let lowest = SQLFragment(text: "\(column.expression) >= \(column.lowestValue)")
            return [rest, step(conditions([lowest] + (interval.isEverything ? [] : whole)))]
        }
        let equal = SQLFragment(text: "\(column.expression) = ?", bindings: [position.key])
        let beyondKey = SQLFragment(text: "\(column.expression) \(ascending ? ">" : "<") ?", bindings: [position.key])
        var steps = [step(conditions([equal, beyondId]), allEqual: true), step(conditions([beyondKey] + far(interval)))]
        if !ascending, interval.isEverything { steps.append(step(conditions([isNull]), allEqual: true)) }
        return steps
    }

    /// The bound that lies ahead. The one behind is kept by every key already shown; a second bound on that side would only mislead the planner.
    private func far(_ interval: KeyInterval) -> [SQLFragment] {
        [ascending ? interval.upperCondition(column.expression) : interval.lowerCondition(column.expression)].compactMap { $0 }
    }

    /// One statement. Where all keys are equal the id alone orders, which spares a sort.
    func step(_ conditions: [SQLFragment], allEqual: Bool = false, offset: Int64? = nil) -> BoundStatement {
        let condition = SQLFragment.joined(conditions, by: " AND ")
        let direction = ascending ? "" : " DESC"
        var sql = "SELECT id, \(column.expression), \(query.selected) FROM \(query.table)"
        if !conditions.isEmpty { sql += " WHERE \(condition.text)" }
        sql += column.isId || allEqual ? " ORDER BY id\(direction)" : " ORDER BY \(column.expression)\(direction), id\(direction)"
        guard let offset else { return BoundStatement(sql: sql + " LIMIT ?", bindings: condition.bindings) }
        return BoundStatement(sql: sql + " LIMIT ?, ?", bindings: condition.bindings + [.integer(offset)])
    }
}
