package import JSONText

extension ODataValue {
    /// The value in the form in which offline OData keeps it: integers, and decimals to 34 digits, as numbers with all
    /// their digits, doubles as their shortest number, or `INF`, `-INF` and `NaN` as text, binaries as base64url, everything
    /// else as canonical text.
    package var stored: JSONValue { JSONValue(stored: self) }
}

extension ChangeValue {
    /// The value in its stored form.
    var stored: JSONValue {
        switch self {
        case .null: .null
        case .primitive(let value): value.stored
        case .enumeration(_, let members, _): .string(members)
        case .complex(let type, let isDerived, let members):
            .object(
                JSONObject(
                    (isDerived ? [("@odata.type", .string("#" + type))] : [])
                        + members.map { ($0.name, $0.value.stored) }))
        case .collection(_, let values): .array(values.map(\.stored))
        case .related(let values, let isCollection):
            isCollection ? .array(values.map(\.stored)) : values.first?.stored ?? .null
        case .shape(_, let value): value
        case .stated(_, let value): value.stored
        case .untyped(let value): value
        }
    }
}
