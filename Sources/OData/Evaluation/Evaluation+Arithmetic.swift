import Soups

extension Evaluation {
    /// Computes an arithmetic operation. The result is null if an operand is null, or if it is data without a type that
    /// does not support the operation.
    ///
    /// - Parameter offset: The offset of the operator in the text of the expression.
    static func arithmetic(
        _ kind: ExpressionNode.Kind, _ a: Value, _ b: Value, version: ODataVersion, offset: Int
    ) throws(Fault) -> ODataValue {
        switch (a, b) {
        case (.value(let x), .value(let y)): return try arithmetic(kind, x, y, version: version, offset: offset)
        case (.text, .value), (.value, .text):
            guard case .value(let x) = numeric(a, beside: b), case .value(let y) = numeric(b, beside: a) else {
                return .null
            }
            return try arithmetic(kind, x, y, version: version, offset: offset)
        case (.text(let x), .text(let y)):
            guard let (x, y) = temporal(kind, x, y) else {
                return .null
            }
            return try arithmetic(kind, x, y, version: version, offset: offset)
        default: return .null
        }
    }

    /// Two texts without a declared type as dates and durations that can be combined; nil for other texts.
    private static func temporal(
        _ kind: ExpressionNode.Kind, _ x: String, _ y: String
    ) -> (ODataValue, ODataValue)? {
        let pairs: [(EdmPrimitiveType, EdmPrimitiveType)] =
            switch kind {
            case .subtract:
                [
                    (.dateTimeOffset, .dateTimeOffset), (.date, .date), (.dateTimeOffset, .duration),
                    (.date, .duration), (.duration, .duration),
                ]
            case .add:
                [
                    (.dateTimeOffset, .duration), (.date, .duration), (.duration, .dateTimeOffset),
                    (.duration, .date), (.duration, .duration),
                ]
            default: []
            }
        for (first, second) in pairs {
            if let a = Value.read(x, as: first), let b = Value.read(y, as: second) {
                return (a, b)
            }
        }
        return nil
    }

    private static func arithmetic(
        _ kind: ExpressionNode.Kind, _ x: ODataValue, _ y: ODataValue, version: ODataVersion, offset: Int
    ) throws(Fault) -> ODataValue {
        switch (x, y) {
        case (.null, _), (_, .null): return .null
        case (.duration, _), (_, .duration), (.date, _), (.dateTimeOffset, _), (.dateTime, _), (.time, _), (_, .time):
            return try Temporal.compute(kind, x, y, offset: offset)
        default: return try Arithmetic.compute(kind, x, y, version: version, offset: offset)
        }
    }

    /// Parses text without a declared type as a type that can be combined with the other operand, a date or a duration.
    private static func numeric(_ value: Value, beside other: Value) -> Value {
        guard case .text(let text) = value, case .value(let known) = other else {
            return value
        }
        let candidates: [EdmPrimitiveType] =
            switch known {
            case .duration: [.dateTimeOffset, .date, .duration]
            case .dateTimeOffset: [.dateTimeOffset, .duration]
            case .date: [.date, .duration]
            case .double, .single: [.double]
            case .byte, .sbyte, .int16, .int32, .int64, .decimal: [.int64, .decimal]
            default: []
            }
        for type in candidates {
            if let read = Value.read(text, as: type) {
                return .value(read)
            }
        }
        return value
    }

    static func negated(_ value: Value, offset: Int) throws(Fault) -> ODataValue {
        guard case .value(let value) = value else {
            return .null
        }
        switch value {
        case .decimal(let number): return .decimal(-number)
        case .double(let number): return .double(-number)
        case .single(let number): return .single(-number)
        case .duration(let duration):
            guard duration.picoseconds != .min else {
                throw negationOverflow(offset)
            }
            return .duration(EdmDuration(picoseconds: -duration.picoseconds))
        default:
            guard let number = Comparison.integer(value) else {
                return .null
            }
            guard number != .min else {
                throw negationOverflow(offset)
            }
            return Arithmetic.integer(-number)
        }
    }

    private static func negationOverflow(_ offset: Int) -> Fault {
        Fault(.arithmetic, "overflow: the negated value does not fit into its type", offset: offset)
    }
}
