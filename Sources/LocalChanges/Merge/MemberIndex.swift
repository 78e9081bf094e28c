import JSONText
import Soups

/// The members of a record by name. A look-up takes constant time, where that of `JSONObject` is linear.
struct MemberIndex {
    private let members: [ByteKey: JSONValue]

    init(_ record: JSONObject) {
        var members: [ByteKey: JSONValue] = Dictionary(minimumCapacity: record.count)
        for (name, value) in record.members {
            members[ByteKey(name)] = value
        }
        self.members = members
    }

    subscript(name: String) -> JSONValue? { members[ByteKey(name)] }
}
