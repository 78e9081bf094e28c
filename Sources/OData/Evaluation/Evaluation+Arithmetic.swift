import Soups

extension Evaluation {
    /// Computes an arithmetic operation. The result is null if an operand is null, or if it is data without a type that
    /// does not support the operation.
    func arithmetic(_ kind: ExpressionNode.Kind, _ a: Value, _ b: Value, at index: Int) throws(Fault) -> ODataValue {
        guard case .value(let x) = numeric(a, beside: b), case .value(let y) = numeric(b, beside: a), !x.isNull,
            !y.isNull
        else {
            return .null
        }
        let offset = node(index).range.lowerBound
        switch (x, y) {
        case (.duration, _), (_, .duration), (.date, _), (.dateTimeOffset, _), (.dateTime, _), (.time, _), (_, .time):
            return try Temporal.compute(kind, x, y, offset: offset)
        default: return try Arithmetic.compute(kind, x, y, version: version, offset: offset)
        }
    }

    /// Parses text without a declared type as a type that can be combined with the other operand, a date or a duration.
    private func numeric(_ value: Value, beside other: Value) -> Value {
        guard case .text(let text) = value, case .value(let known) = other else {
            return value
        }
        let candidates: [EdmPrimitiveType] =
            switch known {
            case .duration: [.dateTimeOffset, .date, .duration]
            case .dateTimeOffset: [.dateTimeOffset, .duration]
            case .date: [.date, .duration]
            default: []
            }
        for type in candidates {
            if let read = Value.read(text, as: type) {
                return .value(read)
            }
        }
        return value
    }

    func negated(_ value: Value, at index: Int) throws(Fault) -> ODataValue {
        guard case .value(let value) = value else {
            return .null
        }
        switch value {
        case .decimal(let number): return .decimal(-number)
        case .double(let number): return .double(-number)
        case .single(let number): return .single(-number)
        case .duration(let duration):
            guard duration.picoseconds != .min else {
                throw negationOverflow(at: index)
            }
            return .duration(EdmDuration(picoseconds: -duration.picoseconds))
        default:
            guard let number = Comparison.integer(value) else {
                return .null
            }
            guard number != .min else {
                throw negationOverflow(at: index)
            }
            return Arithmetic.integer(-number)
        }
    }

    private func negationOverflow(at index: Int) -> Fault {
        Fault(
            .arithmetic, "overflow: the negated value does not fit into its type", offset: node(index).range.lowerBound)
    }
}
