import JSONText

extension MiniQuery {
    /// The ids of the records that the query finds, in its order.
    func ids(in table: MockTable) -> [String] { found(table.inOrder, table.object).map(\.id) }

    /// Those of the records that the query finds, in its order. Records with equal keys keep theirs.
    func found(_ records: [MockRecord], _ object: MockObject) -> [MockRecord] {
        var found = records
        if let condition {
            found = found.filter { condition.holds($0, object) }
        }
        if !order.isEmpty {
            let keys = found.map { record in order.map { MiniValue.of(record, $0.field, object) } }
            let sorted = found.indices.sorted { a, b in
                precedes(keys[a], keys[b]) ?? (a < b)
            }
            found = sorted.map { found[$0] }
        }
        return Array(found.dropFirst(offset).prefix(limit ?? .max))
    }

    /// nil for equal keys.
    private func precedes(_ a: [MiniValue], _ b: [MiniValue]) -> Bool? {
        for (index, key) in order.enumerated() where a[index] != b[index] {
            if a[index] == .null || b[index] == .null {
                return (a[index] == .null) != key.nullsLast
            }
            return a[index].isLess(than: b[index]) != key.isDescending
        }
        return nil
    }
}

extension MiniCondition {
    func holds(_ record: MockRecord, _ object: MockObject) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(record, object) }
        case .any(let conditions): conditions.contains { $0.holds(record, object) }
        case .not(let condition): !condition.holds(record, object)
        case .compare(let comparison): comparison.holds(record, object)
        }
    }
}

extension MiniComparison {
    /// Two-valued: null equals null and nothing else, and is neither less nor greater than anything, nor like it.
    func holds(_ record: MockRecord, _ object: MockObject) -> Bool {
        let value = MiniValue.of(record, field, object)
        switch operation {
        case .equal, .oneOf: return values.contains(value)
        case .notEqual, .noneOf: return !values.contains(value)
        case .like:
            guard case .text(let text) = value, let pattern else { return false }
            return pattern.matches(text)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard value != .null, let bound = values.first else { return false }
            return switch operation {
            case .less: value.isLess(than: bound)
            case .greaterOrEqual: !value.isLess(than: bound)
            case .greater: bound.isLess(than: value)
            default: !bound.isLess(than: value)
            }
        }
    }
}

extension MiniValue {
    static func of(_ record: MockRecord, _ position: Int, _ object: MockObject) -> MiniValue {
        let kind = object.fields[position].kind
        if kind == .date {
            return record.date(position, of: object).map(MiniValue.date) ?? .null
        }
        return switch record.value(position, of: object) {
        case .string(let text): .text(kind == .text ? text.lowercased() : text)
        case .number(let number): .number(number.double)
        case .bool(let value): .bool(value)
        default: .null
        }
    }

    /// Texts by their bytes. Values of different types are not ordered.
    func isLess(than other: MiniValue) -> Bool {
        switch (self, other) {
        case (.number(let a), .number(let b)): a < b
        case (.date(let a), .date(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.bool(let a), .bool(let b)): !a && b
        default: false
        }
    }
}
