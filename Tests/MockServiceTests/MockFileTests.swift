import JSONText
import MockService
import ServiceTransport
import Testing

@Suite struct MockFileTests {
    @Test func `a data file sets clock, options, types and records`() throws {
        let service = try MockFile.service(
            Array(
                """
                {"clock": {"now": "2026-01-01T01:00:00+01:00", "step": 500},
                 "options": {"pageSize": 3, "sendsDate": false},
                 "objects": {"Note__c": {"prefix": "a00", "nameFields": ["Title"], "fields": [
                   {"name": "Title", "label": "Note Title", "length": 5, "required": true},
                   {"name": "Done", "kind": "boolean"},
                   {"name": "About", "kind": "reference", "target": "Account", "plural": "Notes"}]}},
                 "records": {"Account": [{"Id": "001A", "Name": "Acme", "LastModifiedDate": "2020-01-01T00:00:00Z"}],
                             "Note__c": [{"Title": "One", "Done": true, "About": "001A"}]}}
                """.utf8))
        #expect(service.clock == MockClock(now: 1_767_225_600_000, step: 500))
        #expect(service.options.pageSize == 3 && !service.options.sendsDate)
        #expect(service.record("Account", "001A")?["LastModifiedDate"] == "2020-01-01T00:00:00.000+0000")
        #expect(service.record("Note__c", "a00000000000000001")?["Done"] == true)
        let query = "select Id, (select Title from Notes where Done = true) from Account"
        let request = ServiceRequest(method: "GET", path: "/services/data/v66.0/query", query: [Pair("q", query)])
        let reply = MockReply(service.handle(request))
        #expect(reply.records[0]["Notes"]?["records"]?[0]["Title"] == "One")
        let empty = try MockFile.service(Array("{}".utf8))
        #expect(empty.records(of: "Account").isEmpty)
    }

    @Test(
        arguments: [
            ("{}", 7_000), ("{\"clock\": {\"now\": \"1970-01-01T00:00:05Z\"}}", 5_000),
        ] as [(String, Int64)])
    func `records of a file without a clock have the time that is given`(clock: String, time: Int64) throws {
        let records = "\"records\": {\"Account\": [{\"Id\": \"001A\", \"Name\": \"Acme\"}]}}"
        let file = clock.dropLast() + (clock == "{}" ? "" : ", ") + records
        let service = try MockFile.service(Array(file.utf8), clock: MockClock(now: 7_000))
        #expect(service.clock == MockClock(now: time))
        let date = service.record("Account", "001A")?["LastModifiedDate"]?.string
        #expect(date == "1970-01-01T00:00:0\(time / 1_000).000+0000")
    }

    @Test(arguments: [
        ("", "invalidJSON"), ("{", "invalidJSON"), ("[]", "the data file must be an object"),
        ("{\"record\": {}}", "the data file has an unknown member 'record'"),
        ("{\"clock\": {\"now\": \"soon\"}}", "the data file.clock.now must be a date"),
        ("{\"clock\": {\"step\": 1.5}}", "the data file.clock.step must be a whole number"),
        ("{\"options\": {\"pageSize\": \"3\"}}", "the data file.options.pageSize must be a whole number"),
        ("{\"records\": {\"Account\": {}}}", "records.Account must be an array of objects"),
        ("{\"records\": {\"Account\": [5]}}", "records.Account[0] must be an object"),
        ("{\"records\": {\"Account\": [{}]}}", "records.Account[0] cannot be created: REQUIRED_FIELD_MISSING"),
        (
            "{\"records\": {\"Account\": [{\"Name\": \"x\", \"Fone\": \"5\"}]}}",
            "records.Account[0] cannot be created: INVALID_FIELD (No such column 'Fone'"
        ),
        ("{\"records\": {\"Nothing\": [{}]}}", "records.Nothing[0] cannot be created: INVALID_TYPE"),
        (
            "{\"records\": {\"Account\": [{\"Id\": \"1\", \"Name\": \"x\"}, {\"Id\": \"1\", \"Name\": \"y\"}]}}",
            "DUPLICATE_VALUE"
        ),
        ("{\"objects\": {\"X\": {\"prefix\": \"toolong\"}}}", "objects.X.prefix must be a text of three characters"),
        (
            "{\"objects\": {\"X\": {\"prefix\": \"a00\", \"fields\": [{\"name\": \"A\", \"kind\": \"blob\"}]}}}",
            "kind must be one of text, number"
        ),
    ])
    func `a malformed data file is a fault that says where`(text: String, expected: String) {
        let fault = #expect(throws: Fault.self) { try MockFile.service(Array(text.utf8)) }
        #expect(fault?.description.contains(expected) == true, "\(fault?.description ?? "")")
    }

    @Test func `a file of rules has every fault`() throws {
        let rules = try MockFile.rules(
            Array(
                """
                [{"fault": "status", "status": 503, "call": "create", "nth": 2, "times": "always"},
                 {"fault": "status", "status": 403, "code": "NO", "method": "GET", "path": "/query"},
                 {"fault": "status", "status": 500, "html": true, "afterApplying": true},
                 {"fault": "expiredCursors"}, {"fault": "notJSON"}, {"fault": "cutJSON"}, {"fault": "otherShape"},
                 {"fault": "html"}, {"fault": "shortBody"}, {"fault": "dropBefore"}, {"fault": "dropAfter"},
                 {"fault": "timeOut", "afterApplying": true}, {"fault": "delay", "milliseconds": 5},
                 {"fault": "totalSize", "value": null}, {"fault": "totalSize"},
                 {"fault": "change", "type": "Account", "id": "1", "fields": {"Name": "x"}, "after": true},
                 {"fault": "change", "type": "Account", "id": "1"}, {"fault": "clock", "milliseconds": -5},
                 {"fault": "refuse", "positions": [0, -1], "ids": ["1"], "operation": "update", "status": 404, "code": "C", "message": "m"},
                 {"fault": "oneShort"}, {"fault": "oneMore"}, {"fault": "reversed"}, {"fault": "nullAmong"},
                 {"fault": "withoutId"}, {"fault": "spoil", "position": -1, "field": "Id", "value": 5},
                 {"fault": "signal", "name": "kill", "after": true, "object": "Account", "record": "001A"}]
                """.utf8))
        #expect(rules[0] == FaultRule(.status(503, .empty, afterApplying: false), call: .create, nth: 2, times: nil))
        #expect(rules[1] == FaultRule(.status(403, .code("NO"), afterApplying: false), method: "GET", path: "/query"))
        #expect(
            rules.dropFirst(2).map(\.fault) == [
                .status(500, .html, afterApplying: true), .expiredCursors, .broken(.notJSON), .broken(.cutJSON),
                .broken(.otherShape), .broken(.html), .broken(.shortBody), .dropBefore, .dropAfter,
                .timeOut(afterApplying: true), .delay(5), .totalSize(.null), .totalSize(nil),
                .change(type: "Account", id: "1", fields: ["Name": "x"], after: true),
                .change(type: "Account", id: "1", fields: nil, after: false), .clock(by: -5),
                .refuse(
                    RecordRefusal(
                        positions: [0, -1], ids: ["1"], operation: .update, status: 404, code: "C", message: "m")),
                .rows(.oneShort), .rows(.oneMore), .rows(.reversed), .rows(.nullAmong), .withoutId,
                .spoil(record: -1, field: "Id", value: 5), .signal("kill", after: true),
            ])
        #expect(rules.last?.object == "Account" && rules.last?.record == "001A")
    }

    @Test(arguments: [
        ("{}", "the file of rules must be an array of objects"), ("[5]", "rule 1 must be an object"),
        ("[{}]", "rule 1.fault must be a text"),
        ("[{\"fault\": \"explode\"}]", "rule 1.fault must be one of change, clock"),
        ("[{\"fault\": \"dropAfter\", \"nht\": 2}]", "rule 1 has an unknown member 'nht'"),
        ("[{\"fault\": \"dropAfter\", \"call\": \"remove\"}]", "rule 1.call must be one of query"),
        ("[{\"fault\": \"dropAfter\"}, {\"fault\": \"delay\"}]", "rule 2.milliseconds must be a whole number"),
        ("[{\"fault\": \"refuse\", \"positions\": [\"first\"]}]", "rule 1.positions must be an array of whole numbers"),
        ("[{\"fault\": \"dropAfter\", \"times\": \"often\"}]", "rule 1.times must be a whole number"),
    ])
    func `a malformed file of rules is a fault that says where`(text: String, expected: String) {
        let fault = #expect(throws: Fault.self) { try MockFile.rules(Array(text.utf8)) }
        #expect(fault?.message.contains(expected) == true, "\(fault?.description ?? "")")
    }
}
