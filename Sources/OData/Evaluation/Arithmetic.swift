import Soups

/// Arithmetic on numbers: exact integers and decimals, IEEE doubles.
enum Arithmetic {
    static func compute(
        _ kind: ExpressionNode.Kind, _ a: ODataValue, _ b: ODataValue, version: ODataVersion, offset: Int
    ) throws(Fault) -> ODataValue {
        if kind != .divideBy, let x = Comparison.integer(a), let y = Comparison.integer(b) {
            return try integers(kind, x, y, offset)
        }
        let isFloating = isFloating(a) || isFloating(b)
        if !isFloating, let x = Comparison.decimal(a), let y = Comparison.decimal(b) {
            return try decimals(kind, x, y, offset)
        }
        guard let x = Comparison.double(a), let y = Comparison.double(b) else {
            return .null
        }
        let result = doubles(kind, x, y)
        if case .double = a {
            return .double(result)
        }
        if case .double = b {
            return .double(result)
        }
        return .single(Float(result))
    }

    private static func isFloating(_ value: ODataValue) -> Bool {
        switch value {
        case .double, .single: true
        default: false
        }
    }

    /// The number as Int32 if it fits, otherwise as Int64.
    static func integer(_ value: Int64) -> ODataValue { Int32(exactly: value).map(ODataValue.int32) ?? .int64(value) }

    private static func integers(
        _ kind: ExpressionNode.Kind, _ a: Int64, _ b: Int64, _ offset: Int
    ) throws(Fault) -> ODataValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch kind {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        default:
            guard b != 0 else {
                throw Fault(.arithmetic, "division by zero", offset: offset)
            }
            // Division truncates, and the remainder has the sign of the dividend. Only Int64.min divided by -1
            // overflows; its remainder is 0.
            result =
                kind == .divide
                ? a.dividedReportingOverflow(by: b) : b == -1 ? (0, false) : a.remainderReportingOverflow(dividingBy: b)
        }
        guard !result.overflow else {
            throw Fault(.arithmetic, "integer overflow: the result does not fit into 64 bits", offset: offset)
        }
        return integer(result.partialValue)
    }

    private static func decimals(
        _ kind: ExpressionNode.Kind, _ a: EdmDecimal, _ b: EdmDecimal, _ offset: Int
    ) throws(Fault) -> ODataValue {
        if b.significand == 0 {
            if kind == .divideBy {
                return .double(a.significand == 0 ? .nan : a.isNegative ? -.infinity : .infinity)
            }
            if kind == .divide || kind == .modulo {
                throw Fault(.arithmetic, "division by zero", offset: offset)
            }
        }
        let result =
            switch kind {
            case .add: a.adding(b)
            case .subtract: a.subtracting(b)
            case .multiply: a.multiplied(by: b)
            case .modulo: a.remainder(dividingBy: b)
            default: a.divided(by: b)
            }
        guard let result else {
            throw Fault(.arithmetic, "decimal overflow: the result is out of range", offset: offset)
        }
        return .decimal(result)
    }

    private static func doubles(_ kind: ExpressionNode.Kind, _ a: Double, _ b: Double) -> Double {
        switch kind {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .modulo: a.truncatingRemainder(dividingBy: b)
        default: a / b
        }
    }
}
