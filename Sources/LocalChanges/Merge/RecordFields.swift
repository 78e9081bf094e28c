import JSONText
import Soups

/// The fields of one version of a record by their numbers, for comparisons: null and, if so chosen, the empty text are
/// the same as no field.
struct RecordFields {
    let record: JSONObject
    /// For each member, the number of its field; -1 for a member that is not compared.
    private(set) var numbers: [Int32] = []
    /// For each number, the index of the last member of that name; -1 for none.
    private var indices: [Int32] = []
    private let emptyIsNull: Bool
    /// All members by name, if some fields are paths; nil otherwise.
    private let members: MemberIndex?

    init(_ record: JSONObject, _ table: inout FieldTable, emptyIsNull: Bool) {
        self.record = record
        self.emptyIsNull = emptyIsNull
        members = table.hasPaths ? MemberIndex(record) : nil
        numbers.reserveCapacity(record.count)
        indices = Array(repeating: -1, count: max(table.names.count, record.count))
        var guess = 0
        for index in record.members.indices {
            guard let number = table.number(of: record.members[index].name, guess: guess) else {
                numbers.append(-1)
                continue
            }
            guess = number + 1
            numbers.append(Int32(number))
            while indices.count <= number {
                indices.append(-1)
            }
            indices[number] = Int32(index)
        }
    }

    func hasMember(_ number: Int) -> Bool { number < indices.count && indices[number] >= 0 }

    /// The field as it is; nil if the record lacks it. A dotted name is a path where the record has no member of that
    /// name. Takes constant time, and for a path as long as it has steps.
    func field(_ number: Int, _ name: String) -> JSONValue? {
        if hasMember(number) {
            return record.members[Int(indices[number])].value
        }
        guard let members, name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        let steps = name.dottedNames
        var value = members[steps[0]]
        for step in steps.dropFirst() {
            value = value?[step]
        }
        return value
    }

    /// Whether a name is a path into this record, and not the name of a member.
    func isPath(_ number: Int, _ name: String) -> Bool {
        members != nil && name.utf8.contains(UInt8(ascii: ".")) && !hasMember(number)
    }

    /// The value to compare; nil if there is none.
    func value(_ number: Int, _ name: String) -> JSONValue? {
        guard let value = field(number, name), !value.isNull else { return nil }
        if emptyIsNull, value.string?.isEmpty == true {
            return nil
        }
        return value
    }
}

extension RecordFields {
    /// The record with the fields of these numbers as another version has them: replaced in place, appended, or removed
    /// where that has none.
    func replacing(_ replaced: [Int], with other: RecordFields, _ names: [String]) -> JSONObject {
        guard !replaced.isEmpty else { return record }
        var isPending = [Bool](repeating: false, count: names.count)
        let paths = replaced.filter { other.isPath($0, names[$0]) && !hasMember($0) }
        for number in replaced {
            isPending[number] = true
        }
        for number in paths {
            isPending[number] = false
        }
        let isReplaced = isPending
        var result: [(String, JSONValue)] = []
        result.reserveCapacity(record.count + replaced.count)
        for (index, member) in record.members.enumerated() {
            let number = Int(numbers[index])
            guard number >= 0, isReplaced[number] else {
                result.append((member.name, member.value))
                continue
            }
            if isPending[number], let value = other.field(number, names[number]) {
                result.append((member.name, value))
            }
            isPending[number] = false
        }
        for number in replaced where isPending[number] {
            if let value = other.field(number, names[number]) {
                result.append((names[number], value))
            }
        }
        return paths.reduce(JSONObject(result)) { $0.setting(other.field($1, names[$1]), at: names[$1]) }
    }
}
