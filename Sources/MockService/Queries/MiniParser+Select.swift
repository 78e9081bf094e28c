extension MiniParser {
    /// An item of a select list, before it is known which table its names belong to.
    private enum Item {
        case field(text: String, offset: Int)
        /// A sub-query begins at this token.
        case children(index: Int)
    }

    /// Where records come from, and the field by which they refer to a parent.
    private struct Source {
        let table: Int
        var reference: Int?
    }

    /// Reads a query, or a sub-query over the records that refer to those of a parent's table.
    mutating func select(parent: Int?) throws(MockError) -> (query: MiniQuery, reference: Int?) {
        try expect(word: "select")
        let items = try items(areInSubquery: parent != nil)
        try expect(word: "from")
        let source = try source(parent)
        let afterSource = index
        let resolved = try resolve(items, source.table)
        index = afterSource
        let condition = take(word: "where") ? try condition(source.table, depth: 0) : nil
        var order: [MiniQuery.Key] = []
        if take(word: "order") {
            try expect(word: "by")
            repeat {
                order.append(try orderKey(source.table))
            } while take(sign: ",")
        }
        let limit = take(word: "limit") ? try count() : nil
        let offset = take(word: "offset") ? try count() : 0
        let query = MiniQuery(
            table: source.table, items: resolved, condition: condition, order: order, limit: limit, offset: offset)
        return (query, source.reference)
    }

    // MARK: - Select list

    /// Passes over the select list. Sub-queries are read later, for their names depend on what follows `from`.
    private mutating func items(areInSubquery: Bool) throws(MockError) -> [Item] {
        var items: [Item] = []
        repeat {
            if token.kind == .sign("("), !areInSubquery {
                items.append(.children(index: index))
                try skipGroup()
            } else {
                let name = try name()
                items.append(.field(text: name.text, offset: name.offset))
            }
        } while take(sign: ",")
        return items
    }

    private mutating func skipGroup() throws(MockError) {
        var depth = 0
        repeat {
            switch token.kind {
            case .sign("("): depth += 1
            case .sign(")"): depth -= 1
            case .end: throw unexpected()
            default: break
            }
            advance()
        } while depth > 0
    }

    private mutating func resolve(_ items: [Item], _ table: Int) throws(MockError) -> [MiniQuery.Item] {
        var resolved: [MiniQuery.Item] = []
        var seen: Set<Int> = []
        for item in items {
            switch item {
            case .field(let text, let offset):
                let field = try position(of: text, table, offset)
                guard seen.insert(field).inserted else {
                    throw MockError(
                        400, "MALFORMED_QUERY", "duplicate field selected: \(text) at offset \(offset)")
                }
                resolved.append(.field(field))
            case .children(let start):
                index = start
                try expect(sign: "(")
                resolved.append(.children(try children(of: table)))
                try expect(sign: ")")
            }
        }
        return resolved
    }

    private mutating func children(of table: Int) throws(MockError) -> MiniQuery.Children {
        let inner = try select(parent: table)
        guard let reference = inner.reference else {
            throw unexpected()
        }
        let plural = tables[inner.query.table].object.fields[reference].plural ?? ""
        return MiniQuery.Children(plural: plural, reference: reference, query: inner.query)
    }

    // MARK: - From, order and counts

    private mutating func source(_ parent: Int?) throws(MockError) -> Source {
        let name = try name()
        guard let parent else {
            guard let table = tables.position(of: name.text) else {
                throw MockError(
                    400, "INVALID_TYPE", "sObject type '\(name.text)' is not supported. At offset \(name.offset)")
            }
            return Source(table: table)
        }
        let plural = ASCIICase.lower(name.text)
        let reference = tables.references(to: tables[parent].object.name).first {
            tables[$0.table].object.fields[$0.field].plural.map(ASCIICase.lower) == plural
        }
        guard let reference else {
            throw MockError(
                400, "INVALID_TYPE", "Didn't understand relationship '\(name.text)' at offset \(name.offset)")
        }
        return Source(table: reference.table, reference: reference.field)
    }

    private mutating func orderKey(_ table: Int) throws(MockError) -> MiniQuery.Key {
        let field = try field(of: table)
        let isDescending = take(word: "desc")
        if !isDescending {
            _ = take(word: "asc")
        }
        var nullsLast = false
        if take(word: "nulls") {
            nullsLast = take(word: "last")
            if !nullsLast {
                try expect(word: "first")
            }
        }
        return MiniQuery.Key(field: field, isDescending: isDescending, nullsLast: nullsLast)
    }

    private mutating func count() throws(MockError) -> Int {
        guard case .literal(let text) = token.kind, let count = Int(text), count >= 0, text.utf8.first != 0x2B else {
            throw unexpected()
        }
        advance()
        return count
    }
}
