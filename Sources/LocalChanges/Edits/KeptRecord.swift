import JSONText

/// A record as a member of a row in a soup of this package.
///
/// A row may be as deep as an entry can be, and as a member it would be one level deeper than that. Such a record is
/// kept as its text.
enum KeptRecord {
    /// How many levels an entry of a store can have.
    private static let mostLevels = 512

    /// A record as the value of a member.
    static func json(_ record: JSONObject) -> JSONValue {
        let value = JSONValue.object(record)
        return fits(value, levels: mostLevels - 1) ? value : .string(value.text())
    }

    /// The record in such a member; `nil` for a member that holds no object.
    static func record(_ value: JSONValue?) -> JSONObject? {
        guard let text = value?.string else { return value?.object }
        return (try? JSONValue(parsing: Array(text.utf8), options: JSONOptions(maximumDepth: mostLevels)))?.object
    }

    private static func fits(_ value: JSONValue, levels: Int) -> Bool {
        switch value {
        case .null, .bool, .number, .string: true
        case .array(let elements): levels > 0 && elements.allSatisfy { fits($0, levels: levels - 1) }
        case .object(let object): levels > 0 && object.members.allSatisfy { fits($0.value, levels: levels - 1) }
        }
    }
}
