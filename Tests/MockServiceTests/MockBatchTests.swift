import JSONText
import MockService
import ServiceTransport
import Testing

/// Composite calls and collections.
@Suite struct MockBatchTests {
    private let mock = MockFixture()

    private func part(_ method: String, _ path: String, _ reference: String, _ body: JSONValue? = nil) -> JSONValue {
        var part: JSONObject = [
            "method": .string(method), "url": .string(MockFixture.base + path), "referenceId": .string(reference),
        ]
        part["body"] = body
        return .object(part)
    }

    private func record(_ type: String, _ fields: JSONObject) -> JSONValue {
        .object(JSONObject([("attributes", ["type": .string(type)])] + fields.members.map { ($0.name, $0.value) }))
    }

    // MARK: - Composite

    @Test func `a composite call answers in order and replaces references`() throws {
        let reply = mock.composite(
            part("POST", "/sobjects/Account", "r1", ["Name": "Acme"]),
            part("POST", "/sobjects/Contact", "r2", ["LastName": "Ann", "AccountId": "@{r1.id}"]),
            part("PATCH", "/sobjects/Account/@{r1.id}", "r3", ["Industry": "Gas"]),
            part("PATCH", "/sobjects/Account/ExternalId__c/e%2F1", "r4", ["Name": "Other"]),
            part("DELETE", "/sobjects/Contact/@{r2.id}", "r5"),
            part("GET", "/sobjects/Account/@{r1.id}?fields=Industry", "r6"))
        #expect(reply.status == 200)
        #expect(reply.parts.map(\.partStatus) == [201, 201, 204, 201, 204, 200])
        #expect(reply.parts.map { $0["referenceId"] } == ["r1", "r2", "r3", "r4", "r5", "r6"])
        #expect(reply.parts[0]["body"]?["id"] == "001000000000000001")
        #expect(reply.parts[0]["httpHeaders"]?["Location"]?.string?.hasSuffix("/001000000000000001") == true)
        #expect(reply.parts[2]["body"] == .null && reply.parts[5]["body"]?["Industry"] == "Gas")
    }

    @Test func `parts that refer to a failed one are halted, the others go through`() {
        let reply = mock.composite(
            part("POST", "/sobjects/Account", "r1", [:]),
            part("POST", "/sobjects/Contact", "r2", ["LastName": "Ann", "AccountId": "@{r1.id}"]),
            part("POST", "/sobjects/Acount", "r3", ["Name": "x"]),
            part("POST", "/sobjects/Account", "r4", ["Name": "x"]),
            part("GET", "/query?q=x", "r5"))
        #expect(reply.parts.map(\.partStatus) == [400, 400, 400, 201, 400])
        let codes = reply.parts.map(\.partCode)
        #expect(codes == ["REQUIRED_FIELD_MISSING", "PROCESSING_HALTED", "INVALID_TYPE", nil, "INVALID_INPUT"])
        #expect(reply.parts[2]["body"]?[0]["message"] == "sObject type 'Acount' is not supported.")
    }

    @Test func `more than 25 parts, equal or odd reference ids refuse the whole`() {
        func many(_ count: Int) -> MockReply {
            mock.call(
                "POST", "/composite",
                body: [
                    "compositeRequest": .array(
                        (0..<count).map { part("POST", "/sobjects/Account", "r\($0)", ["Name": "x"]) })
                ])
        }
        #expect(many(26).status == 400 && mock.service.records(of: "Account").isEmpty)
        #expect(many(25).status == 200 && mock.service.records(of: "Account").count == 25)
        for references in [["r1", "r1"], ["r-1", "r2"], ["", "r2"], ["ü", "r2"]] {
            let reply = mock.composite(
                part("POST", "/sobjects/Account", references[0], ["Name": "x"]),
                part("POST", "/sobjects/Account", references[1], ["Name": "x"]))
            #expect(reply.status == 400)
        }
        #expect(mock.service.records(of: "Account").count == 25)
    }

    @Test func `with allOrNone one failure undoes all`() {
        let parts: [JSONValue] = [
            part("POST", "/sobjects/Account", "r1", ["Name": "x"]), part("POST", "/sobjects/Account", "r2", [:]),
        ]
        let reply = mock.call("POST", "/composite", body: ["allOrNone": true, "compositeRequest": .array(parts)])
        #expect(reply.parts.map(\.partCode) == ["PROCESSING_HALTED", "REQUIRED_FIELD_MISSING"])
        let records: [JSONValue] = [record("Account", ["Name": "x"]), record("Account", [:])]
        let collection = mock.call(
            "POST", "/composite/sobjects", body: ["allOrNone": true, "records": .array(records)])
        #expect(
            collection.items.map(\.itemCode) == ["ALL_OR_NONE_OPERATION_ROLLED_BACK", "REQUIRED_FIELD_MISSING"])
        #expect(mock.service.records(of: "Account").isEmpty)
    }

    // MARK: - Collections

    @Test func `collections create, update, upsert and delete records one by one`() throws {
        let created = mock.collection("POST", [record("Account", ["Name": "a"]), record("Contact", ["LastName": "b"])])
        #expect(created.items[0].text() == #"{"id":"001000000000000001","success":true,"errors":[]}"#)
        #expect(created.items[1]["id"] == "003000000000000001")
        let updated = mock.collection(
            "PATCH",
            [
                record("Account", ["Id": "001000000000000001", "Name": "a2"]),
                record("Account", ["Id": "001000000000000077", "Name": "x"]), record("Account", ["Name": "x"]),
                record("Acount", ["Id": "1"]), .object(["Id": "001000000000000001"]),
            ])
        #expect(updated.items[0]["success"] == true)
        #expect(
            updated.items.map(\.itemCode)
                == [nil, "INVALID_CROSS_REFERENCE_KEY", "MISSING_ARGUMENT", "INVALID_TYPE", "INVALID_TYPE"])
        #expect(updated.items[4]["errors"]?[0]["message"] == "sObject type 'null' is not supported.")
        let upserts = [
            record("Account", ["Name": "new", "ExternalId__c": "e"]),
            record("Account", ["Name": "newer", "ExternalId__c": "e"]),
            record("Account", ["Name": "no key"]),
        ]
        let upserted = mock.collection("PATCH", upserts, path: "/Account/ExternalId__c")
        #expect(upserted.items.map { $0["created"] } == [true, false, nil])
        #expect(upserted.items[2].itemCode == "MISSING_ARGUMENT")
        let mixed = mock.collection(
            "PATCH", [record("Contact", ["ExternalId__c": "e"])], path: "/Account/ExternalId__c")
        #expect(mixed.status == 400)
        let deleted = mock.call(
            "DELETE", "/composite/sobjects",
            query: [
                Pair("allOrNone", "false"),
                Pair("ids", "001000000000000001,001000000000000001,003000000000000001,001000000000000077"),
            ])
        #expect(deleted.items.map(\.itemCode) == [nil, "ENTITY_IS_DELETED", nil, "INVALID_CROSS_REFERENCE_KEY"])
        let gone = mock.collection("PATCH", [record("Account", ["Id": "001000000000000001", "Name": "x"])])
        #expect(gone.items[0].itemCode == "ENTITY_IS_DELETED")
    }

    @Test func `a retrieve answers by position, null where nothing is`() throws {
        let id = try mock.service.create("Account", ["Name": "a"])
        let body: JSONValue = ["ids": ["001x", .string(id), 5], "fields": ["LastModifiedDate"]]
        let reply = mock.call("POST", "/composite/sobjects/Account", body: body)
        #expect(reply.items.map(\.isNull) == [true, false, true])
        #expect(reply.items[1]["LastModifiedDate"] == "2020-09-01T12:00:00.000+0000")
        let unknown = mock.call("POST", "/composite/sobjects/Account", body: ["ids": [], "fields": ["X"]])
        #expect(unknown.code == "INVALID_FIELD")
        #expect(
            mock.call("POST", "/composite/sobjects/Acount", body: ["ids": [], "fields": []]).code == "INVALID_TYPE")
    }

    @Test func `a field that is named a million times is answered once, and soon`() throws {
        let id = try mock.service.create("Account", ["Name": "a"])
        let fields = JSONValue.array(Array(repeating: "Name", count: 1_000_000))
        let ids = JSONValue.array(Array(repeating: .string(id), count: 2_000))
        let reply = mock.call("POST", "/composite/sobjects/Account", body: ["ids": ids, "fields": fields])
        #expect(reply.items.count == 2_000)
        #expect(reply.items[0].object?.names == ["attributes", "Name", "Id"])
    }

    @Test func `200 records and 2,000 ids are the most`() {
        let records = (0..<201).map { record("Account", ["Name": .string("n\($0)")]) }
        #expect(mock.collection("POST", records).status == 400 && mock.service.records(of: "Account").isEmpty)
        #expect(mock.collection("POST", Array(records.dropLast())).items.count == 200)
        for (count, status) in [(2_000, 200), (2_001, 400)] {
            let body: JSONValue = ["ids": .array(Array(repeating: "x", count: count)), "fields": ["Id"]]
            #expect(mock.call("POST", "/composite/sobjects/Account", body: body).status == status)
        }
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"records\": 5}", "{\"records\": [5]}", "{\"compositeRequest\": [5]}", "{\"ids\": 5}",
    ])
    func `bodies of another shape are refused`(_ text: String) {
        for path in ["/composite", "/composite/sobjects", "/composite/sobjects/Account"] {
            let request = ServiceRequest(method: "POST", path: MockFixture.base + path, body: Array(text.utf8))
            let reply = MockReply(mock.service.handle(request))
            #expect(reply.status == 400 && reply.code == "JSON_PARSER_ERROR")
        }
    }
}
