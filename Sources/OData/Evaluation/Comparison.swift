import Soups

/// Compares OData values.
public enum Comparison {
    /// The result of a comparison.
    public enum Order: Sendable {
        /// The first value is less.
        case less
        /// The values are equal.
        case same
        /// The first value is greater.
        case greater
        /// The values have no order: their types differ, the type has no order, or one of them is NaN.
        case none
    }

    /// Compares two values that are not null. Numbers of different types are compared by value, strings by Unicode
    /// scalars, and instants without regard to their offset.
    public static func order(_ a: ODataValue, _ b: ODataValue) -> Order {
        // The most frequent case: a number of the data and a literal.
        if case .decimal(let x) = a, let y = decimal(b) {
            return order(x < y, x == y)
        }
        switch (a, b) {
        case (.string(let x), .string(let y)): return order(of: x, y)
        case (.boolean(let x), .boolean(let y)): return x == y ? .same : y ? .less : .greater
        case (.guid(let x), .guid(let y)): return order((x.high, x.low) < (y.high, y.low), x == y)
        case (.date(let x), .date(let y)): return order(x < y, x == y)
        case (.dateTime(let x), .dateTime(let y)): return order(x < y, x == y)
        case (.dateTimeOffset(let x), .dateTimeOffset(let y)): return order(x < y, x == y)
        case (.timeOfDay(let x), .timeOfDay(let y)): return order(x < y, x == y)
        case (.duration(let x), .duration(let y)), (.time(let x), .time(let y)): return order(x < y, x == y)
        case (.binary(let x), .binary(let y)): return x == y ? .same : .none
        case (.spatial(_, let x), .spatial(_, let y)): return SpatialEquality.areSame(x, y) ? .same : .none
        case (.enumeration(_, let x), .enumeration(_, let y)), (.enumeration(_, let x), .string(let y)),
            (.string(let x), .enumeration(_, let y)):
            return orderMembers(x, y)
        default: return numbers(a, b)
        }
    }

    /// Compares values for `$orderby`: null sorts first, then NaN, then other values. Values of types that cannot be
    /// compared are equal.
    public static func orderForSorting(_ a: ODataValue, _ b: ODataValue) -> Order {
        if a.isNull || b.isNull {
            return a.isNull && b.isNull ? .same : a.isNull ? .less : .greater
        }
        let order = order(a, b)
        if order != .none {
            return order
        }
        switch (isNaN(a), isNaN(b)) {
        case (true, false): return .less
        case (false, true): return .greater
        default: return .same
        }
    }

    private static func isNaN(_ value: ODataValue) -> Bool { double(value)?.isNaN ?? false }

    private static func order(_ isLess: Bool, _ isSame: Bool) -> Order { isSame ? .same : isLess ? .less : .greater }

    /// Compares strings by their Unicode scalars: the order of UTF-8 bytes is the same.
    static func order(of a: String, _ b: String) -> Order {
        var a = a
        var b = b
        return a.withUTF8 { x in
            b.withUTF8 { y in
                let common = min(x.count, y.count)
                for index in 0..<common where x[index] != y[index] {
                    return x[index] < y[index] ? .less : .greater
                }
                return x.count == y.count ? .same : x.count < y.count ? .less : .greater
            }
        }
    }

    private static func numbers(_ a: ODataValue, _ b: ODataValue) -> Order {
        if let x = integer(a), let y = integer(b) {
            return order(x < y, x == y)
        }
        guard a.primitiveType?.isNumeric == true, b.primitiveType?.isNumeric == true else {
            return .none
        }
        if case .single(let x) = a, let y = float(b) {
            return floating(x, y)
        }
        if case .single(let y) = b, let x = float(a) {
            return floating(x, y)
        }
        if let x = decimal(a), let y = decimal(b) {
            return order(x < y, x == y)
        }
        guard let x = double(a), let y = double(b) else {
            return .none
        }
        return floating(x, y)
    }

    private static func floating<F: BinaryFloatingPoint>(_ x: F, _ y: F) -> Order {
        x == y ? .same : x < y ? .less : x > y ? .greater : .none
    }

    /// Compares enumeration values. Numbers are ordered, the same set of members is equal, and anything else has no
    /// order.
    private static func orderMembers(_ a: String, _ b: String) -> Order {
        if let x = Int64(a), let y = Int64(b) {
            return order(x < y, x == y)
        }
        // A member may be named more than once, so that lists of the same length may differ.
        let (x, y) = (memberNames(a), memberNames(b))
        return hasAll(x, y) && hasAll(y, x) ? .same : .none
    }

    /// Whether all names of a list are in another one. Long lists are compared by a hash table.
    static func hasAll(_ names: [Substring.UTF8View], _ wanted: [Substring.UTF8View]) -> Bool {
        guard names.count > 8 else {
            return wanted.allSatisfy { name in names.contains { $0.elementsEqual(name) } }
        }
        let known = Set(names.map { ByteKey(String(Substring($0))) })
        return wanted.allSatisfy { known.contains(ByteKey(String(Substring($0)))) }
    }

    static func memberNames(_ text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).drop { $0 == " " }.utf8 }
    }

    static func integer(_ value: ODataValue) -> Int64? {
        switch value {
        case .byte(let value): Int64(value)
        case .sbyte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .int64(let value): value
        default: nil
        }
    }

    static func decimal(_ value: ODataValue) -> EdmDecimal? {
        if case .decimal(let value) = value {
            return value
        }
        return integer(value).map { EdmDecimal($0) }
    }

    static func double(_ value: ODataValue) -> Double? {
        switch value {
        case .double(let value): value
        case .single(let value): Double(value)
        case .decimal(let value): value.double
        default: integer(value).map(Double.init)
        }
    }

    /// The value as a Single, to which all numeric types but Double are promoted (OData URL Conventions 4.01,
    /// 5.1.1.18); nil for a Double.
    private static func float(_ value: ODataValue) -> Float? {
        switch value {
        case .double: nil
        case .single(let value): value
        default: double(value).map { Float($0) }
        }
    }
}
