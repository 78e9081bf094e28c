import OData
import Testing

@Suite struct ODataAnswerTests {
    private func answer(
        _ status: Int, _ headers: [(name: String, value: String)], _ body: String
    ) throws -> ODataAnswer { try ODataAnswer(status: status, headers: headers, body: Array(body.utf8)) }

    @Test func `headers say the version and the format`() throws {
        let verbose = try answer(
            200, [("dataserviceversion", "2.0;NetFx"), ("content-type", "application/json")],
            #"{"d":{"results":[{"When":"/Date(0)/"}],"__next":"n"}}"#)
        #expect(verbose.version == .v2)
        #expect(verbose.feed?.entries.first?["When"]?.canonicalText == "1970-01-01T00:00:00")
        #expect(verbose.nextLink?.resolved == "n")
    }

    @Test(arguments: [
        (#"{"d":{"__metadata":{"type":"N.T"},"A":1}}"#, "N.T"),
        (#"{"odata.metadata":"m","odata.type":"N.T","A":1}"#, "N.T"),
        (##"{"@odata.type":"#N.T","A":1}"##, "N.T"), (##"{"@context":"m","@type":"#N.T","A":1}"##, "N.T"),
    ])
    func `without headers the first bytes do`(body: String, type: String) throws {
        #expect(try answer(200, [], body).entry?.type == type)
    }

    @Test func `a new entity has its id and ETag in the headers`() throws {
        let created = try answer(
            204, [("OData-EntityId", "Items(7)"), ("ETag", "W/\"1\""), ("Preference-Applied", "return=minimal")], "")
        #expect(created.payload == nil && created.entityID == "Items(7)" && created.etag == "W/\"1\"")
        #expect(created.preferenceApplied == "return=minimal")
        #expect(try answer(204, [("DataServiceId", "b"), ("Location", "c")], "").entityID == "b")
        #expect(try answer(201, [("Location", "c")], "{}").entityID == "c")
        #expect(try answer(200, [], #"{"@odata.id":"d","@odata.etag":"e"}"#).etag == "e")
    }

    @Test func `an error is one in every format, and a page of HTML is not`() throws {
        let error = try answer(412, [("OData-Version", "4.0")], #"{"error":{"code":"x","message":"y"}}"#).error
        #expect(error?.code == "x" && error?.message == "y")
        let page = try answer(502, [("Content-Type", "text/html")], "<html>")
        #expect(page.error == nil)
        guard case .value(.text("<html>")) = page.payload else {
            Issue.record("\(String(describing: page.payload))")
            return
        }
        #expect(throws: Never.self) { try answer(500, [("Content-Type", "application/json")], "{\"err") }
        #expect(throws: Fault.self) { try answer(200, [("Content-Type", "application/json")], "{\"val") }
    }

    @Test(arguments: [("4.01", ODataVersion.v401), ("2.0;", .v2), ("3.0;NetFx", .v3), (" 4.0 ", .v4)])
    func `versions of headers`(text: String, version: ODataVersion) { #expect(ODataVersion(header: text) == version) }

    @Test(arguments: ["", ";", "5.0", "x"]) func `other texts are no version`(text: String) {
        #expect(ODataVersion(header: text) == nil)
    }

    @Test func `answers find their requests`() throws {
        let text = #"{"responses":[{"id":"2","status":404},{"id":"1","status":200}]}"#
        var sent = ODataBatch()
        for id in ["1", "2", "3"] {
            sent.append(ODataBatch.Message("GET", "A", contentID: id))
        }
        let answers = try ODataBatch(reading: Array(text.utf8), contentType: ContentType("application/json"))
        #expect(try answers.answers(to: sent, format: .json).map { $0?.status } == [200, 404, nil])
        #expect(throws: Fault.self) { try answers.answers(to: ODataBatch(), format: .json) }
    }

    @Test func `one error answers a whole change set`() throws {
        var sent = ODataBatch()
        sent.append(ODataBatch.Message("GET", "A"))
        sent.append(ODataBatch.ChangeSet([.init("POST", "A", contentID: "1"), .init("POST", "A", contentID: "2")]))
        var answers = ODataBatch()
        answers.append(ODataBatch.Message(.answer(status: 200, reason: "OK")))
        answers.append(ODataBatch.Message(.answer(status: 412, reason: "")))
        #expect(try answers.answers(to: sent, format: .multipart).map { $0?.status } == [200, 412, 412])
        answers.parts[1] = .message(.init(.answer(status: 412, reason: ""), contentID: "2"))
        #expect(try answers.answers(to: sent, format: .multipart).map { $0?.status } == [200, 412, 412])
        answers.parts[1] = .message(.init(.answer(status: 412, reason: ""), contentID: "3"))
        #expect(throws: Fault.self, "the Content-ID is that of a request outside the change set") {
            try answers.answers(to: sent, format: .multipart)
        }
        answers.parts[1] = .changeSet(
            .init([.init(.answer(status: 201, reason: "")), .init(.answer(status: 204, reason: ""), contentID: "1")]))
        #expect(throws: Fault.self, "the Content-ID is that of the other request") {
            try answers.answers(to: sent, format: .multipart)
        }
        answers.parts.removeLast()
        #expect(try answers.answers(to: sent, format: .multipart).map { $0?.status } == [200, nil, nil])
    }
}
