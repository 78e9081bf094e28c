public import JSONText
public import Soups
import StepCounting

/// The key of an entity as text that is the same however the key was written: the inside of a canonical key predicate
/// of version 4.
///
/// ```swift
/// let single = try ODataKey(1003).text()
/// let name = try ODataKey("O'Neil").text()
/// let several = try ODataKey(["OrderID": 7, "Line": "a"]).text()
/// ```
///
/// These are `1003`, `'O''Neil'` and `OrderID=7,Line='a'`. With a model, parts are read by their declared types and
/// come in the order of the declaration: guids in lower case, decimals without trailing zeros, instants in UTC,
/// enumerations by the names of their members. Literals of versions 1.0 to 3.0, such as `guid'...'` and `1L`, give the
/// same text. Strings are always quoted, and not normalized. A key is a value that any thread may use.
public struct ODataKey: Sendable {
    /// A single value, or an object with the parts of a composite key.
    public var value: JSONValue
    /// The version whose literals texts may be.
    public var version: ODataVersion
    /// The model that declares the key; nil to read values as they are.
    public var model: EdmModel?
    /// The qualified name of the entity type.
    public var entityType: String?

    /// Creates a key. Nothing is checked until the text is made.
    public init(
        _ value: JSONValue, version: ODataVersion = .v4, model: EdmModel? = nil, entityType: String? = nil
    ) {
        self.value = value
        self.version = version
        self.model = model
        self.entityType = entityType
    }

    /// Returns the text of the key. O(n) in its length.
    ///
    /// Throws `invalidArguments` for a key without parts, with a null part, with a part twice, or without the parts of
    /// the declared key; `unknownProperty` for a part that the key does not have, and `typeMismatch` or
    /// `invalidLiteral` for one that does not fit its type, with the path of the part.
    public func text() throws(Fault) -> String {
        let declared = try declaredParts()
        let members = model.flatMap { model in entityType.map { TypeMembers(of: $0, in: model) } }
        guard let parts = value.object else {
            guard declared.count <= 1 else {
                throw Fault(
                    .invalidArguments, "the key has \(declared.count) properties; give an object with all of them")
            }
            return try text(of: value, declared.first, members, at: 0)
        }
        guard !parts.isEmpty else {
            throw Fault(.invalidArguments, "the key is an empty object; it must name at least one property")
        }
        var key = KeyText()
        if declared.isEmpty {
            try RepeatedNames.check(parts.names)
            for (name, value) in parts.members {
                key.append(parts.count == 1 ? nil : name, try Self.untyped(value, nil))
            }
        } else {
            for part in try MatchedKeyPart.all(parts, declared) {
                let value = try text(of: part.value, part.declaration, members, at: part.position)
                key.append(declared.count == 1 ? nil : part.name, value)
            }
        }
        return key.text
    }

    private func declaredParts() throws(Fault) -> [EdmStructuredType.KeyPart] {
        guard let model, let entityType else {
            return []
        }
        guard model.structuredType(entityType) != nil else {
            throw Fault(.typeMismatch, "the entity type is not in the metadata")
        }
        return model.key(of: entityType)
    }

    private func text(
        of value: JSONValue, _ part: EdmStructuredType.KeyPart?, _ members: TypeMembers?, at position: Int
    ) throws(Fault) -> String {
        StepCounter.add()
        guard let part, let model, let members,
            let type = ChangeKey.type(of: part, members, near: position, in: model)
        else {
            return try Self.untyped(value, part?.path)
        }
        switch try typed(value, type, in: model, part.path) {
        case .primitive(let value): return try Self.literal(value, part.path)
        case .enumeration(let type, let members, _):
            let number = model.enumValue(of: members, in: type)
            let name = model.enumType(type)?.members.first { $0.value == number }?.name
            return type + LiteralText.quoted(name ?? members)
        case .untyped(let value): return try Self.untyped(value, part.path)
        case .null, .complex, .collection, .related, .shape, .stated: throw Self.notSingle(part.path)
        }
    }

    /// The value by its type. A text may be a literal of the version.
    private func typed(
        _ value: JSONValue, _ type: EdmTypeReference, in model: EdmModel, _ path: String
    ) throws(Fault) -> ChangeValue {
        let types = ChangeTypes(model: model, version: version)
        do throws(Fault) {
            return try types.value(value, as: type, path: ValuePath(path))
        } catch {
            guard error.code == .invalidLiteral, let text = value.string,
                let inner = Self.content(ofLiteral: text, version)
            else {
                throw error
            }
            return try types.value(.string(inner), as: type, path: ValuePath(path))
        }
    }

    /// The canonical text of what a literal means, such as `guid'...'` or `1L`; nil for other texts.
    private static func content(ofLiteral text: String, _ version: ODataVersion) -> String? {
        guard let expression = try? ODataExpression(parsing: text, version: version),
            expression.nodes[expression.root].kind == .literal
        else {
            return nil
        }
        return expression.value(of: expression.root).canonicalText
    }

    private static func untyped(_ value: JSONValue, _ path: String?) throws(Fault) -> String {
        switch value {
        case .string(let text): return LiteralText.quoted(text)
        case .number(let number): return number.text
        case .bool(let flag): return flag ? "true" : "false"
        case .null, .array, .object: throw notSingle(path)
        }
    }

    /// The bare literal of version 4. Of a key the service knows the type, so a double needs no exponent.
    private static func literal(_ value: ODataValue, _ path: String) throws(Fault) -> String {
        switch value {
        case .decimal(let decimal): return decimal.withoutTrailingZeros.description
        case .dateTimeOffset(let date):
            let utc = EdmDateTimeOffset(
                secondsSinceEpoch: date.secondsSinceEpoch, picosecond: date.local.time.picosecond)
            return (utc ?? date).description
        case .double, .single, .dateTime, .time: return value.canonicalText ?? ""
        default:
            guard value.primitiveType?.isSpatial != true, let text = LiteralText.text(of: value, version: .v4) else {
                throw notSingle(path)
            }
            return text
        }
    }

    private static func notSingle(_ path: String?) -> Fault {
        Fault(
            .invalidArguments, "a part of the key is null or not a single value; give a string, number or boolean",
            context: path.map { [.path($0)] } ?? [])
    }
}
