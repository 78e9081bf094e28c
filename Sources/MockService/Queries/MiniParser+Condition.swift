import JSONText

extension MiniParser {
    /// Reads conditions joined by `and` or by `or`. Both in one group are refused: which one binds more closely is what
    /// the author of a query most often gets wrong.
    mutating func condition(_ table: Int, depth: Int) throws(MockError) -> MiniCondition {
        guard depth < Self.deepest else {
            throw Self.unexpected("nesting, deeper than \(Self.deepest) groups,", at: token.offset)
        }
        // An `or` separates lists of what `and` joins.
        var arms = [[try unit(table, depth: depth)]]
        var hasAnd = false
        while true {
            let offset = token.offset
            let isAnd = take(word: "and")
            guard isAnd || take(word: "or") else { break }
            hasAnd = hasAnd || isAnd
            if refusesMixedConditions, hasAnd, !isAnd || arms.count > 1 {
                throw Self.unexpected("\(isAnd ? "and" : "or") without parentheses", at: offset)
            }
            let next = try unit(table, depth: depth)
            if isAnd {
                arms[arms.count - 1].append(next)
            } else {
                arms.append([next])
            }
        }
        let joined = arms.map { $0.count == 1 ? $0[0] : .all($0) }
        return joined.count == 1 ? joined[0] : .any(joined)
    }

    private mutating func unit(_ table: Int, depth: Int) throws(MockError) -> MiniCondition {
        if take(word: "not") {
            guard depth < Self.deepest else {
                throw Self.unexpected("nesting, deeper than \(Self.deepest) groups,", at: token.offset)
            }
            return .not(try unit(table, depth: depth + 1))
        }
        if take(sign: "(") {
            let inner = try condition(table, depth: depth + 1)
            try expect(sign: ")")
            return inner
        }
        return .compare(try comparison(table))
    }

    private mutating func comparison(_ table: Int) throws(MockError) -> MiniComparison {
        let position = try field(of: table)
        let field = tables[table].object.fields[position]
        let start = token.offset
        let operation = try comparisonOperator()
        switch operation {
        case .like:
            guard field.kind == .text, case .text(let raw) = token.kind else {
                throw field.kind == .text ? unexpected() : Self.unexpected("like for \(field.name)", at: start)
            }
            let pattern = LikePattern(units: try LiteralText.pattern(raw, at: token.offset))
            advance()
            return MiniComparison(field: position, operation: operation, values: [], pattern: pattern)
        case .oneOf, .noneOf:
            try expect(sign: "(")
            var values: Set<MiniValue> = []
            repeat {
                values.insert(try value(field))
            } while take(sign: ",")
            try expect(sign: ")")
            return MiniComparison(field: position, operation: operation, values: values, pattern: nil)
        default:
            let value = try value(field)
            let isOrder = operation != .equal && operation != .notEqual
            guard !isOrder || value != .null && field.kind != .boolean else {
                throw Self.unexpected("operator for \(field.name)", at: start)
            }
            return MiniComparison(field: position, operation: operation, values: [value], pattern: nil)
        }
    }

    private mutating func comparisonOperator() throws(MockError) -> MiniComparison.Operator {
        if case .sign(let sign) = token.kind,
            let operation = MiniComparison.Operator(rawValue: sign == "<>" ? "!=" : sign)
        {
            advance()
            return operation
        }
        if take(word: "like") {
            return .like
        }
        if take(word: "in") {
            return .oneOf
        }
        if take(word: "not") {
            try expect(word: "in")
            return .noneOf
        }
        throw unexpected()
    }

    /// A literal of the field's type, or null.
    private mutating func value(_ field: MockField) throws(MockError) -> MiniValue {
        let token = token
        if take(word: "null") {
            return .null
        }
        advance()
        switch (token.kind, field.kind) {
        case (.text(let raw), .text): return .text(try LiteralText.decoded(raw, at: token.offset).lowercased())
        case (.text(let raw), .id), (.text(let raw), .reference):
            return .text(try LiteralText.decoded(raw, at: token.offset))
        case (.word(let word), .boolean) where ["true", "false"].contains(ASCIICase.lower(word)):
            return .bool(ASCIICase.lower(word) == "true")
        case (.literal(let text), .number):
            if let number = try? JSONValue(parsing: text), let value = number.double, value.isFinite {
                return .number(value)
            }
        case (.literal(let text), .date):
            if let date = MockDate.milliseconds(text) {
                return .date(date)
            }
        default: break
        }
        let expected = "value of filter criterion for field '\(field.name)' must be of type \(field.kind.rawValue)"
        throw MockError(400, "INVALID_FIELD", "\(expected) at offset \(token.offset)")
    }
}
