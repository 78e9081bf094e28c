extension SOQLQuery {
    /// Whether the query has an order at top level.
    public var hasOrderBy: Bool { clauses[.orderBy] != nil }

    /// Says whether the query has an order at top level that equals the text. Blanks do not count, case does.
    public func isOrdering(by text: String) -> Bool {
        guard let order = clauses[.orderBy] else { return false }
        return order.bytes.lazy.filter { !SOQLBytes.isBlank($0) }
            .elementsEqual(text.utf8.lazy.filter { !SOQLBytes.isBlank($0) })
    }

    /// Says whether the records come in ascending order of the field: it is the first one that the query orders by,
    /// without `desc` and `nulls last`. The field is compared without case in ASCII.
    public func isAscending(by field: String) -> Bool {
        guard let order = try? clauses[.orderBy]?.tokens, let first = SOQLItem.items(of: order).first,
            let name = first.field,
            SOQLBytes.areEqual(name, field.utf8)
        else { return false }
        let endings: [[StaticString]] = [[], ["asc"], ["nulls", "first"], ["asc", "nulls", "first"]]
        return endings.contains { first.goesOn(with: $0) }
    }
}
