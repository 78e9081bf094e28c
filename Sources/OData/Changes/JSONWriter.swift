import JSONText
import Soups
import StepCounting

/// Writes typed values as JSON: verbose for versions 1.0 and 2.0, verbose or light for 3.0, and the format of 4.0 and
/// 4.01.
struct JSONWriter {
    let version: ODataVersion
    let isVerbose: Bool
    /// Whether Int64 and Decimal are text.
    private let hasLongNumbersAsText: Bool
    /// Whether dates are milliseconds since 1970.
    private let hasMillisecondDates: Bool

    init(version: ODataVersion, format: ODataChangeRequest.Format, isIEEE754Compatible: Bool, usesISODates: Bool) {
        self.version = version
        isVerbose = !version.isV4 && (format == .verboseJSON || version <= .v2)
        hasLongNumbersAsText = !version.isV4 || isIEEE754Compatible
        hasMillisecondDates = version <= .v2 && !usesISODates
    }

    /// The entity as an object.
    ///
    /// - Parameter type: The type to state; nil for the declared one.
    func entity(
        _ members: [ChangeValue.Member], type: String?, links: [ODataChangeRequest.Link]
    ) throws(Fault) -> JSONValue {
        var object = try object(members, type: type, path: ValuePath())
        if !links.isEmpty {
            let linked = links.map { $0.member(version: version, isVerbose: isVerbose) }
            object = JSONObject(object.members.map { ($0.name, $0.value) } + linked)
        }
        try RepeatedNames.check(.object(object))
        return .object(object)
    }

    private func object(_ members: [ChangeValue.Member], type: String?, path: ValuePath) throws(Fault) -> JSONObject {
        var result: [(String, JSONValue)] = []
        if let type {
            result.append(typeControl(type))
        }
        for member in members {
            let path = path.member(member.name)
            if case .stated(let type, _) = member.value, let control = typeControl(of: member.name, type) {
                result.append(control)
            }
            result.append((member.name, try json(member.value, path: path)))
        }
        return JSONObject(result)
    }

    private func typeControl(_ type: String) -> (String, JSONValue) {
        if isVerbose {
            return ("__metadata", ["type": .string(type)])
        }
        switch version {
        case .v401: return ("@type", .string("#" + type))
        case .v4: return ("@odata.type", .string("#" + type))
        default: return ("odata.type", .string(type))
        }
    }

    /// The type of a property as a member of its own; nil where JSON shows the type, and in verbose JSON, which has no
    /// place for it.
    private func typeControl(of name: String, _ type: String) -> (String, JSONValue)? {
        guard !isVerbose, type != "Edm.String", type != "Edm.Boolean" else { return nil }
        guard version.isV4 else {
            return (name + "@odata.type", .string(type))
        }
        let stated = StatedType(type)
        let item = stated.primitive == nil ? stated.itemName : String(stated.itemName.dropFirst("Edm.".count))
        let text = stated.isCollection ? "Collection(\(item))" : item
        guard version == .v401 else {
            return (name + "@odata.type", .string("#" + text))
        }
        return (name + "@type", .string(stated.primitive == nil || stated.isCollection ? "#" + text : text))
    }

    private func json(_ value: ChangeValue, path: ValuePath) throws(Fault) -> JSONValue {
        StepCounter.add()
        switch value {
        case .null: return .null
        case .primitive(let value): return try json(value, path: path)
        case .enumeration(_, let members, _): return .string(members)
        case .complex(let type, let isDerived, let members):
            return .object(try object(members, type: isDerived ? type : nil, path: path))
        case .collection(let type, let values):
            guard version >= .v3 else {
                throw Fault(.unsupported, "collections do not exist before version 3.0", context: [.path(path.text)])
            }
            var items: [JSONValue] = []
            for (index, item) in values.enumerated() {
                items.append(try json(item, path: path.item(index)))
            }
            guard isVerbose else {
                return .array(items)
            }
            guard !type.isEmpty else {
                return ["results": .array(items)]
            }
            return ["__metadata": ["type": .string("Collection(\(type))")], "results": .array(items)]
        case .related(let entities, let isCollection):
            var items: [JSONValue] = []
            for entity in entities {
                items.append(try json(entity, path: path))
            }
            return isCollection ? .array(items) : items.first ?? .null
        case .stated(_, let value): return try json(value, path: path)
        case .shape(_, let value), .untyped(let value): return value
        }
    }

    /// A primitive value. Source: MS-ODATA 2.2.6.3.1; OData JSON Format 4.01, 7.1.
    private func json(_ value: ODataValue, path: ValuePath) throws(Fault) -> JSONValue {
        if let integer = JSONNumber(integer: value) {
            let isLong = value.primitiveType == .int64 || value.primitiveType == .decimal
            return isLong && hasLongNumbersAsText ? .string(integer.text) : .number(integer)
        }
        let text = value.canonicalText ?? ""
        switch value {
        case .boolean(let flag): return .bool(flag)
        case .decimal: return hasLongNumbersAsText ? .string(text) : number(text)
        case .double(let double): return double.isFinite ? number(text) : .string(text)
        case .single(let single): return single.isFinite ? number(text) : .string(text)
        case .binary(let bytes): return .string(Base64.encode(bytes, forURL: version.isV4))
        case .dateTime, .dateTimeOffset:
            guard isVerbose, hasMillisecondDates else {
                return .string(text)
            }
            guard let date = VerboseDate.text(of: value) else {
                throw Fault(
                    .invalidEntry,
                    "a date of verbose JSON has milliseconds and a year from 1 to 9999; round the value or send it in Atom",
                    context: [.path(path.text)])
            }
            return .string(date)
        case .spatial(_, let shape):
            guard let object = GeoJSONText.object(shape) else {
                throw Fault(.invalidLiteral, "not a valid spatial value", context: [.path(path.text)])
            }
            return object
        default: return .string(text)
        }
    }

    /// A canonical number as JSON.
    private func number(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .string(text) }
}
