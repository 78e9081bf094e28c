import JSONText
import Soups

/// The fields that a merge compares, each with a number, in their order.
///
/// The versions of a record mostly have the same fields in the same order, so that only those of the first one are
/// looked up by their hash.
struct FieldTable {
    private(set) var names: [String] = []
    private var numbers: [ByteKey: Int]
    /// Whether a name may be a path into a record.
    let hasPaths: Bool
    /// Whether members that are not in the table are added to it.
    private let takesMembers: Bool

    /// Creates a table of these fields, or one that gets its fields from the records.
    init(_ fields: [String]?, capacity: Int) {
        takesMembers = fields == nil
        hasPaths = fields?.contains { $0.utf8.contains(UInt8(ascii: ".")) } ?? false
        numbers = Dictionary(minimumCapacity: fields?.count ?? capacity)
        names.reserveCapacity(fields?.count ?? capacity)
        for name in fields ?? [] {
            _ = add(name)
        }
    }

    /// The number of the field with a name; nil for a member that is not compared.
    ///
    /// - Parameter guess: The number that it probably has.
    mutating func number(of name: String, guess: Int) -> Int? {
        if guess < names.count, ByteKey(names[guess]) == ByteKey(name) {
            return guess
        }
        guard takesMembers else {
            return numbers[ByteKey(name)]
        }
        return ReservedField.isField(name) ? add(name) : nil
    }

    private mutating func add(_ name: String) -> Int {
        let key = ByteKey(name)
        if let number = numbers[key] {
            return number
        }
        numbers[key] = names.count
        names.append(name)
        return names.count - 1
    }
}
