import JSONText
import Soups

/// The fields of a record by name, for comparisons: null and, if so chosen, the empty text are the same as no field.
struct FieldValues {
    private let members: [ByteKey: JSONValue]
    private let emptyIsNull: Bool
    private let readsPaths: Bool

    /// - Parameter readsPaths: Whether a dotted name is a path where the record has no member of that name.
    init(_ record: JSONObject, emptyIsNull: Bool, readsPaths: Bool) {
        var members: [ByteKey: JSONValue] = Dictionary(minimumCapacity: record.count)
        for (name, value) in record.members {
            members[ByteKey(name)] = value
        }
        self.members = members
        self.emptyIsNull = emptyIsNull
        self.readsPaths = readsPaths
    }

    /// The field as it is; nil if the record lacks it. Takes constant time, and for a path as long as it has steps.
    func field(_ name: String, _ key: ByteKey) -> JSONValue? {
        if let member = members[key] {
            return member
        }
        guard readsPaths, name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var value = members[ByteKey(steps[0])]
        for step in steps.dropFirst() {
            value = value?[step]
        }
        return value
    }

    /// Whether a name is a path into this record, and not the name of a member.
    func isPath(_ name: String) -> Bool {
        readsPaths && name.utf8.contains(UInt8(ascii: ".")) && members[ByteKey(name)] == nil
    }

    /// The value to compare; nil if there is none.
    subscript(name: String, key: ByteKey) -> JSONValue? {
        guard let value = field(name, key), !value.isNull else { return nil }
        if emptyIsNull, value.string?.isEmpty == true {
            return nil
        }
        return value
    }
}
