import JSONText

/// All records, by type.
struct MockTables: Sendable {
    private(set) var tables: [MockTable] = []
    private var positions: [String: Int] = [:]

    init(_ objects: [MockObject]) {
        for object in objects {
            define(object)
        }
    }

    /// Adds a type. One of the same name that has no records is replaced.
    mutating func define(_ object: MockObject) {
        let name = ASCIICase.lower(object.name)
        if let position = positions[name] {
            tables[position] = MockTable(object)
        } else {
            positions[name] = tables.count
            tables.append(MockTable(object))
        }
    }

    /// The position of a type's table; nil for an unknown type.
    func position(of type: String) -> Int? { positions[ASCIICase.lower(type)] }

    func table(_ type: String) throws(MockError) -> Int {
        guard let position = position(of: type) else {
            throw .unsupportedType(type)
        }
        return position
    }

    subscript(position: Int) -> MockTable {
        get { tables[position] }
        _modify { yield &tables[position] }
    }

    /// The table that has, or had, a record.
    func table(ofId id: String) -> Int? {
        tables.firstIndex { $0.records[id] != nil || $0.deleted.contains(id) }
    }

    /// The fields that refer to a type: the position of their table, and theirs in it.
    func references(to type: String) -> [(table: Int, field: Int)] {
        let type = ASCIICase.lower(type)
        return tables.indices.flatMap { table in
            tables[table].object.fields.indices
                .filter { tables[table].object.fields[$0].target.map(ASCIICase.lower) == type }
                .map { (table, $0) }
        }
    }
}
