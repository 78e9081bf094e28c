import MockODataService
import TestSupport
import Testing

/// The examples in the documentation of the mock service.
@Suite struct MockODataExamples {
    private let metadata = Array(ShopMetadata.v4.utf8)

    @Test func `the example of MockODataService`() async throws {
        // Example: Sources/MockODataService/MockODataService.swift
        let service = try MockODataService(metadata: metadata)
        try service.set("Products", "(7)", ["Name": "Milk", "Price": 2.5])
        let request = ServiceRequest(method: "GET", path: "/odata/Products", query: [Pair("$filter", "Price gt 2")])
        let response = try await service.transport.send(request)
        // End of example
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(response.status == 200 && text.contains("\"Milk\""))
    }

    @Test func `the example of ODataFaultRule`() async throws {
        let service = try MockODataService(metadata: metadata)
        // Example: Sources/MockODataService/Faults/ODataFaultRule.swift
        service.add(ODataFaultRule(.dropAfter, call: .create, nth: 2))
        service.add(ODataFaultRule(.status(410, .error), call: .delta, set: "Products", times: nil))
        // End of example
        let request = ServiceRequest(method: "GET", path: "/odata/Products", encodedQuery: "$deltatoken=0")
        #expect(try await service.transport.send(request).status == 410)
        #expect(try await service.transport.send(request).status == 410)
    }

    @Test func `every example of the documentation is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/MockODataService")
        let compiled = try CodeExample.compiled(below: "Tests/MockODataServiceTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
