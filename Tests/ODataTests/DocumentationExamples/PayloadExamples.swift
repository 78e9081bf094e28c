import OData
import Testing

/// The examples about payloads, metadata and changes, in the documentation of the types.
@Suite struct PayloadExamples {
    @Test func `the example of ODataPayloadReader`() throws {
        let text = #"{"value": [{"Name": "Milk"}, {"Name": "Tea"}], "@odata.nextLink": "http://host/Items?$skip=2"}"#
        var chunks = [Array(text.utf8.prefix(30)), Array(text.utf8.dropFirst(30))].makeIterator()
        // Example: Sources/OData/Payloads/ODataPayloadReader.swift
        var reader = ODataPayloadReader(options: PayloadOptions(version: .v4))
        var items: [ODataEntry] = []
        var next: URLReference?
        var isAtEnd = false
        while !isAtEnd {
            switch try reader.next() {
            case .entry(let entry):
                items.append(entry)
            case .link:
                break  // Only a delta has links.
            case .needsInput:
                if let chunk = chunks.next() {
                    try reader.append(chunk)
                } else {
                    try reader.finish()
                }
            case .end(let payload):
                if case .feed(let feed) = payload {
                    next = feed.nextLink
                }
                isAtEnd = true
            }
        }
        // End of example
        #expect(items.map { $0["Name"] } == [.string("Milk"), .string("Tea")])
        #expect(next?.resolved == "http://host/Items?$skip=2")
    }

    @Test func `the example of ODataPayload`() throws {
        let body = Array(#"{"value": [{"Name": "Milk"}]}"#.utf8)
        // Example: Sources/OData/Payloads/ODataPayload.swift
        let options = PayloadOptions(version: .v4, contentType: ContentType("application/json"))
        guard case .feed(let feed) = try ODataPayload(reading: body, options: options) else { return }
        let names = feed.entries.map { $0["Name"] }
        // End of example
        #expect(names == [.string("Milk")])
    }

    @Test func `the example of ODataEntry`() throws {
        // Example: Sources/OData/Payloads/ODataEntry.swift
        var entry = ODataEntry()
        entry.type = "Shop.Item"
        entry.append(ODataEntry.Property("Name", .string("Milk")))
        let names = entry.properties.map(\.name)
        let value = entry["Name"]
        // End of example
        #expect(names == ["Name"] && value == .string("Milk"))
    }

    @Test func `the example of ContentType`() throws {
        // Example: Sources/OData/Payloads/ContentType.swift
        let type = ContentType("application/json; odata.metadata=minimal")
        let level = type["odata.metadata"]
        // End of example
        #expect(type.isJSON && level == "minimal")
    }

    @Test func `the example of PayloadVersion`() throws {
        let body = Array(#"{"d": {"results": []}}"#.utf8)
        // Example: Sources/OData/Payloads/PayloadVersion.swift
        let version = PayloadVersion.guess(Array(body.prefix(512)))
        // End of example
        #expect(version == .v2)
    }

    @Test func `the example of filteredEntry`() throws {
        var entry = ODataEntry()
        entry.append(ODataEntry.Property("Price", .int32(5)))
        // Example: Sources/OData/Payloads/ODataEntry+Evaluation.swift
        let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: "Price gt 3 and not Parts/any()"))
        let isWanted = try evaluator.matches(entry) == true
        // End of example
        #expect(isWanted)
    }

    @Test func `the example of entryValues`() throws {
        var entry = ODataEntry()
        entry.append(ODataEntry.Property("Name", .string("Milk")))
        entry.append(ODataEntry.Property("Price", .double(2.5)))
        // Example: Sources/OData/Payloads/ODataEntry+Values.swift
        let name: String? = try entry.value("Name")
        let price = try entry.value("Price", as: EdmDecimal.self)
        // End of example
        #expect(name == "Milk" && price == EdmDecimal("2.5"))
    }

    @Test func `the example of decodedEntry`() throws {
        var entry = ODataEntry()
        entry.append(ODataEntry.Property("Name", .string("Milk")))
        // Example: Sources/OData/Payloads/ODataEntry+Decodable.swift
        struct Item: Decodable {
            var Name: String
            var Price: Double?
        }
        let item = try entry.decode(Item.self)
        // End of example
        #expect(item.Name == "Milk" && item.Price == nil)
    }

    @Test func `the example of EdmModel`() throws {
        let metadata = Array(
            """
            <edmx:Edmx Version='4.0' xmlns:edmx='http://docs.oasis-open.org/odata/ns/edmx'><edmx:DataServices>\
            <Schema Namespace='Shop' xmlns='http://docs.oasis-open.org/odata/ns/edm'><EntityType Name='Item'>\
            <Key><PropertyRef Name='ID'/></Key><Property Name='ID' Type='Edm.Int32' Nullable='false'/>\
            <Property Name='Price' Type='Edm.Decimal'/></EntityType><EntityContainer Name='C'>\
            <EntitySet Name='Items' EntityType='Shop.Item'/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """.utf8)
        // Example: Sources/OData/Model/EdmModel.swift
        let model = try EdmModel(csdl: metadata)
        let key = model.key(of: "Shop.Item").map(\.path)
        let price = model.property("Price", of: "Shop.Item")?.type.primitiveType
        try ODataURL(parsing: "Items?$filter=Price gt 3").check(against: model)
        // End of example
        #expect(key == ["ID"] && price == .decimal)
    }

    @Test func `the example of ODataChangeRequest`() throws {
        // Example: Sources/OData/Changes/ODataChangeRequest.swift
        let change = ODataChangeRequest(
            .update, entitySet: "Items", key: 7, properties: JSONObject([("Name", "Milk"), ("Price", 3)]),
            original: JSONObject([("Name", "Milk"), ("Price", 2)]), serviceRoot: "https://host/shop.svc")
        let request = (change.method, try change.url(), try change.body())
        // End of example
        #expect(request == ("PATCH", "https://host/shop.svc/Items(7)", #"{"Price":3}"#))
    }
}
