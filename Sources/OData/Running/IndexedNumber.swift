/// What an index can tell about a number of an expression.
package struct IndexedNumber: Sendable {
    /// The number, if it is an integer of 64 bits.
    package let integer: Int64?
    /// The double next to it.
    package let double: Double
    /// Whether it is compared as a Double or Single, not by its exact value.
    package let isFloating: Bool
    package let isSingle: Bool

    /// Nil for a value that is not a number.
    package init?(_ value: ODataValue) {
        switch value {
        case .double(let number):
            (integer, double, isFloating, isSingle) = (Int64(exactly: number), number, true, false)
        case .single(let number):
            (integer, double, isFloating, isSingle) = (Int64(exactly: number), Double(number), true, true)
        default:
            guard let number = Comparison.decimal(value) else { return nil }
            (integer, double, isFloating, isSingle) = (number.int64, number.double, false, false)
        }
    }
}

extension ODataExpression {
    /// The canonical text of a part, with `?` for each literal.
    package func shape(of node: Int) -> String {
        var printer = ExpressionPrinter(self)
        printer.hidesLiterals = true
        printer.write(node)
        return String(decoding: printer.output, as: UTF8.self)
    }
}

extension StaticType {
    /// Whether nothing is known about the type of a single value.
    package var isUnknown: Bool { base == .unknown && !isCollection }
}
