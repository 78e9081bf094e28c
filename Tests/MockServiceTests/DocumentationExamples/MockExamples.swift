import JSONText
import MockService
import TestSupport
import Testing

/// The examples in the documentation of the types.
@Suite struct MockExamples {
    @Test func `the example of MockService`() async throws {
        // Example: Sources/MockService/MockService.swift
        let service = MockService()
        let id = try service.create("Account", ["Name": "Acme"])
        let request = ServiceRequest(
            method: "GET", path: "/services/data/v66.0/query", query: [Pair("q", "select Id, Name from Account")])
        let response = try await service.transport.send(request)
        let total = try JSONValue(parsing: response.body)["totalSize"]?.int64
        // End of example
        #expect(total == 1 && id == "001000000000000001")
    }

    @Test func `the example of FaultRule`() {
        // Example: Sources/MockService/Faults/FaultRule.swift
        let service = MockService()
        service.add(FaultRule(.dropAfter, call: .create, nth: 2))
        service.add(FaultRule(.status(503, .empty, afterApplying: false), path: "/composite", times: nil))
        // End of example
        let request = ServiceRequest(method: "POST", path: "/services/data/v66.0/composite")
        #expect(service.handle(request).response.status == 503)
    }

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/MockService")
        let compiled = try CodeExample.compiled(below: "Tests/MockServiceTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
