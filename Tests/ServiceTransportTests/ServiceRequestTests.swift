import ServiceTransport
import Soups
import Testing

@Suite struct ServiceRequestTests {
    @Test(
        arguments: [
            ([], nil, "/a"),
            ([Pair("q", "select Id")], nil, "/a?q=select%20Id"),
            (
                [Pair("d", "2020-09-01T10:00:00.000+0000"), Pair("x y", "é/?#&='\"")], nil,
                "/a?d=2020-09-01T10%3A00%3A00.000%2B0000&x%20y=%C3%A9%2F%3F%23%26%3D%27%22"
            ),
            ([Pair("a-._~Z9", "")], nil, "/a?a-._~Z9="),
            ([Pair("q", "left out")], "$skiptoken=a%20b+c", "/a?$skiptoken=a%20b+c"),
            ([], "", "/a?"),
        ] as [([Pair], String?, String)])
    func `queries are encoded unless they are`(query: [Pair], encodedQuery: String?, target: String) {
        let request = ServiceRequest(method: "GET", path: "/a", query: query, encodedQuery: encodedQuery)
        #expect(request.target == target)
    }

    @Test(arguments: [
        ("001A", "001A"), ("../../x", "..%2F..%2Fx"), ("a%2Fb", "a%252Fb"), ("a' OR 'x", "a%27%20OR%20%27x"),
        ("\u{0}\n\u{7f}", "%00%0A%7F"), ("名", "%E5%90%8D"), ("", ""),
    ])
    func `segments of paths are encoded`(text: String, encoded: String) {
        #expect(PercentEncoding.encoded(text) == encoded)
    }

    @Test func `only what is safe may be repeated unless the caller says otherwise`() {
        let methods = ["GET", "HEAD", "PUT", "PATCH", "MERGE", "DELETE", "POST", "OTHER", "get"]
        let repetitions = methods.map { ServiceRequest(method: $0, path: "/").repetition }
        #expect(
            repetitions == [
                .safe, .safe, .idempotent, .idempotent, .idempotent, .idempotent, .unsafe, .unsafe, .unsafe,
            ])
        #expect(ServiceRequest(method: "POST", path: "/", repetition: .safe).repetition == .safe)
    }

    @Test func `answers may be as long as the limit`() throws {
        let request = ServiceRequest(method: "GET", path: "/a", query: [Pair("q", "secret")], answerLimit: 10)
        try request.check(answerLength: 10)
        let fault = #expect(throws: Fault.self) { try request.check(answerLength: 11) }
        #expect(fault?.code == .limitExceeded && fault?.message.contains("secret") == false)
        #expect(ServiceRequest(method: "GET", path: "/a").answerLimit == 64 * 1_024 * 1_024)
    }

    @Test func `headers are found in any case`() {
        let response = ServiceResponse(status: 200, headers: [Pair("content-TYPE", "a"), Pair("Content-Type", "b")])
        #expect(response.header("Content-Type") == "a" && response.header("Date") == nil)
    }
}
