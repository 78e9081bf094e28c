import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// The key text of a row that waits for its entity to get one of the present form, as in `former["Id"]["1"]`: the names
/// and the values of its former key. The text of no entity is like that, so the row is not taken for that of another
/// one.
struct FormerKey {
    /// The names of the former key.
    let names: [String]
    /// The text.
    let text: String

    private static let prefix = "former"
    /// The first text that may be one.
    static let first = prefix + "["

    /// The text of the row that an entity with these properties had; nil if a part of the former key is missing.
    init?(_ names: [String], of properties: JSONObject, _ set: MappedEntitySet) {
        var parts: [String] = []
        for name in names.map(\.replacingSlashes) {
            guard let part = properties.value(at: name), let text = set.textOfFormerKey(part, at: name) else {
                return nil
            }
            parts.append(text)
        }
        guard !parts.isEmpty else { return nil }
        self.init(names: names, parts: parts)
    }

    /// The text of a row that no entity can be known to belong to.
    init(entryId: Int64) { self.init(names: [], parts: [String(entryId)]) }

    private init(names: [String], parts: [String]) {
        self.names = names
        text = Self.prefix + Self.json(names) + Self.json(parts)
    }

    /// The names in a text; nil if it is another one.
    init?(text: String) {
        guard Self.isFormer(text), let end = text.utf8.firstRange(of: "][".utf8)?.lowerBound else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: Self.prefix.utf8.count)
        guard let names = (try? JSONValue(parsing: String(text[start...end])))?.array else { return nil }
        self.names = names.compactMap(\.string)
        self.text = text
    }

    /// The rows of the set that have the values of the key, whatever their own keys are; empty if no index finds them.
    ///
    /// - Parameter properties: The properties of the entity, from which the key was made.
    func loadedRows(
        of set: MappedEntitySet, _ store: SmartStore, _ properties: JSONObject
    ) throws(Fault) -> [JSONObject] {
        guard let path = names.first?.replacingSlashes, let value = properties.value(at: path),
            try SoupRows(store, soup: set.soup).canFind(by: path)
        else { return [] }
        return try set.rows(store, mayHave: value, at: path).filter { row in
            FormerKey(names, of: row.properties(of: set), set).map { ByteKey($0.text) } == ByteKey(text)
        }
    }

    static func isFormer(_ key: String) -> Bool { key.utf8.starts(with: first.utf8) }

    /// The text after all those with the same names.
    var endOfNames: String { Self.prefix + Self.json(names) + "\\" }

    private static func json(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text() }
}

extension MappedEntitySet {
    /// The text of a part of a former key; nil for null and for a value that is no part of a key.
    ///
    /// All digits count, because decimals that differ may have the same index value. The type of the property may have
    /// changed with the key: a number and its digits as a text are the same, and so are two spellings of one value of
    /// the present type.
    fileprivate func textOfFormerKey(_ part: JSONValue, at path: String) -> String? {
        switch part {
        case .null, .array, .object: nil
        case .bool(let flag): String(flag)
        case .number(let number): Self.canonical(number.text)
        case .string(let text): canonical(text, as: primitiveType(at: path))
        }
    }

    private func canonical(_ text: String, as type: EdmPrimitiveType?) -> String {
        switch type {
        case .guid: EdmGuid(text)?.description ?? text
        case .dateTimeOffset: JSONValue.string(text).instantInUTC ?? text
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .single, .double: Self.canonical(text)
        default: text
        }
    }

    /// A number without zeros at the end of its fraction; another text as it is.
    private static func canonical(_ number: String) -> String {
        EdmDecimal(number)?.withoutTrailingZeros.description ?? number
    }
}
