import LoopbackHTTP
import TestSupport
import Testing

/// The examples in the documentation of the types.
@Suite struct LoopbackExamples {
    @Test func `the example of LoopbackServer`() async throws {
        // Example: Sources/LoopbackHTTP/LoopbackServer.swift
        let server = try LoopbackServer { request in
            LoopbackAnswer(ServiceResponse(status: 200, body: Array(request.path.utf8)))
        }
        let transport = LoopbackTransport(port: server.port)
        let response = try await transport.send(ServiceRequest(method: "GET", path: "/hello"))
        // End of example
        #expect(response.body == Array("/hello".utf8))
    }

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/LoopbackHTTP")
        let compiled = try CodeExample.compiled(below: "Tests/LoopbackHTTPTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
