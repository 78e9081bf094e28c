import JSONText

/// Call 3: `FIND {term} IN NAME FIELDS RETURNING T(a, b limit n), U limit n`.
extension MockState {
    mutating func search(_ context: MockContext) throws(MockError) -> CallAnswer {
        var search = SearchText(try context.parameter("q"))
        let query = try search.parse()
        var found: [JSONValue] = []
        for returned in query.returned {
            let table = tables[try tables.table(returned.type)]
            let object = table.object
            let fields = try positions(returned.fields.isEmpty ? ["Id"] : returned.fields, object)
            let matching = table.inOrder.filter { Self.matches($0, object, query) }
            for record in matching.prefix(returned.limit ?? .max) {
                var json = JSONObject([("attributes", context.attributes(object.name, record.id))])
                for position in fields {
                    json[object.fields[position].name] = record.value(position, of: object)
                }
                found.append(.object(json))
            }
        }
        return CallAnswer(200, ["searchRecords": .array(Array(found.prefix(query.limit ?? .max)))])
    }

    /// Whether the name, or with `ALL FIELDS` any text, contains the term; case folded.
    private static func matches(_ record: MockRecord, _ object: MockObject, _ query: SearchText.Query) -> Bool {
        let term = query.term.lowercased()
        if query.isAllFields {
            return record.values.contains { $0.string?.lowercased().contains(term) == true }
        }
        let parts = object.nameFields.compactMap { object.position(of: $0) }.compactMap { record.values[$0].string }
        return parts.joined(separator: " ").lowercased().contains(term)
    }
}
