import JSONText
import LocalChanges
import OData
import Soups

/// The key of an entity as it is kept in `__key__`.
enum StoredKey {
    /// The substitute for the key of a singleton, which has none.
    static let singleton = "()"

    /// The text of the key of an entity with these properties; nil if a part is missing or null.
    ///
    /// Throws `invalidLiteral`, `typeMismatch` or `invalidArguments` for a part that does not fit.
    static func text(
        of properties: JSONObject, _ set: MappedEntitySet, version: ODataVersion
    ) throws(Fault) -> String? {
        guard !set.isSingleton else {
            return singleton
        }
        guard let value = value(of: properties, set) else { return nil }
        return try text(of: value, set, version: version)
    }

    /// The key of an entity with these properties: a value, or an object with its parts; nil if one is missing or null.
    static func value(of properties: JSONObject, _ set: MappedEntitySet) -> JSONValue? {
        var parts: [(String, JSONValue)] = []
        for (path, name) in zip(set.key, set.keyNames) {
            guard let part = properties.value(at: path.replacingSlashes), !part.isNull else { return nil }
            parts.append((name, part))
        }
        guard let first = parts.first else { return nil }
        return parts.count == 1 ? first.1 : .object(JSONObject(parts))
    }

    /// The text of a key.
    static func text(of value: JSONValue, _ set: MappedEntitySet, version: ODataVersion) throws(Fault) -> String {
        var value = value
        if let parts = value.object, set.entityType == nil, set.key.count == parts.count {
            // Without a model the order is that of the map.
            value = .object(
                JSONObject(
                    set.key.compactMap { name in parts[name].map { (name, $0) } }))
        }
        if set.entityType == nil {
            value = value.withCanonicalNumbers
        }
        return try ODataKey(value, version: version, model: set.model, entityType: set.entityType).text()
    }

    /// The value of a key text, for the URL of its entity; nil for a local id.
    static func value(ofText text: String) -> JSONValue? {
        var parts: [(String, JSONValue)] = []
        for piece in pieces(of: text) {
            let equals = name(of: piece)
            let literal = equals.map { String(piece.dropFirst($0.count + 1)) } ?? piece
            guard let value = value(ofLiteral: literal) else { return nil }
            parts.append((equals ?? "", value))
        }
        guard let first = parts.first else { return nil }
        return parts.count == 1 && first.0.isEmpty ? first.1 : .object(JSONObject(parts))
    }

    private static func value(ofLiteral text: String) -> JSONValue? {
        guard let expression = try? ODataExpression(parsing: text, version: .v4),
            expression.nodes[expression.root].kind == .literal
        else { return isDateOrTimeOfOldVersions(text) ? .string(text) : nil }
        return expression.value(of: expression.root).stored
    }

    /// Whether a part is an `Edm.DateTime` or `Edm.Time` of versions 1.0 to 3.0. A key text has them without a prefix,
    /// and version 4 has no such literals.
    private static func isDateOrTimeOfOldVersions(_ text: String) -> Bool {
        EdmDateTime(text) != nil || EdmDuration(text) != nil
    }

    /// The parts between commas outside quotes.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            }
            if byte == UInt8(ascii: ","), !isQuoted {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece = []
            } else {
                piece.append(byte)
            }
        }
        return pieces + [String(decoding: piece, as: UTF8.self)]
    }

    /// The name before an equals sign that comes before any quote.
    private static func name(of piece: String) -> String? {
        for (index, byte) in piece.utf8.enumerated() {
            if byte == UInt8(ascii: "'") {
                return nil
            }
            if byte == UInt8(ascii: "=") {
                return String(decoding: piece.utf8.prefix(index), as: UTF8.self)
            }
        }
        return nil
    }
}

extension JSONValue {
    /// A key without types whose numbers have one form for each value: `1e20` is `1e+20`, and `1.50` is `1.5`.
    fileprivate var withCanonicalNumbers: JSONValue {
        switch self {
        case .number(let number):
            return number.isWrittenByDouble ? ODataValue.double(number.double).stored : self
        case .object(let parts):
            return .object(JSONObject(parts.members.map { ($0.name, $0.value.withCanonicalNumbers) }))
        default: return self
        }
    }
}

extension JSONNumber {
    /// Whether the double nearest to the number stands for it in a key: it is written with an exponent, or with a point
    /// and no more digits than the double has.
    fileprivate var isWrittenByDouble: Bool {
        guard double.isFinite else { return false }
        if text.utf8.contains(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }) {
            return true
        }
        guard text.utf8.contains(UInt8(ascii: ".")), let exact = EdmDecimal(text) else { return false }
        return EdmDecimal("\(double)") == exact
    }
}
