import ServiceTransport
import TestSupport
import Testing

/// The examples in the documentation of the types.
@Suite struct TransportExamples {
    private struct Session: Sendable {
        func refresh() async throws {}
    }

    @Test func `the example of ServiceRequest`() {
        // Example: Sources/ServiceTransport/ServiceRequest.swift
        var request = ServiceRequest(method: "GET", path: "/services/data/v66.0/query")
        request.query = [Pair("q", "select Id from Account where Name = 'A+B'")]
        let target = request.target
        // /services/data/v66.0/query?q=select%20Id%20from%20Account%20where%20Name%20%3D%20%27A%2BB%27
        // End of example
        #expect(
            target
                == "/services/data/v66.0/query?q=select%20Id%20from%20Account%20where%20Name%20%3D%20%27A%2BB%27")
    }

    @Test func `the example of RefreshingTransport`() async throws {
        let network = ScriptedTransport(accepting: [0])
        let session = Session()
        // Example: Sources/ServiceTransport/RefreshingTransport.swift
        let transport = RefreshingTransport(network) { try await session.refresh() }
        let response = try await transport.send(ServiceRequest(method: "GET", path: "/services/data"))
        // End of example
        #expect(response.status == 200)
    }

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/ServiceTransport")
        let compiled = try CodeExample.compiled(below: "Tests/ServiceTransportTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
