import JSONText
import ServiceTransport

/// Calls 7 to 11: one record.
extension MockState {
    mutating func createRecord(_ context: MockContext) throws(MockError) -> CallAnswer {
        try refuse(context, at: 0, of: 1, id: nil, .create)
        let id = try tables.create(context.type, try context.object(), at: clock.now)
        recent.touch(context.type, id)
        var answer = CallAnswer(201, ["id": .string(id), "success": true, "errors": []])
        answer.headers = [Pair("Location", context.path(of: context.type, id))]
        return answer
    }

    mutating func retrieveRecord(_ context: MockContext) throws(MockError) -> CallAnswer {
        let table = try tables.table(context.type)
        let id = try self.id(context, in: table)
        guard let record = tables[table].records[id] else {
            throw .notFound
        }
        recent.touch(context.type, id)
        let object = tables[table].object
        let names = QueryText.value("fields", in: context.request)?.split(separator: ",").map { String($0) }
        var json = JSONObject([("attributes", context.attributes(object.name, id))])
        for position in try positions(names ?? object.fields.map(\.name), object) {
            json[object.fields[position].name] = record.value(position, of: object)
        }
        if json["Id"] == nil {
            json["Id"] = .string(id)
        }
        return CallAnswer(200, .object(json))
    }

    mutating func updateRecord(_ context: MockContext) throws(MockError) -> CallAnswer {
        let id = context.route.key ?? ""
        try refuse(context, at: 0, of: 1, id: id, .update)
        try tables.update(context.type, id, try context.object(), at: clock.now)
        recent.touch(context.type, id)
        return CallAnswer(204)
    }

    mutating func upsertRecord(_ context: MockContext) throws(MockError) -> CallAnswer {
        try refuse(context, at: 0, of: 1, id: context.route.key, .upsert)
        let done = try tables.upsert(
            context.type, context.route.field ?? "", context.route.key ?? "", try context.object(), at: clock.now)
        recent.touch(context.type, done.id)
        if options.answersUpsertsWithoutBody, !done.isCreated {
            return CallAnswer(204)
        }
        return CallAnswer(
            done.isCreated ? 201 : 200,
            ["id": .string(done.id), "success": true, "errors": [], "created": .bool(done.isCreated)])
    }

    mutating func deleteRecord(_ context: MockContext) throws(MockError) -> CallAnswer {
        let id = context.route.key ?? ""
        try refuse(context, at: 0, of: 1, id: id, .delete)
        try tables.delete(context.type, id, keepsReferring: options.keepsReferring)
        return CallAnswer(204)
    }

    /// The positions of fields that a caller names, each once however often it is named.
    func positions(_ names: [String], _ object: MockObject) throws(MockError) -> [Int] {
        var positions: [Int] = []
        var seen: Set<Int> = []
        for name in names {
            guard let position = object.position(of: name) else {
                throw MockError(400, "INVALID_FIELD", "No such column '\(name)' on entity '\(object.name)'")
            }
            if seen.insert(position).inserted {
                positions.append(position)
            }
        }
        return positions
    }

    /// The id in the path, or that of the record with the key in the path.
    private func id(_ context: MockContext, in table: Int) throws(MockError) -> String {
        let key = context.route.key ?? ""
        guard let field = context.route.field else {
            return key
        }
        guard let id = try tables.id(try tables.keyPosition(field, in: table), key, in: table) else {
            throw .notFound
        }
        return id
    }
}
