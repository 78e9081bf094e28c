import JSONText

/// A row that is read as a value of Swift which asks for its columns by their names.
struct NamedRow: Decodable {
    let values: [(name: String, value: CodableTree)]

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodableTree.Name.self)
        values = try row.allKeys.map {
            ($0.stringValue, try row.decodeNil(forKey: $0) ? .null : row.decode(CodableTree.self, forKey: $0))
        }
    }
}

/// A row that is read as a value of Swift which asks for its columns one after the other.
struct ListedRow: Decodable {
    let values: [CodableTree]

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        var values: [CodableTree] = []
        while !row.isAtEnd {
            values.append(try row.decodeNil() ? .null : row.decode(CodableTree.self))
        }
        self.values = values
    }
}

/// A row that is read as a single value: its first column.
struct SingleRow: Decodable {
    let value: CodableTree

    init(from decoder: any Decoder) throws {
        let row = try decoder.singleValueContainer()
        value = row.decodeNil() ? .null : try row.decode(CodableTree.self)
    }
}
