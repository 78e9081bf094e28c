import JSONText

/// The records of one type, and those of them that were deleted.
struct MockTable: Sendable {
    let object: MockObject
    private(set) var records: [String: MockRecord] = [:]
    private(set) var deleted: Set<String> = []
    /// The ids in the order of creation, with some of deleted records among them.
    private var order: [String] = []
    /// The ids by the value of each external id field.
    private var keys: [Int: [String: [String]]] = [:]
    private var counter = 0

    init(_ object: MockObject) { self.object = object }

    /// The records in the order of creation.
    var inOrder: [MockRecord] { order.compactMap { records[$0] } }

    /// The next id: the prefix, zeros and a counter, 18 characters. Ids that a data file has given are passed over.
    func nextId() -> (id: String, number: Int) {
        var number = counter + 1
        while records[id(number)] != nil || deleted.contains(id(number)) {
            number += 1
        }
        return (id(number), number)
    }

    private func id(_ number: Int) -> String {
        let digits = String(number)
        let zeros = max(0, 18 - object.prefix.utf8.count - digits.utf8.count)
        return object.prefix + String(repeating: "0", count: zeros) + digits
    }

    /// The ids of the records with a value in an external id field.
    func ids(_ position: Int, _ key: String) -> [String] { keys[position]?[key] ?? [] }

    mutating func insert(_ record: MockRecord) {
        counter = max(counter, record.number)
        order.append(record.id)
        records[record.id] = record
        note(record, isPresent: true)
    }

    mutating func replace(_ record: MockRecord) {
        if let old = records[record.id] {
            note(old, isPresent: false)
        }
        records[record.id] = record
        note(record, isPresent: true)
    }

    mutating func delete(_ id: String) {
        guard let record = records.removeValue(forKey: id) else { return }
        note(record, isPresent: false)
        deleted.insert(id)
        if order.count > 2 * records.count + 64 {
            order.removeAll { records[$0] == nil }
        }
    }

    private mutating func note(_ record: MockRecord, isPresent: Bool) {
        for (position, field) in object.fields.enumerated() where field.isExternalId || field.isUnique {
            guard let key = Self.key(record.values[position]) else { continue }
            var ids = keys[position]?[key] ?? []
            if isPresent {
                ids.append(record.id)
            } else {
                ids.removeAll { $0 == record.id }
            }
            keys[position, default: [:]][key] = ids.isEmpty ? nil : ids
        }
    }

    /// What a value is in the path of an upsert; `nil` for a value that a path cannot have.
    static func key(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }
}
