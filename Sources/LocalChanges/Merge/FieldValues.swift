import JSONText
import Soups

/// The members of a record by name, for comparisons: null and, if so chosen, the empty text are the same as no member.
struct FieldValues {
    private let members: [ByteKey: JSONValue]
    private let emptyIsNull: Bool

    init(_ record: JSONObject, emptyIsNull: Bool) {
        var members: [ByteKey: JSONValue] = Dictionary(minimumCapacity: record.count)
        for (name, value) in record.members {
            members[ByteKey(name)] = value
        }
        self.members = members
        self.emptyIsNull = emptyIsNull
    }

    /// The member as it is; nil if the record lacks it.
    func member(_ name: ByteKey) -> JSONValue? { members[name] }

    /// The value to compare; nil if there is none.
    subscript(name: ByteKey) -> JSONValue? {
        guard let value = members[name], !value.isNull else { return nil }
        if emptyIsNull, value.string?.isEmpty == true {
            return nil
        }
        return value
    }
}
