import JSONText
import MockService
import ServiceTransport
import Soups
import Synchronization
import Testing

/// The failures F14 to F25, each of which fires, and which requests a rule strikes.
@Suite struct MockRecordFaultTests {
    private let mock = MockFixture()
    private let create = ServiceRequest(
        method: "POST", path: MockFixture.base + "/sobjects/Account", body: Array("{\"Name\":\"Acme\"}".utf8))

    private var accounts: [JSONObject] { mock.service.records(of: "Account") }

    private func createReply() -> MockReply { MockReply(mock.service.handle(create)) }

    private func fill(_ count: Int) throws -> [String] {
        try (0..<count).map { try mock.service.create("Account", ["Name": .string("n\($0)")]) }
    }

    private func records(_ count: Int) -> [JSONValue] {
        (0..<count).map { ["attributes": ["type": "Account"], "Name": .string("n\($0)")] }
    }

    // MARK: - Records

    @Test func `F14 a record changes between the date check and the update`() throws {
        let id = try fill(1)[0]
        mock.service.clock.step = 1_000
        mock.service.add(
            FaultRule(
                .change(type: "Account", id: id, fields: ["Industry": "server"], after: true), call: .collectionRetrieve
            ))
        let body: JSONValue = ["ids": [.string(id)], "fields": ["LastModifiedDate"]]
        let checked = mock.call("POST", "/composite/sobjects/Account", body: body)
        #expect(checked.items[0]["LastModifiedDate"] == "2020-09-01T12:00:00.000+0000", "as it was before the change")
        #expect(mock.service.record("Account", id)?["Industry"] == "server")
        mock.service.add(FaultRule(.change(type: "Account", id: id, fields: nil, after: false), call: .update))
        #expect(mock.call("PATCH", "/sobjects/Account/\(id)", body: ["Name": "x"]).code == "ENTITY_IS_DELETED")
    }

    @Test(arguments: [([0], [0]), ([1], [1]), ([-1], [2]), (nil, [0, 1, 2])] as [([Int]?, [Int])])
    func `F15 the first, a middle, the last or all records of a batch are refused`(positions: [Int]?, refused: [Int]) {
        mock.service.add(
            FaultRule(.refuse(RecordRefusal(positions: positions, code: "LOCKED", message: "m")), times: 2))
        let items = mock.collection("POST", records(3)).items
        #expect(items.indices.filter { items[$0].itemCode == "LOCKED" } == refused)
        let parts = (0..<3).map { index -> JSONValue in
            [
                "method": "POST", "url": .string(MockFixture.base + "/sobjects/Account"),
                "referenceId": .string("r\(index)"), "body": ["Name": "x"],
            ]
        }
        let composite = mock.call("POST", "/composite", body: ["compositeRequest": .array(parts)]).parts
        #expect(composite.indices.filter { composite[$0].partCode == "LOCKED" } == refused)
        #expect(accounts.count == 2 * (3 - refused.count))
    }

    @Test func `F16 answers are short, long, out of order, or have null among them`() {
        func ids(_ rows: MockFault.Rows?) -> [String?] {
            if let rows {
                mock.service.add(FaultRule(.rows(rows)))
            }
            return mock.collection("POST", records(3)).items.map { $0["id"]?.string.map { String($0.suffix(2)) } }
        }
        #expect(ids(nil) == ["01", "02", "03"])
        #expect(ids(.oneShort) == ["04", "05"])
        #expect(ids(.oneMore) == ["07", "08", "09", "09"])
        #expect(ids(.reversed) == ["12", "11", "10"])
        #expect(ids(.nullAmong) == [nil, "14", "15"])
        #expect(accounts.count == 15)
    }

    @Test func `F17 one record is deleted, another one was never given`() throws {
        let ids = try fill(2)
        mock.service.add(FaultRule(.refuse(RecordRefusal(ids: [ids[0]], code: "ENTITY_IS_DELETED"))))
        mock.service.add(FaultRule(.refuse(RecordRefusal(ids: [ids[1]], code: "INVALID_CROSS_REFERENCE_KEY"))))
        let records = ids.map { id -> JSONValue in ["attributes": ["type": "Account"], "Id": .string(id), "Name": "x"] }
        let codes = mock.collection("PATCH", records).items.map(\.itemCode)
        #expect(codes == ["ENTITY_IS_DELETED", "INVALID_CROSS_REFERENCE_KEY"])
    }

    @Test func `F18 an update finds nothing for ever, also after the record is created again`() throws {
        let gone = RecordRefusal(operation: .update, status: 404, code: "ENTITY_IS_DELETED")
        mock.service.add(FaultRule(.refuse(gone), times: nil))
        for _ in 0..<2 {
            let id = try #require(createReply().json["id"]?.string)
            #expect(mock.call("PATCH", "/sobjects/Account/\(id)", body: ["Name": "x"]).status == 404)
            let part: JSONValue = [
                "method": "PATCH", "url": .string(MockFixture.base + "/sobjects/Account/\(id)"), "referenceId": "r",
                "body": ["Name": "x"],
            ]
            #expect(mock.composite(part).parts[0].partStatus == 404)
        }
    }

    @Test func `F19 what was created is answered without its id`() {
        mock.service.add(FaultRule(.withoutId, times: 3))
        #expect(createReply().json == ["success": true, "errors": []])
        #expect(mock.collection("POST", records(1)).items[0]["id"] == nil)
        let part: JSONValue = [
            "method": "POST", "url": .string(create.path), "referenceId": "r", "body": ["Name": "x"],
        ]
        #expect(mock.composite(part).parts[0]["body"] == ["success": true, "errors": []])
        #expect(accounts.count == 3)
    }

    @Test(
        arguments: [
            ("Id", nil), ("LastModifiedDate", nil), ("LastModifiedDate", "yesterday"), ("LastModifiedDate", .null),
            ("LastModifiedDate", "2020-09-01T14:00:00+02:00"),
        ] as [(String, JSONValue?)])
    func `F20 a record has no id, or an odd date`(field: String, value: JSONValue?) throws {
        _ = try fill(2)
        mock.service.add(FaultRule(.spoil(record: -1, field: field, value: value)))
        let records = mock.query("select Id, LastModifiedDate from Account").records
        #expect(records[0][field] != value && records[1][field] == value)
    }

    @Test func `F20 the clock goes backwards`() throws {
        let id = try fill(1)[0]
        mock.service.add(FaultRule(.clock(by: -3_600_000), call: .update))
        #expect(mock.call("PATCH", "/sobjects/Account/\(id)", body: ["Name": "x"]).status == 204)
        let record = mock.service.record("Account", id)
        #expect(record?["LastModifiedDate"] == "2020-09-01T11:00:00.000+0000")
    }

    // MARK: - What happens to the client

    @Test(arguments: ["stop", "kill", "break the store"])
    func `F21 F22 F23 a function is called at exactly the request of the rule`(signal: String) throws {
        let calls = Mutex<[String]>([])
        let service = mock.service
        service.onSignal { name in
            let count = service.records(of: "Account").count
            calls.withLock { $0.append("\(name) at \(count)") }
        }
        service.add(FaultRule(.signal(signal, after: false), call: .create, nth: 2))
        service.add(FaultRule(.signal(signal, after: true), call: .create, nth: 3))
        for _ in 0..<4 {
            #expect(createReply().status == 201)
        }
        #expect(calls.withLock { $0 } == ["\(signal) at 1", "\(signal) at 3"])
    }

    @Test(arguments: ["it's", "100%", "back\\slash", "a+b", "ünï 日本 👩‍👩‍👧", "a/b?c#d&e=f", "' or Name != '"])
    func `F24 odd texts in ids, names and filters are found when they are escaped once`(_ text: String) throws {
        let path = "/sobjects/Account/ExternalId__c/" + PercentEncoding.encoded(text)
        #expect(mock.call("PATCH", path, body: ["Name": .string(text)]).status == 201)
        _ = try fill(1)
        let literal = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        let found = mock.query("select Name from Account where Name = '\(literal)' and ExternalId__c = '\(literal)'")
        #expect(found.column("Name") == [.string(text)])
        #expect(mock.call("GET", path).json["ExternalId__c"] == .string(text))
    }

    @Test(arguments: [(0, 1), (1, 1), (2_000, 1), (2_001, 2)])
    func `F25 sizes at the limits of pages`(count: Int, pages: Int) throws {
        _ = try fill(count)
        var reply = mock.query("select Id from Account")
        var seen = reply.records.count
        var asked = 1
        while let link = reply.json["nextRecordsUrl"]?.string {
            reply = mock.follow(link)
            seen += reply.records.count
            asked += 1
        }
        #expect(seen == count && asked == pages)
    }

    @Test func `F25 names of 255 characters are taken, of 256 refused`() {
        let names = [255, 256].map { String(repeating: "ü", count: $0) }
        let statuses = names.map { mock.call("POST", "/sobjects/Account", body: ["Name": .string($0)]).status }
        #expect(statuses == [201, 400])
    }

    // MARK: - Rules

    @Test func `rules choose by call, method, path, type, record and number`() throws {
        let ids = try fill(2)
        let status = MockFault.status(418, .empty, afterApplying: false)
        func strikes(_ rule: FaultRule, _ method: String, _ path: String, _ body: JSONValue? = nil) -> Bool {
            mock.service.removeRules()
            mock.service.add(rule)
            return mock.call(method, path, body: body).status == 418
        }
        let path = "/sobjects/Account/\(ids[0])"
        #expect(strikes(FaultRule(status, call: .retrieve), "GET", path))
        #expect(!strikes(FaultRule(status, call: .retrieve), "GET", "/sobjects/Account"))
        #expect(!strikes(FaultRule(status, method: "PATCH"), "GET", path))
        #expect(strikes(FaultRule(status, path: "/sobjects/"), "GET", path))
        #expect(strikes(FaultRule(status, object: "Account"), "GET", path))
        #expect(!strikes(FaultRule(status, object: "Acc"), "GET", path))
        #expect(strikes(FaultRule(status, record: ids[0]), "GET", path))
        #expect(!strikes(FaultRule(status, record: ids[1]), "GET", path))
        let body: JSONValue = ["ids": [.string(ids[1])], "fields": ["Id"]]
        #expect(strikes(FaultRule(status, record: ids[1]), "POST", "/composite/sobjects/Account", body))
        #expect(!strikes(FaultRule(status, nth: 2), "GET", path))
        #expect(mock.call("GET", path).status == 418 && mock.call("GET", path).status == 200)
        #expect(strikes(FaultRule(status, nth: 0), "GET", path))
        #expect(!strikes(FaultRule(status, times: 0), "GET", path))
    }

    @Test func `the log has every request, what was answered, and which faults struck`() {
        mock.service.add(FaultRule(.dropAfter, nth: 2))
        _ = createReply()
        _ = createReply()
        _ = mock.call("GET", "/nothing")
        let log = mock.service.log
        #expect(log.map(\.number) == [1, 2, 3] && log.map(\.call) == [.create, .create, nil])
        #expect(log.map(\.answer.response.status) == [201, 201, 404])
        #expect(log.map(\.answer.faults) == [[], ["dropAfter"], []])
        #expect(log[0].request == create)
        mock.service.clearLog()
        mock.service.options.logLimit = .max
        _ = createReply()
        #expect(mock.service.log.count == 1)
        mock.service.clearLog()
        mock.service.options.logLimit = 2
        for _ in 0..<10 {
            _ = createReply()
        }
        #expect((2..<4).contains(mock.service.log.count) && mock.service.log.last?.number == 14)
    }
}
