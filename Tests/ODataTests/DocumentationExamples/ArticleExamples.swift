import OData
import Testing

/// The code of the articles about payloads, expressions and limits.
@Suite struct ArticleExamples {
    @Test func `reading payloads`() throws {
        let body = Array(#"{"value": [{"Name": "Milk"}], "@odata.nextLink": "http://host/Items?$skip=1"}"#.utf8)
        let metadata = Array(
            """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>\
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="Shop"><EntityType Name="Item"><Key>\
            <PropertyRef Name="Name"/></Key><Property Name="Name" Type="Edm.String" Nullable="false"/></EntityType></Schema>\
            </edmx:DataServices></edmx:Edmx>
            """.utf8)
        var names: [ODataValue] = []
        var next: String?
        // Example: Sources/OData/OData.docc/ReadingPayloads.md
        let options = PayloadOptions(version: .v4, contentType: ContentType("application/json"))
        if case .feed(let feed) = try ODataPayload(reading: body, options: options) {
            names = feed.entries.compactMap { $0["Name"] }
            next = feed.nextLink?.resolved
        }
        // End of example
        #expect(names == [.string("Milk")] && next == "http://host/Items?$skip=1")
        // Example: Sources/OData/OData.docc/ReadingPayloads.md
        let model = try EdmModel(csdl: metadata)
        var typed = PayloadOptions(version: .v4, contentType: ContentType("application/json"))
        typed.model = model
        typed.entityType = "Shop.Item"
        let payload = try ODataPayload(reading: body, options: typed)
        // End of example
        guard case .feed(let feed) = payload else {
            Issue.record("not a feed")
            return
        }
        #expect(feed.entries.count == 1)
    }

    @Test func `expressions`() throws {
        // Example: Sources/OData/OData.docc/WorkingWithExpressions.md
        let filter = try ODataExpression(parsing: "Price lt 3 and contains(Name,'milk')", version: .v4)
        let evaluator = try ODataEvaluator(filter: filter)
        let isFound = try evaluator.matches(["Name": "buttermilk", "Price": 2.5] as JSONValue)
        // End of example
        #expect(isFound == true)
        // Example: Sources/OData/OData.docc/WorkingWithExpressions.md
        let text = try ODataFilterBuilder.field("Name").equals("O'Neil").text()
        // End of example
        #expect(text == "Name eq 'O''Neil'")
    }

    @Test func `limits`() throws {
        let text = "Price lt 3"
        // Example: Sources/OData/OData.docc/LimitsOfInputs.md
        var limits = Limits()
        limits.length = 2_000
        limits.steps = 100_000
        let filter = try ODataExpression(parsing: text, limits: limits)
        // End of example
        #expect(filter.canonicalText == text)
        let long = String(repeating: "a", count: 2_001)
        #expect(throws: Fault.self) { try ODataExpression(parsing: long, limits: limits) }
    }
}
