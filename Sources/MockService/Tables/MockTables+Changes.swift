import JSONText

/// What an upsert did.
struct MockUpsert {
    let id: String
    let isCreated: Bool
}

extension MockTables {
    /// Creates a record and returns its id.
    ///
    /// - Parameter id: The id for a record of a data file; nil for the next one.
    mutating func create(
        _ type: String, _ body: JSONObject, at time: Int64, id: String? = nil, leavingOut: Set<String> = []
    ) throws(MockError) -> String {
        let table = try table(type)
        let object = self[table].object
        let next = self[table].nextId()
        var record = MockRecord(
            id: id ?? next.id, number: next.number, values: Array(repeating: .null, count: object.fields.count),
            created: time, modified: time)
        for (position, value) in try values(body, of: table, leavingOut: leavingOut) {
            record.values[position] = value
        }
        try check(record, in: table)
        self[table].insert(record)
        return record.id
    }

    mutating func update(
        _ type: String, _ id: String, _ body: JSONObject, at time: Int64, leavingOut: Set<String> = []
    ) throws(MockError) {
        let table = try table(type)
        var record = try record(id, in: table)
        for (position, value) in try values(body, of: table, leavingOut: leavingOut) {
            record.values[position] = value
        }
        try check(record, in: table)
        record.modified = time
        self[table].replace(record)
    }

    mutating func upsert(
        _ type: String, _ field: String, _ key: String, _ body: JSONObject, at time: Int64
    ) throws(MockError) -> MockUpsert {
        let table = try table(type)
        let position = try keyPosition(field, in: table)
        let leavingOut: Set = [ASCIICase.lower(field), "id"]
        if let id = try id(position, key, in: table) {
            try update(type, id, body, at: time, leavingOut: leavingOut)
            return MockUpsert(id: id, isCreated: false)
        }
        guard position != MockObject.idPosition else {
            throw self[table].deleted.contains(key) ? .deleted : .notFound
        }
        var body = body
        for name in body.names where leavingOut.contains(ASCIICase.lower(name)) {
            body[name] = nil
        }
        let field = self[table].object.fields[position]
        body[field.name] = field.kind == .number ? ((try? JSONValue(parsing: key)) ?? .string(key)) : .string(key)
        return MockUpsert(id: try create(type, body, at: time), isCreated: true)
    }

    /// Deletes a record. Those that refer to it are deleted too, or lose the reference.
    mutating func delete(_ type: String, _ id: String, keepsReferring: Bool) throws(MockError) {
        let table = try table(type)
        _ = try record(id, in: table)
        self[table].delete(id)
        var pending = [(type: self[table].object.name, id: id)]
        while let deleted = pending.popLast() {
            for reference in references(to: deleted.type) {
                for var record in self[reference.table].inOrder
                where record.values[reference.field] == .string(deleted.id) {
                    if keepsReferring {
                        record.values[reference.field] = .null
                        self[reference.table].replace(record)
                    } else {
                        self[reference.table].delete(record.id)
                        pending.append((self[reference.table].object.name, record.id))
                    }
                }
            }
        }
    }
}

// MARK: - Finding
extension MockTables {
    func record(_ id: String, in table: Int) throws(MockError) -> MockRecord {
        guard let record = self[table].records[id] else {
            throw self[table].deleted.contains(id) ? .deleted : .notFound
        }
        return record
    }

    /// The position of the id field, or of one by which records can be upserted.
    func keyPosition(_ field: String, in table: Int) throws(MockError) -> Int {
        let object = self[table].object
        guard let position = object.position(of: field),
            position == MockObject.idPosition || object.fields[position].isExternalId
        else {
            throw MockError(
                400, "INVALID_FIELD", "The field '\(field)' of \(object.name) is not an external id", fields: [field])
        }
        return position
    }

    /// The record with this key; `nil` if the table has no such record. Throws 300 if there are several.
    func id(_ position: Int, _ key: String, in table: Int) throws(MockError) -> String? {
        guard position != MockObject.idPosition else {
            return self[table].records[key]?.id
        }
        let ids = self[table].ids(position, key)
        guard ids.count <= 1 else {
            throw MockError(
                300, "DUPLICATE_EXTERNAL_ID",
                "More than one record found for external id field: [\(ids.joined(separator: ", "))]")
        }
        return ids.first
    }
}
