/// A Swift type that has a counterpart among the values of OData: what typed getters return and filters compare with.
///
/// Booleans, integers, floating-point numbers, strings and the `Edm` types conform to it, and arrays of these, which
/// are collections; an array of `UInt8` is `Edm.Binary`.
public protocol ODataConvertible: Sendable {
    /// Creates an instance from a value; nil if the value has another type or does not fit.
    init?(_ value: ODataValue)

    /// The value that the instance stands for.
    var odataValue: ODataValue { get }
}

extension Bool: ODataConvertible {
    /// Creates a boolean from an `Edm.Boolean`.
    public init?(_ value: ODataValue) {
        guard case .boolean(let flag) = value else { return nil }
        self = flag
    }

    public var odataValue: ODataValue { .boolean(self) }
}

extension String: ODataConvertible {
    /// Creates a string from an `Edm.String`, or from the members of an enumeration.
    public init?(_ value: ODataValue) {
        switch value {
        case .string(let text), .enumeration(_, let text): self = text
        default: return nil
        }
    }

    public var odataValue: ODataValue { .string(self) }
}

extension Double: ODataConvertible {
    /// Creates a number from any numeric value; a decimal is rounded to the nearest double.
    public init?(_ value: ODataValue) {
        guard let number = Comparison.double(value) else { return nil }
        self = number
    }

    public var odataValue: ODataValue { .double(self) }
}

extension Float: ODataConvertible {
    /// Creates a number from any numeric value; a decimal is rounded to the nearest float.
    public init?(_ value: ODataValue) {
        guard let number = Comparison.double(value) else { return nil }
        self = Float(number)
    }

    public var odataValue: ODataValue { .single(self) }
}

extension Array: ODataConvertible where Element: ODataConvertible {
    /// Creates an array from a collection whose members all fit, or bytes from an `Edm.Binary`.
    public init?(_ value: ODataValue) {
        switch value {
        case .binary(let bytes):
            guard let bytes = bytes as? [Element] else { return nil }
            self = bytes
        case .collection(let values):
            self = []
            for value in values {
                guard let element = Element(value) else { return nil }
                append(element)
            }
        default: return nil
        }
    }

    public var odataValue: ODataValue {
        if let bytes = self as? [UInt8] {
            return .binary(bytes)
        }
        return .collection(map(\.odataValue))
    }
}
