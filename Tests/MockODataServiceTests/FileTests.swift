import MockODataService
import Testing

/// The files of `soup mock odata`.
@Suite struct FileTests {
    private let metadata = Array(ShopMetadata.v4.utf8)

    @Test func `a data file fills a service`() throws {
        let text = """
            {"options": {"version": "4.01", "root": "/svc/", "etags": "strong", "pageSize": 1, "takesKeys": true},
             "now": "2026-01-01T00:00:00Z", "entities": {"Products": [{"ID": 1, "Name": "Milk"}, {"ID": 2, "Name": "Tea"}]}}
            """
        let service = try MockODataFile.service(metadata: metadata, data: Array(text.utf8))
        #expect(service.options.version == .v401 && service.options.etags == .strong && service.options.pageSize == 1)
        #expect(service.entities(of: "Products").map { $0["Name"] } == ["Milk", "Tea"])
        let answer = service.handle(ServiceRequest(method: "GET", path: "/svc/Products(2)"))
        #expect(answer.response.header("ETag") == "\"1\"")
        #expect(answer.response.header("Date") == "Thu, 01 Jan 2026 00:00:00 GMT")
    }

    @Test(arguments: [
        ("{\"entities\": {\"Products\": {}}}", "entities.Products must be an array of objects"),
        ("{\"entities\": {\"Products\": [5]}}", "entities.Products[0] must be an object"),
        ("{\"entities\": {\"Nothing\": [{}]}}", "there is no such set"), ("{\"more\": 1}", "unknown member 'more'"),
        ("{\"options\": {\"etags\": \"odd\"}}", "the data file.options.etags must be one of none, weak, strong"),
        ("{\"now\": \"today\"}", "now must be a date"), ("[]", "the data file must be an object"),
    ]) func `a data file that cannot be used says what is wrong`(text: String, message: String) {
        #expect {
            try MockODataFile.service(metadata: metadata, data: Array(text.utf8))
        } throws: { error in
            (error as? Fault)?.message.contains(message) == true
        }
    }

    @Test func `rules name every fault`() throws {
        let text = """
            [{"fault": "status", "status": 503, "retryAfter": 1, "body": "html", "call": "nextPage", "times": "always"},
             {"fault": "status", "status": 412, "call": "batch", "part": 2}, {"fault": "dropBefore", "nth": 2},
             {"fault": "dropAfter", "set": "Products", "method": "POST"}, {"fault": "cut", "byte": 3}, {"fault": "shortened"},
             {"fault": "delay", "milliseconds": 5}, {"fault": "signal", "name": "kill", "after": true},
             {"fault": "change", "entitySet": "Products", "key": "1", "properties": {"Name": "x"}},
             {"fault": "change", "entitySet": "Products", "key": "1"}, {"fault": "bothLinks"}, {"fault": "gzip", "path": "$top"}]
            """
        let rules = try MockODataFile.rules(Array(text.utf8))
        #expect(rules[0] == ODataFaultRule(.status(503, .html, retryAfter: 1), call: .nextPage, times: nil))
        #expect(rules[1].part == 2 && rules[2].nth == 2 && rules[3].set == "Products" && rules[3].method == "POST")
        #expect(rules[4].fault == .cut(atByte: 3) && rules[5].fault == .shortened(toByte: nil))
        #expect(rules[6].fault == .delay(5) && rules[7].fault == .signal("kill", after: true))
        #expect(rules[8].fault == .change(set: "Products", key: "1", properties: ["Name": "x"], after: false))
        #expect(rules[9].fault == .change(set: "Products", key: "1", properties: nil, after: false))
        #expect(rules[10].fault == .spoiled(.bothLinks) && rules[11].fault == .coded(.gzip) && rules[11].path == "$top")
        let names = MockODataFault.Spoiling.allCases.map(\.rawValue) + MockODataFault.Coding.allCases.map(\.rawValue)
        for name in names {
            #expect(try MockODataFile.rules(Array("[{\"fault\": \"\(name)\"}]".utf8)).count == 1)
        }
    }

    @Test(arguments: [
        ("[{\"fault\": \"explode\"}]", "rule 1.fault must be one of change, cut"),
        ("{}", "must be an array of objects"),
        ("[{\"fault\": \"delay\"}]", "rule 1.milliseconds must be a whole number"),
        ("[{\"fault\": \"cut\", \"odd\": 1}]", "unknown member 'odd'"),
    ]) func `rules that cannot be used say what is wrong`(text: String, message: String) {
        #expect {
            try MockODataFile.rules(Array(text.utf8))
        } throws: { error in
            (error as? Fault)?.message.contains(message) == true
        }
    }

    @Test func `metadata that cannot be used are refused`() {
        #expect(throws: Fault.self) { try MockODataService(metadata: Array("<a".utf8)) }
        #expect(throws: Fault.self) { try MockODataService(metadata: Array("<a/>".utf8)) }
    }
}
