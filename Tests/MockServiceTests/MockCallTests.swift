import JSONText
import MockService
import ServiceTransport
import TestSupport
import Testing

/// The calls of one record or type, and queries with their pages.
@Suite struct MockCallTests {
    private let mock = MockFixture()

    private func account(_ name: String = "Acme") throws -> String {
        try mock.service.create("Account", ["Name": .string(name)])
    }

    // MARK: - Queries

    @Test func `a query answers pages of the size that its header asks for, which a cursor follows`() throws {
        for index in 0..<5 {
            _ = try account("n\(index)")
        }
        let first = mock.query("select Name from Account order by Name", batch: 2)
        #expect(first.json["totalSize"] == 5 && first.json["done"] == false)
        let link = try #require(first.json["nextRecordsUrl"]?.string)
        #expect(link == "/services/data/v66.0/query/01g000000000000001-2")
        let second = mock.follow(link)
        #expect(second.column("Name") == ["n2", "n3"] && second.json["totalSize"] == 5)
        #expect(mock.follow(link).text == second.text, "a page can be asked for again")
        let last = mock.follow(try #require(second.json["nextRecordsUrl"]?.string))
        #expect(last.column("Name") == ["n4"] && last.json["done"] == true && last.json["nextRecordsUrl"] == nil)
    }

    @Test func `a query and a search may have a slash at the end of their path`() throws {
        let id = try account()
        let query = mock.call("GET", "/query/", query: [Pair("q", "select Id from Account")])
        #expect(query.status == 200 && query.column("Id") == [.string(id)], "\(query.text)")
        let search = mock.call("GET", "/search/", query: [Pair("q", "find {Acme} in all fields returning Account(Id)")])
        #expect(search.status == 200, "\(search.text)")
        #expect(mock.call("GET", "/query//", query: [Pair("q", "select Id from Account")]).status == 404)
    }

    @Test func `values are read when their page is, and records deleted since are left out`() throws {
        let ids = try (0..<4).map { try account("n\($0)") }
        let first = mock.query("select Name from Account", batch: 2)
        try mock.service.update("Account", ids[2], ["Name": "changed"])
        try mock.service.delete("Account", ids[3])
        let second = mock.follow(try #require(first.json["nextRecordsUrl"]?.string))
        #expect(second.column("Name") == ["changed"] && second.json["totalSize"] == 4)
    }

    @Test func `ten queries can be continued, older ones expire with their sub-queries`() throws {
        var options = MockOptions()
        options.childPageSize = 1
        mock.service.options = options
        let parent = try account()
        _ = try account()
        for name in ["a", "b"] {
            try mock.service.create("Contact", ["LastName": .string(name), "AccountId": .string(parent)])
        }
        let first = mock.query("select Id, (select LastName from Contacts) from Account", batch: 1)
        let link = try #require(first.json["nextRecordsUrl"]?.string)
        let childLink = try #require(first.records[0]["Contacts"]?["nextRecordsUrl"]?.string)
        for _ in 0..<9 {
            _ = mock.query("select Id from Account", batch: 1)
        }
        #expect(mock.follow(link).status == 200)
        #expect(mock.follow(childLink).column("LastName") == ["b"])
        _ = mock.query("select Id from Account", batch: 1)
        for expired in [link, childLink, link + "9", "/services/data/v66.0/query/x", "/services/data/v66.0/query/x--1"]
        {
            let reply = mock.follow(expired)
            #expect(reply.status == 400 && reply.code == "INVALID_QUERY_LOCATOR")
        }
    }

    @Test func `queries of one page let no cursor expire`() throws {
        for name in ["a", "b"] {
            _ = try account(name)
        }
        let link = try #require(mock.query("select Id from Account", batch: 1).json["nextRecordsUrl"]?.string)
        for _ in 0..<20 {
            #expect(mock.query("select Id from Account").json["done"] == true)
        }
        #expect(mock.follow(link).status == 200)
    }

    @Test func `ids that a data file has given are not given again`() throws {
        let service = try MockFile.service(
            Array(
                """
                {"records": {"Account": [{"Id": "001000000000000002", "Name": "a"}, {"Id": "001000000000000003", "Name": "b"}]}}
                """.utf8))
        try service.delete("Account", "001000000000000003")
        let ids = try (0..<3).map { try service.create("Account", ["Name": .string("n\($0)")]) }
        #expect(Set(ids).count == 3 && !ids.contains("001000000000000002") && !ids.contains("001000000000000003"))
        #expect(service.record("Account", "001000000000000002")?["Name"] == "a")
    }

    @Test func `sub-queries answer the children of each record, 200 to a page`() throws {
        let parents = [try account("with"), try account("without")]
        for index in 0..<201 {
            try mock.service.create("Contact", ["LastName": .string("c\(index)"), "AccountId": .string(parents[0])])
        }
        let reply = mock.query(
            "select Name, (select LastName, AccountId from Contacts where LastName != 'c0' order by LastName desc) "
                + "from Account")
        #expect(reply.records[1]["Contacts"] == .null)
        let children = reply.records[0]["Contacts"]
        #expect(children?["totalSize"] == 200 && children?["done"] == true)
        #expect(children?["records"]?[0]["LastName"] == "c99")
        #expect(children?["records"]?[0]["attributes"]?["type"] == "Contact")
        let all = mock.query("select Id, (select Id from Contacts) from Account").records[0]["Contacts"]
        #expect(all?["records"]?.array?.count == 200 && all?["done"] == false)
        #expect(mock.follow(try #require(all?["nextRecordsUrl"]?.string)).records.count == 1)
    }

    @Test func `a date with a raw plus is read with a blank, as services do`() throws {
        _ = try account()
        let path = MockFixture.base + "/query"
        let text = "q=select+Id+from+Account+where+LastModifiedDate>2020-01-01T00:00:00.000"
        let raw = ServiceRequest(method: "GET", path: path, encodedQuery: text + "+0000")
        #expect(MockReply(mock.service.handle(raw)).status == 400)
        let encoded = ServiceRequest(method: "GET", path: path, encodedQuery: text + "%2B0000")
        #expect(MockReply(mock.service.handle(encoded)).records.count == 1)
    }

    // MARK: - Search and types

    @Test func `a search finds names that contain the term`() throws {
        _ = try account("O'Neil (x)")
        _ = try account("Other")
        try mock.service.create("Contact", ["FirstName": "Ann", "LastName": "O'Neil (X) jr"])
        let text = #"find {o\'neil \(x\)} in NAME FIELDS returning  Account(Id, Name limit 5),  Contact limit 20"#
        let reply = mock.call("GET", "/search", query: [Pair("q", text)])
        let found = reply.json["searchRecords"]
        #expect(found?.array?.count == 2)
        #expect(found?[0]["Name"] == "O'Neil (x)" && found?[1]["Id"] == "003000000000000001")
        for malformed in [
            "", "find {x}", "find {} returning Account", "find {x returning Account", "find {x} returning",
        ] {
            #expect(mock.call("GET", "/search", query: [Pair("q", malformed)]).code == "MALFORMED_SEARCH")
        }
    }

    @Test func `recent records are the last ten touched, or those that were set`() throws {
        let ids = try (0..<12).map { try account("n\($0)") }
        _ = mock.call("PATCH", "/sobjects/Account/\(ids[5])", body: ["Name": "again"])
        let recent = mock.call("GET", "/sobjects/account").json
        let expected = [ids[5]] + ids[3...].reversed().filter { $0 != ids[5] }
        let items = recent["recentItems"]?.array?.map { $0["Id"]?.string ?? "" }
        #expect(items == expected + (expected.count < 10 ? [ids[2]] : []))
        #expect(recent["objectDescribe"]?["name"] == "Account" && recent["recentItems"]?[0]["Name"] == "again")
        mock.service.setRecent("Account", [ids[0], "001unknown"])
        #expect(mock.call("GET", "/sobjects/Account").json["recentItems"]?.array?.count == 1)
    }

    @Test func `types and layouts are described`() {
        let describe = mock.call("GET", "/sobjects/Account/describe").json
        #expect(describe["name"] == "Account" && describe["keyPrefix"] == "001")
        #expect(describe["fields"]?[1]["name"] == "Name" && describe["fields"]?[1]["length"] == 255)
        let layout = mock.call(
            "GET", "/ui-api/layout/Account", query: [Pair("layoutType", "Compact"), Pair("mode", "Edit")])
        #expect(layout.json["layoutType"] == "Compact" && layout.json["mode"] == "Edit")
        #expect(layout.json["sections"]?[0]["layoutRows"]?.array?.isEmpty == false)
    }

    // MARK: - One record

    @Test func `a record is created, retrieved, updated and deleted`() throws {
        mock.service.clock.now = 1_600_000_000_999
        let created = mock.call("POST", "/sobjects/Account", body: ["Name": "Acme", "Industry": nil])
        #expect(created.status == 201)
        #expect(created.text == #"{"id":"001000000000000001","success":true,"errors":[]}"#)
        let path = "/sobjects/Account/001000000000000001"
        mock.service.clock.now += 5_000
        #expect(mock.call("PATCH", path, body: ["Industry": "Gas"]).status == 204)
        let record = mock.call(
            "GET", path, query: [Pair("fields", "Industry,LastModifiedDate,CreatedDate,SystemModstamp")])
        #expect(record.json["Industry"] == "Gas" && record.json["Id"] == "001000000000000001")
        #expect(record.json["CreatedDate"] == "2020-09-13T12:26:40.000+0000")
        #expect(record.json["LastModifiedDate"] == "2020-09-13T12:26:45.000+0000")
        #expect(record.json["SystemModstamp"] == record.json["LastModifiedDate"])
        #expect(mock.call("GET", path).json["Name"] == "Acme", "without a list all fields come")
        #expect(mock.call("DELETE", path).status == 204)
        for (method, code) in [("GET", "NOT_FOUND"), ("PATCH", "ENTITY_IS_DELETED"), ("DELETE", "ENTITY_IS_DELETED")] {
            let reply = mock.call(method, path, body: method == "PATCH" ? ["Name": "x"] : nil)
            #expect(reply.status == 404 && reply.code == code)
        }
        #expect(mock.call("PATCH", "/sobjects/Account/001x", body: ["Name": "x"]).code == "NOT_FOUND")
    }

    @Test func `an upsert creates, updates, and refuses a key that is not unique`() throws {
        let path = "/sobjects/Account/ExternalId__c/a%2Fb%3F%23%20%C3%BC"
        let created = mock.call("PATCH", path, body: ["Name": "Acme"])
        #expect(created.status == 201 && created.json["created"] == true)
        let updated = mock.call("PATCH", path, body: ["Name": "Acme 2"])
        #expect(updated.status == 200 && updated.json["created"] == false)
        #expect(updated.json["id"] == created.json["id"])
        let id = mock.call("GET", path, query: [Pair("fields", "ExternalId__c")]).json
        #expect(id["ExternalId__c"] == "a/b?# ü" && id["Id"] == created.json["id"])
        mock.service.options.answersUpsertsWithoutBody = true
        let silent = mock.call("PATCH", path, body: ["Name": "Acme 3"])
        #expect(silent.status == 204 && silent.text.isEmpty)
        for _ in 0..<2 {
            try mock.service.create("Account", ["Name": "x", "ClientKey__c": "k"])
        }
        #expect(mock.call("PATCH", "/sobjects/Account/ClientKey__c/k", body: [:]).status == 300)
        #expect(mock.call("PATCH", "/sobjects/Account/Industry/k", body: [:]).code == "INVALID_FIELD")
        let byId = "/sobjects/Account/Id/\(created.json["id"]?.string ?? "")"
        #expect(mock.call("PATCH", byId, body: ["Name": "by id"]).status == 204)
        #expect(mock.call("PATCH", "/sobjects/Account/Id/001x", body: ["Name": "by id"]).code == "NOT_FOUND")
    }

    @Test func `the texts of refusals are those of the service`() throws {
        let long = String(repeating: "n", count: 256)
        let unique = try mock.service.create("Account", ["Name": "x", "ExternalId__c": "e"])
        for (type, body, code, message) in [
            (
                "Account", ["Name": .string(long)], "STRING_TOO_LONG",
                "Account Name: data value too large: \(long) (max length=255)"
            ),
            (
                "Contact", ["LastName": .string(long)], "STRING_TOO_LONG",
                "Last Name: data value too large: \(long) (max length=80)"
            ),
            ("Account", [:], "REQUIRED_FIELD_MISSING", "Required fields are missing: [Name]"),
            ("Account", ["Name": ""], "REQUIRED_FIELD_MISSING", "Required fields are missing: [Name]"),
            ("Acount", [:], "NOT_FOUND", "The requested resource does not exist"),
            ("Account", ["Nam": "x"], "INVALID_FIELD", "No such column 'Nam' on sobject of type Account"),
            (
                "Account", ["Name": "x", "Id": "1"], "INVALID_FIELD_FOR_INSERT_UPDATE",
                "Unable to create/update fields: Id"
            ),
            ("Account", ["Name": 5], "JSON_PARSER_ERROR", "Cannot deserialize the value of Name, which is a text"),
            (
                "Contact", ["LastName": "x", "AccountId": "local_1"], "MALFORMED_ID",
                "Account ID: id value of incorrect type: local_1"
            ),
            (
                "Contact", ["LastName": "x", "AccountId": "001000000000000099"], "INVALID_CROSS_REFERENCE_KEY",
                "invalid cross reference id"
            ),
            (
                "Account", ["Name": "x", "ExternalId__c": "e"], "DUPLICATE_VALUE",
                "duplicate value found: ExternalId__c duplicates value on record with id: \(unique)"
            ),
        ] as [(String, JSONValue, String, String)] {
            let reply = mock.call("POST", "/sobjects/\(type)", body: body)
            #expect(reply.status == (code == "NOT_FOUND" ? 404 : 400))
            #expect(reply.code == code && reply.message == message, "\(reply.text)")
        }
        #expect(mock.service.records(of: "Account").count == 1)
    }

    @Test(arguments: [false, true])
    func `deleting a record deletes those that refer to it, or empties their reference`(keeps: Bool) throws {
        mock.service.options.keepsReferring = keeps
        let parent = try account()
        let child = try mock.service.create("Contact", ["LastName": "c", "AccountId": .string(parent)])
        #expect(mock.call("DELETE", "/sobjects/Account/\(parent)").status == 204)
        #expect(mock.service.record("Contact", child)?["AccountId"] == (keeps ? .null : nil))
        let orphan = mock.call("POST", "/sobjects/Contact", body: ["LastName": "d", "AccountId": .string(parent)])
        #expect(orphan.status == 400 && orphan.code == "ENTITY_IS_DELETED")
    }

    // MARK: - Paths

    @Test(arguments: [
        ("GET", "/services/data/v66.0/nothing", 404), ("GET", "/", 404),
        ("GET", "/services/data/v66.0/sobjects/Account/", 404),
        ("GET", "/services/data/66/sobjects/Account", 404), ("GET", "/services/data/v66.0/sobjects/Account/%zz", 404),
        ("PUT", "/services/data/v66.0/sobjects/Account", 405), ("POST", "/services/data/v66.0/query", 405),
        ("PATCH", "/services/data/v66.0/composite", 405), ("GET", "/services/data/v66.0/query", 400),
        ("POST", "/services/data/v66.0/sobjects/Account", 400), ("GET", "/services/data/v66.0/search", 400),
    ])
    func `other paths, methods and bodies are refused`(method: String, path: String, status: Int) {
        let reply = MockReply(mock.service.handle(ServiceRequest(method: method, path: path, body: Array("{".utf8))))
        #expect(reply.status == status)
        #expect(reply.code != nil && reply.message != nil)
    }

    @Test func `answers have the date of the service unless that is switched off`() {
        #expect(mock.query("select Id from Account").answer.response.header("date") == "Tue, 01 Sep 2020 12:00:00 GMT")
        mock.service.options.sendsDate = false
        #expect(mock.query("select Id from Account").answer.response.header("date") == nil)
    }

    @Test func `the clock stays, or moves on with each request`() throws {
        mock.service.clock = MockClock(now: 0, step: 1_000)
        for _ in 0..<3 {
            _ = mock.call("POST", "/sobjects/Account", body: ["Name": "x"])
        }
        let dates = mock.service.records(of: "Account").map { $0["CreatedDate"]?.string?.prefix(19) }
        #expect(dates == ["1970-01-01T00:00:00", "1970-01-01T00:00:01", "1970-01-01T00:00:02"])
    }
}
