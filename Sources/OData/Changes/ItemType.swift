import JSONText

/// The type that the items of a collection have in common, for collections without a declared type.
enum ItemType {
    private static let exact: [EdmPrimitiveType] = [.byte, .sbyte, .int16, .int32, .int64, .decimal]
    /// The types of which a double holds every value.
    private static let floating: Set<EdmPrimitiveType> = [.byte, .sbyte, .int16, .int32, .single, .double]

    /// The smallest type that has all values of these types; nil if there is none. Without types it is `Edm.String`.
    static func common(_ types: [EdmPrimitiveType]) -> EdmPrimitiveType? {
        guard let first = types.first else {
            return .string
        }
        if types.allSatisfy({ $0 == first }) {
            return first
        }
        if let last = types.compactMap({ exact.firstIndex(of: $0) }).max(), types.allSatisfy({ exact.contains($0) }) {
            // A byte and a signed byte have only wider types in common.
            return exact[last] == .sbyte ? .int16 : exact[last]
        }
        return types.allSatisfy { floating.contains($0) } ? .double : nil
    }

    /// The common type of values; nil if there is none, or if one of them is not primitive.
    static func common(_ values: [ODataValue]) -> EdmPrimitiveType? {
        let types = values.filter { !$0.isNull }.map(\.primitiveType)
        return types.contains(nil) ? nil : common(types.compactMap(\.self))
    }

    /// The common type of values of JSON; nil if there is none, or if one of them is an object or array.
    static func common(_ values: [JSONValue]) -> EdmPrimitiveType? {
        let types = values.filter { !$0.isNull }.map { type(of: $0) }
        return types.contains(nil) ? nil : common(types.compactMap(\.self))
    }

    /// The type of a value of JSON; nil for null, arrays and objects.
    static func type(of value: JSONValue) -> EdmPrimitiveType? {
        switch value {
        case .bool: return .boolean
        case .string: return .string
        case .number(let number):
            if let whole = Int64(number.text) {
                return Int32(exactly: whole) == nil ? .int64 : .int32
            }
            return number.text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } ? .double : .decimal
        case .null, .array, .object: return nil
        }
    }
}
