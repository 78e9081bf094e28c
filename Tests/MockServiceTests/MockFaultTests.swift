import JSONText
import MockService
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// The failures F01 to F13, each of which fires.
@Suite struct MockFaultTests {
    private let mock = MockFixture()
    private let create = ServiceRequest(
        method: "POST", path: MockFixture.base + "/sobjects/Account", body: Array("{\"Name\":\"Acme\"}".utf8))

    private var accounts: [JSONObject] { mock.service.records(of: "Account") }

    private func createReply() -> MockReply { MockReply(mock.service.handle(create)) }

    private func fill(_ count: Int) throws -> [String] {
        try (0..<count).map { try mock.service.create("Account", ["Name": .string("n\($0)")]) }
    }

    // MARK: - Statuses

    @Test func `F01 the session is refused once, or for ever`() async throws {
        mock.service.add(FaultRule(.status(401, .code("INVALID_SESSION_ID"), afterApplying: false)))
        let refreshes = Atomic(0)
        let transport = RefreshingTransport(mock.service.transport) { refreshes.add(1, ordering: .relaxed) }
        #expect(try await transport.send(create).status == 201)
        #expect(refreshes.load(ordering: .relaxed) == 1 && accounts.count == 1)
        mock.service.add(FaultRule(.status(401, .code("INVALID_SESSION_ID"), afterApplying: false), times: nil))
        #expect(try await transport.send(create).status == 401)
        #expect(accounts.count == 1)
    }

    @Test(arguments: [("F02", 403), ("F04", 414), ("F05", 429), ("F05", 503)])
    func `F02 F04 F05 a call is refused by its status`(id: String, status: Int) {
        mock.service.add(FaultRule(.status(status, .code("REFUSED"), afterApplying: false), call: .create, nth: 2))
        #expect([createReply().status, createReply().status, createReply().status] == [201, status, 201])
        #expect(accounts.count == 2)
        #expect(mock.service.log.map(\.answer.isApplied) == [true, false, true])
    }

    @Test func `F03 cursors expire`() throws {
        _ = try fill(2)
        let link = try #require(mock.query("select Id from Account", batch: 1).json["nextRecordsUrl"]?.string)
        mock.service.add(FaultRule(.expiredCursors, call: .queryMore))
        #expect(mock.follow(link).code == "INVALID_QUERY_LOCATOR")
        #expect(mock.query("select Id from Account").records.count == 2)
    }

    @Test func `F04 a long URL is refused without any rule`() {
        let long = mock.query("select Id from Account where Name = '\(String(repeating: "x", count: 17_000))'")
        #expect(long.status == 414)
    }

    @Test func `F05 a create is answered 503 without an array of errors though it was applied`() {
        mock.service.add(FaultRule(.status(503, .empty, afterApplying: true)))
        let reply = createReply()
        #expect(reply.status == 503 && reply.text.isEmpty && accounts.count == 1)
    }

    @Test func `F06 an error has a page for a body`() {
        mock.service.add(FaultRule(.status(500, .html, afterApplying: false)))
        let reply = createReply()
        #expect(reply.status == 500 && reply.text.hasPrefix("<!DOCTYPE html>") && accounts.isEmpty)
        #expect(reply.answer.response.header("content-type") == "text/html")
    }

    // MARK: - Bodies and connections

    @Test(arguments: MockFault.Breakage.allCases)
    func `F07 an answer is broken`(_ breakage: MockFault.Breakage) async {
        mock.service.add(FaultRule(.broken(breakage)))
        switch await mock.send(create) {
        case .success(let response):
            let json = try? JSONValue(parsing: response.body)
            #expect(response.status == (breakage == .html ? 200 : 201))
            #expect(breakage == .otherShape ? json?.array?.count == 1 : json == nil)
        case .failure(let error):
            #expect(breakage == .shortBody && TransportFailure(error).isNoAnswer)
        }
        #expect(accounts.count == 1, "it was applied")
    }

    @Test func `F08 a connection is dropped before the request is applied`() async {
        mock.service.add(FaultRule(.dropBefore))
        guard case .failure(TransportFailure.notSent) = await mock.send(create) else {
            Issue.record("it was sent")
            return
        }
        #expect(accounts.isEmpty && mock.service.log.map(\.answer.isApplied) == [false])
    }

    @Test func `F09 a connection is dropped after the request is applied`() async {
        mock.service.add(FaultRule(.dropAfter))
        guard case .failure(TransportFailure.noAnswer) = await mock.send(create) else {
            Issue.record("it was answered")
            return
        }
        #expect(accounts.count == 1 && mock.service.log.map(\.answer.isApplied) == [true])
    }

    @Test(arguments: [false, true])
    func `F10 there is no answer until the client gives up`(isApplied: Bool) async {
        mock.service.add(FaultRule(.timeOut(afterApplying: isApplied)))
        guard case .failure(TransportFailure.noAnswer) = await mock.send(create) else {
            Issue.record("it was answered")
            return
        }
        #expect(accounts.count == (isApplied ? 1 : 0))
    }

    @Test func `F10 an answer comes late, and a task that waits for it can be cancelled`() async throws {
        mock.service.add(FaultRule(.delay(20)))
        #expect(try await mock.service.transport.send(create).status == 201)
        mock.service.add(FaultRule(.delay(600_000)))
        let transport = mock.service.transport
        let create = create
        let task = Task { try await transport.send(create) }
        try await Waiting.suspend { mock.service.log.count == 2 }
        task.cancel()
        await #expect(throws: TransportFailure.cancelled) { try await task.value }
        mock.service.add(FaultRule(.delay(.max)))
        mock.service.add(FaultRule(.delay(.max)))
        #expect(mock.service.handle(create).delay == .max)
    }

    // MARK: - Pages

    @Test func `F11 page k fails`() throws {
        _ = try fill(5)
        mock.service.add(FaultRule(.status(500, .empty, afterApplying: false), call: .queryMore, nth: 2))
        let first = mock.query("select Id from Account", batch: 1)
        let second = mock.follow(try #require(first.json["nextRecordsUrl"]?.string))
        let link = try #require(second.json["nextRecordsUrl"]?.string)
        #expect(mock.follow(link).status == 500)
        #expect(mock.follow(link).status == 200, "the rule strikes once")
    }

    @Test(arguments: [1_000, 0, -3, nil, "many"] as [JSONValue?])
    func `F12 the total is wrong or missing`(_ total: JSONValue?) throws {
        _ = try fill(2)
        mock.service.add(FaultRule(.totalSize(total), call: .query))
        let reply = mock.query("select Id from Account")
        #expect(reply.json["totalSize"] == total && reply.records.count == 2)
    }

    @Test func `F13 two records have one time across the boundary of pages`() throws {
        _ = try fill(1)
        mock.service.clock.now += 60_000
        _ = try fill(1)
        let query = "select Id, LastModifiedDate from Account order by LastModifiedDate"
        func dates() throws -> [JSONValue] {
            let first = mock.query(query, batch: 1)
            let second = mock.follow(try #require(first.json["nextRecordsUrl"]?.string))
            return first.column("LastModifiedDate") + second.column("LastModifiedDate")
        }
        let apart = try dates()
        #expect(apart[0] != apart[1])
        mock.service.add(
            FaultRule(.spoil(record: 0, field: "LastModifiedDate", value: apart[0]), call: .queryMore))
        let equal = try dates()
        #expect(equal[0] == equal[1])
    }
}

extension TransportFailure {
    fileprivate var isNoAnswer: Bool {
        if case .noAnswer = self {
            true
        } else {
            false
        }
    }
}
