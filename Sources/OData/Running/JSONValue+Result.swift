import JSONText

extension JSONValue {
    /// What options made of a JSON object. Data keep their digits.
    init(_ node: ResultNode<JSONValue>) {
        switch node {
        case .data(let data): self = data
        case .value(let value): self.init(stored: value)
        case .list(let elements, _): self = .array(elements.map { JSONValue($0) })
        case .object(let object):
            var members: [(name: String, value: JSONValue)] = []
            members.reserveCapacity(object.members.count)
            object.forEachMember { name, value in
                if case .list(_, let count?) = value {
                    members.append((name + "@odata.count", .number(JSONNumber(count))))
                }
                members.append((name, JSONValue(value)))
            }
            self = .object(JSONObject(members: members))
        }
    }

    /// A value as data in JSON: integers and decimals up to 34 digits as numbers with all their digits, doubles as
    /// their shortest number, or `INF`, `-INF` and `NaN` as text, everything else as canonical text.
    init(stored value: ODataValue) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .bool(flag)
        case .complex(let members): self = .object(JSONObject(members.map { ($0.name, JSONValue(stored: $0.value)) }))
        case .collection(let values): self = .array(values.map { JSONValue(stored: $0) })
        case .binary(let bytes): self = .string(Base64.encodeUnpadded(bytes))
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single: self = Self.number(value)
        default: self = .string(value.canonicalText ?? "")
        }
    }

    private static func number(_ value: ODataValue) -> JSONValue {
        if let integer = JSONNumber(integer: value) {
            return .number(integer)
        }
        let text = value.canonicalText ?? ""
        if case .decimal(let decimal) = value, EdmDecimal.digits(of: decimal.significand) > 34 {
            return .string(text)
        }
        return (try? JSONValue(parsing: text)) ?? .string(text)
    }
}

extension JSONNumber {
    /// Creates a number from a value of an integer type, or from a decimal that is written as an integer; nil for
    /// others.
    init?(integer value: ODataValue) {
        switch value {
        case .byte(let value): self.init(Int64(value))
        case .sbyte(let value): self.init(Int64(value))
        case .int16(let value): self.init(Int64(value))
        case .int32(let value): self.init(Int64(value))
        case .int64(let value): self.init(value)
        case .decimal(let value):
            guard value.scale == 0, let magnitude = Int64(exactly: value.significand) else { return nil }
            self.init(value.isNegative ? -magnitude : magnitude)
        default: return nil
        }
    }
}
