public import JSONText
public import OData

extension ODataValue {
    /// The value in the JSON form of conformance vectors and `soup odata`: integers to 32 bits and doubles as numbers,
    /// booleans as booleans, all other primitive values as their canonical text, and `INF`, `-INF` and `NaN` as
    /// strings.
    public var json: JSONValue {
        switch self {
        case .null: return .null
        case .boolean(let value): return .bool(value)
        case .byte(let value): return .number(JSONNumber(Int64(value)))
        case .sbyte(let value): return .number(JSONNumber(Int64(value)))
        case .int16(let value): return .number(JSONNumber(Int64(value)))
        case .int32(let value): return .number(JSONNumber(Int64(value)))
        case .double(let value):
            if let number = JSONNumber(value) {
                return .number(number)
            }
        case .single(let value):
            // Converted by means of its shortest text, because 0.1 as a float would become 0.10000000149.
            if value.isFinite, let number = Double(value.description).flatMap(JSONNumber.init(_:)) {
                return .number(number)
            }
        case .complex(let members): return .object(JSONObject(members.map { ($0.name, $0.value.json) }))
        case .collection(let values): return .array(values.map(\.json))
        default: break
        }
        return canonicalText.map(JSONValue.string) ?? .null
    }
}
