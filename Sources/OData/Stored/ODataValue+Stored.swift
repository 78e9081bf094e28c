package import JSONText

extension ODataValue {
    /// The value in the form in which offline OData keeps it: integers, and decimals to 34 digits, as numbers with all
    /// their digits, doubles as their shortest number, or `INF`, `-INF` and `NaN` as text, binaries as base64url,
    /// everything else as canonical text.
    package var stored: JSONValue { JSONValue(stored: self) }

    /// The value in its stored form, with enumerations by the names that a model gives their members.
    package func stored(_ model: EdmModel?) -> JSONValue {
        guard let model else { return stored }
        switch self {
        case .enumeration(let type, let members): return .string(model.memberNames(members, of: type))
        case .complex(let members):
            return .object(JSONObject(members: members.map { ($0.name, $0.value.stored(model)) }))
        case .collection(let values): return .array(values.map { $0.stored(model) })
        default: return stored
        }
    }
}

extension EdmModel {
    /// The members of an enumeration value in the order of the text, separated by commas alone. A text with numbers is
    /// that of the members that make up its value, if there are such.
    fileprivate func memberNames(_ text: String, of type: String?) -> String {
        if let type, ChangeTypes.hasNumber(text), let number = enumValue(of: text, in: type),
            let names = enumType(type)?.names(of: number)
        {
            return names
        }
        return text.utf8.contains(0x20) ? String(decoding: text.utf8.filter { $0 != 0x20 }, as: UTF8.self) : text
    }
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
