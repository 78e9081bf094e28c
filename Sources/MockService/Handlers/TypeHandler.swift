import JSONText

/// Calls 4 to 6: what is known about a type.
extension MockState {
    func recentRecords(_ context: MockContext) throws(MockError) -> CallAnswer {
        let table = tables[try tables.table(context.type)]
        let object = table.object
        let items = recent.ids(object.name).compactMap { table.records[$0] }.map { record -> JSONValue in
            let name = object.nameFields.compactMap { object.position(of: $0) }
                .compactMap { record.values[$0].string }.joined(separator: " ")
            return [
                "attributes": context.attributes(object.name, record.id), "Id": .string(record.id),
                "Name": .string(name),
            ]
        }
        let describe: JSONValue = ["name": .string(object.name), "keyPrefix": .string(object.prefix)]
        return CallAnswer(200, ["objectDescribe": describe, "recentItems": .array(items)])
    }

    func describe(_ context: MockContext) throws(MockError) -> CallAnswer {
        let object = tables[try tables.table(context.type)].object
        let fields = object.fields.map { field -> JSONValue in
            [
                "name": .string(field.name), "label": .string(field.label), "type": .string(field.kind.rawValue),
                "length": .number(.init(Int64(field.length ?? 0))), "nillable": .bool(!field.isRequired),
                "unique": .bool(field.isUnique), "externalId": .bool(field.isExternalId),
                "updateable": .bool(!field.isReadOnly),
                "referenceTo": .array(field.target.map { [.string($0)] } ?? []),
            ]
        }
        return CallAnswer(
            200,
            [
                "name": .string(object.name), "label": .string(object.name), "keyPrefix": .string(object.prefix),
                "fields": .array(fields),
            ])
    }

    func layout(_ context: MockContext) throws(MockError) -> CallAnswer {
        let object = tables[try tables.table(context.type)].object
        let layoutType = QueryText.value("layoutType", in: context.request) ?? "Full"
        let mode = QueryText.value("mode", in: context.request) ?? "View"
        let rows = object.fields.filter { !$0.isReadOnly }.map { field -> JSONValue in
            ["layoutItems": [["field": .string(field.name), "label": .string(field.label)]]]
        }
        return CallAnswer(
            200,
            [
                "id": .string("00h" + object.prefix + "000000000001"), "layoutType": .string(layoutType),
                "mode": .string(mode),
                "sections": [["heading": .string("\(object.name) Information"), "layoutRows": .array(rows)]],
            ])
    }
}
