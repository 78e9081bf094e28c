import JSONText
import LocalChanges
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
            guard let part = properties.value(at: name), let text = Self.text(of: set.indexed(part, at: name)) else {
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

    static func isFormer(_ key: String) -> Bool { key.utf8.starts(with: first.utf8) }

    /// The text after all those with the same names.
    var endOfNames: String { Self.prefix + Self.json(names) + "\\" }

    /// A type may have changed with the key: a number and its digits as a text are the same.
    private static func text(of part: SQLValue) -> String? {
        switch part {
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .blob: nil
        }
    }

    private static func json(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text() }
}
