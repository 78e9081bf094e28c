import JSONText
import Soups

/// Reads the values of a change by the types that a model declares, and checks their names.
///
/// Values have the forms in which the readers of this library return them: numbers, booleans, canonical text, base64,
/// objects and arrays. Numbers may also be text, and dates `/Date(ms)/`.
struct ChangeTypes {
    let model: EdmModel
    let version: ODataVersion
    /// The types of properties of the entity that the model does not declare, by name.
    var stated: [ByteKey: String] = [:]
    /// Whether properties that the model does not declare are taken as those of an open type.
    var acceptsUndeclared = false

    static let maximumDepth = 64

    /// The properties of an entity or complex value, by the declarations of its type.
    ///
    /// - Parameter path: The path of the value, for faults; empty for the entity.
    func members(
        _ object: JSONObject, of type: String, path: ValuePath = ValuePath(), depth: Int = 0
    ) throws(Fault) -> [ChangeValue.Member] {
        let declared = TypeMembers(of: type, in: model)
        var members: [ChangeValue.Member] = []
        members.reserveCapacity(object.count)
        for (name, value) in object.members where !Self.isTypeControl(name) {
            let path = path.member(name)
            members.append(
                .init(name: name, value: try self.value(value, named: name, declared, path: path, depth: depth)))
        }
        return members
    }

    /// The value of one property of a type.
    func value(
        _ value: JSONValue, named name: String, of type: String, path: ValuePath
    ) throws(Fault) -> ChangeValue {
        try self.value(value, named: name, TypeMembers(of: type, in: model), path: path, depth: 0)
    }

    private func value(
        _ value: JSONValue, named name: String, _ declared: TypeMembers, path: ValuePath, depth: Int
    ) throws(Fault) -> ChangeValue {
        if let property = declared.property(name) {
            return try self.value(value, as: property.type, path: path, depth: depth)
        }
        if let navigation = declared.navigation(name) {
            return try related(value, navigation.type, path: path, depth: depth)
        }
        if depth == 0, !stated.isEmpty, let stated = stated[ByteKey(name)], declared.isOpen {
            return try self.value(value, stated: stated, path: path)
        }
        // Annotations and control information such as `Nav@odata.bind` are sent as they are.
        guard declared.isOpen || acceptsUndeclared || name.utf8.contains(UInt8(ascii: "@")) else {
            throw Fault(.unknownProperty, "the type has no property of this name", context: [.path(path.text)])
        }
        return .untyped(value)
    }

    func value(
        _ value: JSONValue, as type: EdmTypeReference, path: ValuePath, depth: Int = 0
    ) throws(Fault) -> ChangeValue {
        guard depth < Self.maximumDepth else {
            throw Fault(.limitExceeded, "a value is nested deeper than \(Self.maximumDepth) levels")
        }
        if value.isNull {
            return .null
        }
        if type.isCollection {
            guard let items = value.array else {
                throw mismatch(path)
            }
            return .collection(
                of: model.resolve(type.name), try self.items(items, of: type, path: path, depth: depth + 1))
        }
        if let primitive = primitive(type.name) {
            return try self.primitive(value, primitive, path: path)
        }
        if model.enumType(type.name) != nil {
            return try members(value, of: model.resolve(type.name), path: path)
        }
        guard model.structuredType(type.name) != nil else {
            return .untyped(value)
        }
        guard let object = value.object else {
            throw mismatch(path)
        }
        let declared = model.resolve(type.name)
        let stated = Self.statedType(of: object).map { model.resolve($0) } ?? declared
        guard model.type(stated, isOrDerivesFrom: declared) else {
            throw mismatch(path)
        }
        return .complex(
            type: stated, isDerived: !stated.hasBytes(of: declared),
            members: try members(object, of: stated, path: path, depth: depth + 1))
    }

    private func items(
        _ items: [JSONValue], of type: EdmTypeReference, path: ValuePath, depth: Int
    ) throws(Fault) -> [ChangeValue] {
        var values: [ChangeValue] = []
        values.reserveCapacity(items.count)
        if depth < Self.maximumDepth, let primitive = primitive(type.name) {
            for (index, item) in items.enumerated() {
                values.append(item.isNull ? .null : try self.primitive(item, primitive, path: path.item(index)))
            }
            return values
        }
        let single = EdmTypeReference(type.name, facets: type.facets)
        for (index, item) in items.enumerated() {
            values.append(try self.value(item, as: single, path: path.item(index), depth: depth))
        }
        return values
    }

    /// Related entities. An object with the URL of an entity is a link and is sent as it is.
    private func related(
        _ value: JSONValue, _ type: EdmTypeReference, path: ValuePath, depth: Int
    ) throws(Fault) -> ChangeValue {
        if value.isNull {
            return .null
        }
        guard type.isCollection == (value.array != nil) else {
            throw mismatch(path)
        }
        let single = EdmTypeReference(type.name)
        var entities: [ChangeValue] = []
        for entity in value.array ?? [value] {
            let isLink = entity.object?["__metadata"]?.object?["uri"] != nil
            entities.append(
                isLink ? .untyped(entity) : try self.value(entity, as: single, path: path, depth: depth))
        }
        return .related(entities, isCollection: type.isCollection)
    }

    private func primitive(_ name: String) -> EdmPrimitiveType? {
        EdmPrimitiveType(named: name)
            ?? model.typeDefinition(name).flatMap { EdmPrimitiveType(named: $0.underlying.name) }
    }

    /// The value of a primitive type. Throws `typeMismatch` for another kind of JSON value and for a type that the
    /// version does not have, and `invalidLiteral` for a value that the type does not have.
    private func primitive(_ value: JSONValue, _ type: EdmPrimitiveType, path: ValuePath) throws(Fault) -> ChangeValue {
        guard type.isKnown(in: version) else {
            throw Fault(
                .typeMismatch, "\(type.rawValue) does not exist in version \(version.rawValue)",
                context: [.path(path.text)])
        }
        let read: ODataValue?
        switch value {
        case .string(let text):
            guard type != .boolean, type != .stream else {
                throw mismatch(path)
            }
            read = self.text(text, as: type)
        case .number(let number):
            guard type.isNumeric else {
                throw mismatch(path)
            }
            read = Self.number(number.text, as: type)
        case .bool(let flag):
            guard type == .boolean else {
                throw mismatch(path)
            }
            read = .boolean(flag)
        case .object(let shape) where type.isSpatial:
            guard shape["type"]?.string != nil, let found = try? GeoJSONShape.type(of: value, as: type),
                type.includes(shape: found)
            else {
                throw Fault(.invalidLiteral, "not a valid \(type.rawValue) in GeoJSON", context: [.path(path.text)])
            }
            return .shape(type, value)
        case .null, .array, .object: throw mismatch(path)
        }
        guard let read else {
            throw Fault(.invalidLiteral, "not a valid \(type.rawValue)", context: [.path(path.text)])
        }
        return .primitive(read)
    }

    private func text(_ text: String, as type: EdmPrimitiveType) -> ODataValue? {
        if type == .string {
            return .string(text)
        }
        return withBytes(of: text) { bytes in
            if type.isSpatial {
                guard let found = SpatialText.type(of: bytes, isGeography: type.isGeography) else { return nil }
                return type.includes(shape: found) ? .spatial(type, text) : nil
            }
            if type == .dateTime || type == .dateTimeOffset, bytes.first == UInt8(ascii: "/") {
                return VerboseDate.read(bytes, as: type)
            }
            return PrimitiveText.read(bytes, as: type, version: version)
        }
    }

    /// A number of the type; `7.0` is an integer too.
    private static func number(_ text: String, as type: EdmPrimitiveType) -> ODataValue? {
        if let value = withBytes(of: text, { ODataValue.read($0, as: type) }) {
            return value
        }
        guard type.isInteger, let whole = EdmDecimal(text)?.int64 else { return nil }
        return withBytes(of: String(whole)) { ODataValue.read($0, as: type) }
    }

    private func members(
        _ value: JSONValue, of name: String, path: ValuePath
    ) throws(Fault) -> ChangeValue {
        let text: String
        switch value {
        case .string(let members): text = members
        case .number(let number): text = number.text
        default: throw mismatch(path)
        }
        guard let number = model.enumValue(of: text, in: name) else {
            throw Fault(.invalidLiteral, "the enumeration has no member of this name", context: [.path(path.text)])
        }
        // A number that no members make up is written as it is, which is a value too (OData JSON Format 4.0, 7.1).
        let names = Self.hasNumber(text) ? model.enumType(name)?.names(of: number) : nil
        return .enumeration(type: name, members: names ?? text, number: number)
    }

    /// Whether the text of an enumeration has a number among its members.
    static func hasNumber(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            Int64(String(decoding: part.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)) != nil
        }
    }

    func mismatch(_ path: ValuePath) -> Fault {
        Fault(.typeMismatch, "the value does not match the declared type", context: [.path(path.text)])
    }

    // MARK: - Types that the value states

    private static let typeControls = ["@odata.type", "@type", "odata.type", "__metadata"]

    static func isTypeControl(_ name: String) -> Bool {
        // Most names are those of properties, and do not begin like one of the four.
        switch name.utf8.first {
        case UInt8(ascii: "@"), UInt8(ascii: "o"), UInt8(ascii: "_"): typeControls.contains { $0.hasBytes(of: name) }
        default: false
        }
    }

    /// The type that an object states in its control information; nil if it states no type.
    static func statedType(of object: JSONObject) -> String? {
        for name in typeControls {
            let value = name == "__metadata" ? object[name]?.object?["type"] : object[name]
            guard let text = value?.string else { continue }
            // In version 4 it is a URL, whose fragment is the type.
            return text.split(separator: "#", omittingEmptySubsequences: false).last.map(String.init)
        }
        return nil
    }
}
