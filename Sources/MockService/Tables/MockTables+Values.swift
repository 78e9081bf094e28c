import JSONText

extension MockTables {
    /// The values of a body by the position of their field. `attributes` and the fields that the caller names are
    /// passed over.
    func values(
        _ body: JSONObject, of table: Int, leavingOut: Set<String> = []
    ) throws(MockError) -> [(position: Int, value: JSONValue)] {
        let object = tables[table].object
        var values: [(position: Int, value: JSONValue)] = []
        for (name, value) in body.members where name != "attributes" && !leavingOut.contains(ASCIICase.lower(name)) {
            guard let position = object.position(of: name) else {
                throw MockError(
                    400, "INVALID_FIELD", "No such column '\(name)' on sobject of type \(object.name)", fields: [])
            }
            let field = object.fields[position]
            guard !field.isReadOnly else {
                throw MockError(
                    400, "INVALID_FIELD_FOR_INSERT_UPDATE", "Unable to create/update fields: \(field.name)",
                    fields: [field.name])
            }
            try check(value, field)
            values.append((position, value))
        }
        return values
    }

    /// Checks the type and the length of a value, and that a reference leads to a record.
    private func check(_ value: JSONValue, _ field: MockField) throws(MockError) {
        let fits =
            switch (value, field.kind) {
            case (.null, _), (.string, .text), (.number, .number), (.bool, .boolean), (.string, .reference): true
            case (.string(let text), .date): MockDate.milliseconds(text) != nil
            default: false
            }
        guard fits else {
            throw .malformed("Cannot deserialize the value of \(field.name), which is a \(field.kind.rawValue)")
        }
        guard case .string(let text) = value else { return }
        if let length = field.length, text.unicodeScalars.count > length {
            throw MockError(
                400, "STRING_TOO_LONG", "\(field.label): data value too large: \(text) (max length=\(length))",
                fields: [field.name])
        }
        if let target = field.target {
            try checkReference(text, to: target, field)
        }
    }

    private func checkReference(_ id: String, to target: String, _ field: MockField) throws(MockError) {
        guard let table = position(of: target) else {
            throw .unsupportedType(target)
        }
        if tables[table].deleted.contains(id) {
            throw MockError(400, "ENTITY_IS_DELETED", "entity is deleted", fields: [field.name])
        }
        guard tables[table].records[id] != nil else {
            let isId = id.utf8.count == 18 && id.hasPrefix(tables[table].object.prefix)
            throw isId
                ? MockError(
                    400, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", fields: [field.name])
                : MockError(
                    400, "MALFORMED_ID", "\(field.label): id value of incorrect type: \(id)", fields: [field.name])
        }
    }

    /// Checks a record as it would be stored: required fields, and values that no other record may have.
    func check(_ record: MockRecord, in table: Int) throws(MockError) {
        let object = tables[table].object
        let missing = object.fields.indices.filter {
            object.fields[$0].isRequired && (record.values[$0].isNull || record.values[$0] == "")
        }.map { object.fields[$0].name }
        guard missing.isEmpty else {
            throw MockError(
                400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [\(missing.joined(separator: ", "))]",
                fields: missing)
        }
        for (position, field) in object.fields.enumerated() where field.isUnique {
            guard let key = MockTable.key(record.values[position]),
                let other = tables[table].ids(position, key).first(where: { $0 != record.id })
            else { continue }
            throw MockError(
                400, "DUPLICATE_VALUE",
                "duplicate value found: \(field.name) duplicates value on record with id: \(other)",
                fields: [field.name])
        }
    }
}
