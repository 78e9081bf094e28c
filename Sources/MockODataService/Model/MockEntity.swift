import JSONText

/// An entity of the service.
struct MockEntity: Sendable {
    /// The text by which it is found.
    var key: String
    /// Its properties, by the names of the metadata; a number as JSON, a date as the text of version 4.
    var values: JSONObject
    /// Counts its changes, from 1.
    var version = 1
}

/// The entities of one set, in the order in which they were created.
struct MockTable: Sendable {
    /// nil where an entity was deleted.
    private(set) var slots: [MockEntity?] = []
    private var positions: [String: Int] = [:]

    var entities: [MockEntity] { slots.compactMap(\.self) }
    var count: Int { positions.count }

    subscript(_ key: String) -> MockEntity? { positions[key].flatMap { slots[$0] } }
    func position(of key: String) -> Int? { positions[key] }

    mutating func append(_ entity: MockEntity) {
        positions[entity.key] = slots.count
        slots.append(entity)
    }

    mutating func replace(_ entity: MockEntity) {
        if let position = positions[entity.key] {
            slots[position] = entity
        }
    }

    mutating func remove(_ key: String) {
        if let position = positions.removeValue(forKey: key) {
            slots[position] = nil
        }
    }
}
