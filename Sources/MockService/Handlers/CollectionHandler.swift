import JSONText
import ServiceTransport

/// Calls 13 to 17: many records.
extension MockState {
    private static let mostRecords = 200
    private static let mostRetrieved = 2_000

    mutating func createCollection(_ context: MockContext) throws(MockError) -> CallAnswer {
        try changeRecords(context) { (state, record, index, count) throws(MockError) in
            try state.refuse(context, at: index, of: count, id: nil, .create)
            let type = Self.type(of: record)
            let id = try state.tables.create(type, record, at: state.clock.now)
            state.recent.touch(type, id)
            return ["id": .string(id), "success": true, "errors": []]
        }
    }

    mutating func updateCollection(_ context: MockContext) throws(MockError) -> CallAnswer {
        try changeRecords(context) { (state, record, index, count) throws(MockError) in
            let named = record.members.last { ASCIICase.lower($0.name) == "id" }?.value
            try state.refuse(context, at: index, of: count, id: named?.string, .update)
            let type = Self.type(of: record)
            _ = try state.tables.table(type)
            guard let id = named?.string else {
                throw MockError(400, "MISSING_ARGUMENT", "Id not specified in an update call")
            }
            try state.tables.update(type, id, record, at: state.clock.now, leavingOut: ["id"])
            state.recent.touch(type, id)
            return ["id": .string(id), "success": true, "errors": []]
        }
    }

    mutating func upsertCollection(_ context: MockContext) throws(MockError) -> CallAnswer {
        let field = context.route.field ?? ""
        for record in try records(context) where ASCIICase.lower(Self.type(of: record)) != ASCIICase.lower(context.type)
        {
            throw MockError(400, "INVALID_TYPE", "All records of an upsert must be of the type \(context.type)")
        }
        return try changeRecords(context) { (state, record, index, count) throws(MockError) in
            let value = record.members.last { ASCIICase.lower($0.name) == ASCIICase.lower(field) }?.value
            let key = value.flatMap { MockTable.key($0) }
            try state.refuse(context, at: index, of: count, id: key, .upsert)
            guard let key, !key.isEmpty else {
                throw MockError(400, "MISSING_ARGUMENT", "\(field) not specified", fields: [field])
            }
            let done = try state.tables.upsert(context.type, field, key, record, at: state.clock.now)
            state.recent.touch(context.type, done.id)
            return ["id": .string(done.id), "success": true, "errors": [], "created": .bool(done.isCreated)]
        }
    }

    mutating func deleteCollection(_ context: MockContext) throws(MockError) -> CallAnswer {
        let ids = try context.parameter("ids").split(separator: ",").map { String($0) }
        let isAll = QueryText.value("allOrNone", in: context.request) == "true"
        return try change(ids, isAll) { (state, id, index) throws(MockError) in
            try state.refuse(context, at: index, of: ids.count, id: id, .delete)
            guard let table = state.tables.table(ofId: id) else {
                throw .notFound
            }
            try state.tables.delete(
                state.tables[table].object.name, id, keepsReferring: state.options.keepsReferring)
            return ["id": .string(id), "success": true, "errors": []]
        }
    }

    mutating func retrieveCollection(_ context: MockContext) throws(MockError) -> CallAnswer {
        let body = try context.object()
        guard let ids = body["ids"]?.array, let fields = body["fields"]?.array?.map(\.string),
            !fields.contains(nil)
        else {
            throw .malformed("The body needs 'ids' and 'fields', arrays of texts")
        }
        guard ids.count <= Self.mostRetrieved else {
            throw MockError(
                400, "EXCEEDED_ID_LIMIT", "record limit reached. cannot submit more than \(Self.mostRetrieved) ids")
        }
        let table = tables[try tables.table(context.type)]
        let positions = try positions(fields.compactMap { $0 }, table.object)
        return CallAnswer(
            200,
            .array(
                ids.map { id in
                    guard let record = id.string.flatMap({ table.records[$0] }) else { return .null }
                    var json = JSONObject([("attributes", context.attributes(table.object.name, record.id))])
                    for position in positions {
                        json[table.object.fields[position].name] = record.value(position, of: table.object)
                    }
                    if json["Id"] == nil {
                        json["Id"] = .string(record.id)
                    }
                    return .object(json)
                }))
    }

    // MARK: - Records of a call

    private typealias Change<Element> = (inout MockState, Element, _ index: Int) throws(MockError) -> JSONValue

    private mutating func changeRecords(
        _ context: MockContext,
        _ change: (inout MockState, JSONObject, _ index: Int, _ count: Int) throws(MockError) -> JSONValue
    ) throws(MockError) -> CallAnswer {
        let records = try records(context)
        let isAll = try context.object()["allOrNone"]?.bool == true
        return try self.change(records, isAll) { (state, record, index) throws(MockError) in
            try change(&state, record, index, records.count)
        }
    }

    /// Changes records one after the other. With `isAll`, one refusal undoes all.
    private mutating func change<Element>(
        _ elements: [Element], _ isAll: Bool, _ change: Change<Element>
    ) throws(MockError) -> CallAnswer {
        guard elements.count <= Self.mostRecords else {
            throw MockError(
                400, "EXCEEDED_ID_LIMIT", "record limit reached. cannot submit more than \(Self.mostRecords) records")
        }
        let before = isAll ? self.tables : nil
        var items: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            do throws(MockError) {
                items.append(try change(&self, element, index))
            } catch {
                items.append(error.item)
            }
        }
        if let before, items.contains(where: { $0["success"] == false }) {
            tables = before
            let undone = MockError(
                400, "ALL_OR_NONE_OPERATION_ROLLED_BACK", "Record rolled back because not all records were valid")
            items = items.map { $0["success"] == false ? $0 : undone.item }
        }
        return CallAnswer(200, .array(items))
    }

    private func records(_ context: MockContext) throws(MockError) -> [JSONObject] {
        guard let elements = try context.object()["records"]?.array else {
            throw .malformed("The body needs 'records', an array of objects")
        }
        return try elements.map { (element) throws(MockError) in
            guard let record = element.object else {
                throw .malformed("The body needs 'records', an array of objects")
            }
            return record
        }
    }

    private static func type(of record: JSONObject) -> String {
        record["attributes"]?["type"]?.string ?? "null"
    }
}
