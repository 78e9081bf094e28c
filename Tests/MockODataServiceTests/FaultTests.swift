import JSONText
import MockODataService
import ServiceTransport
import Synchronization
import TestSupport
import Testing

/// The failures, each of which fires.
@Suite struct FaultTests {
    private let shop: ShopFixture

    init() throws { shop = try ShopFixture.filled(3) { $0.pageSize = 2 } }

    private var milk: ServiceRequest { shop.request("POST", "Products", "{\"Name\": \"Milk\"}") }
    private var count: Int { shop.service.entities(of: "Products").count }
    private func add(_ fault: MockODataFault, _ call: MockODataCall? = nil, part: Int? = nil, nth: Int = 1) {
        shop.service.add(ODataFaultRule(fault, call: call, part: part, nth: nth))
    }

    @Test func `the connection is dropped before the request is applied`() async {
        add(.dropBefore, .create, nth: 2)
        #expect(await shop.outcome(milk) == "201")
        #expect(await shop.outcome(milk) == "not sent")
        #expect(count == 4 && shop.service.log.map(\.answer.isApplied) == [true, false])
        #expect(await shop.outcome(milk) == "201", "the rule strikes once")
    }

    @Test func `the connection is dropped after the request was applied`() async {
        add(.dropAfter)
        #expect(await shop.outcome(milk) == "no answer")
        #expect(count == 4 && shop.service.log.map(\.answer.faults) == [["dropAfter"]])
    }

    @Test func `an answer is cut within its body, or is too short`() async {
        add(.cut(atByte: 5))
        #expect(await shop.outcome(shop.request("GET", "Products")) == "no answer")
        #expect(shop.service.log.last?.answer.ending == .cut(afterBytes: 5))
        add(.shortened(toByte: nil))
        let whole = shop.get("Products(1)").text
        #expect(shop.get("Products(1)").text.hasPrefix(whole) && shop.get("Products(1)").text != whole)
    }

    @Test func `a status in place of the answer, with each body`() throws {
        add(.status(500, .html))
        let page = shop.get("Products")
        #expect(page.status == 500 && page.header("Content-Type") == "text/html" && page.text.contains("<html>"))
        add(.status(503, .empty, retryAfter: 7))
        let busy = shop.get("Products")
        #expect(busy.status == 503 && busy.header("Retry-After") == "7" && busy.text.isEmpty)
        add(.status(412, .error), .update)
        let refused = shop.call("PATCH", "Products(1)", "{\"Price\": 9}")
        #expect(refused.status == 412 && refused.json["error"]?["code"] == "Refused")
        #expect(shop.get("Products(1)").json["Price"] == 1)
        add(.status(500, .error, afterApplying: true), .update)
        #expect(shop.call("PATCH", "Products(1)", "{\"Price\": 9}").status == 500)
        #expect(shop.get("Products(1)").json["Price"] == 9)
    }

    @Test func `the session is refused once, or for ever`() async throws {
        add(.status(401, .error))
        #expect(shop.get("Products").status == 401 && shop.get("Products").status == 200)
        shop.service.add(ODataFaultRule(.status(401, .empty), times: nil))
        #expect((0..<5).allSatisfy { _ in shop.get("Products").status == 401 })
        shop.service.removeRules()
        #expect(shop.get("Products").status == 200)
    }

    @Test func `a link to the next page and a link to changes expire`() throws {
        add(.status(404, .error), .nextPage)
        add(.status(410, .error), .delta)
        let link = try #require(shop.get("Products").next)
        #expect(shop.get(link).status == 404 && shop.get(link).status == 200)
        #expect(shop.get("Products?$deltatoken=0").status == 410)
        #expect(shop.get("Products?$deltatoken=0").status == 200)
    }

    @Test func `an answer comes late`() async {
        add(.delay(20))
        #expect(await shop.outcome(milk) == "201")
        #expect(shop.service.log.last?.answer.delay == 20)
    }

    @Test func `an entity comes twice on its page`() {
        add(.spoiled(.doubledEntity))
        #expect(shop.get("Products").value.compactMap { $0["ID"]?.int64 } == [1, 2, 1])
    }

    @Test func `links of a page are spoiled`() throws {
        add(.spoiled(.bothLinks))
        let both = shop.get("Products")
        #expect(both.next != nil && both.delta != nil)
        add(.spoiled(.repeatedLink), .nextPage)
        let next = try #require(both.next)
        #expect(shop.get(next).next == next)
        add(.spoiled(.foreignLink))
        #expect(shop.get("Products").next?.hasPrefix("http://elsewhere.example/") == true)
    }

    @Test func `the ETag or the key is missing`() {
        add(.spoiled(.withoutETag))
        let bare = shop.get("Products(1)")
        #expect(bare.json["@odata.etag"] == nil && bare.header("ETag") == nil)
        add(.spoiled(.withoutKey))
        #expect(shop.get("Products").value.allSatisfy { $0["ID"] == nil && $0["Name"] != nil })
        add(.spoiled(.withoutKey), .create)
        let created = shop.call(
            "POST", "Products", "{\"Name\": \"x\"}", headers: [Pair("Prefer", "return=minimal")])
        #expect(created.status == 204 && created.header("Location") == nil && created.header("OData-EntityId") == nil)
        #expect(count == 4)
    }

    @Test func `entities have members with reserved names`() {
        add(.spoiled(.reservedMembers))
        #expect(shop.get("Products").value.allSatisfy { $0["_soupEntryId"] == 999 && $0["__key__"] == "spoiled" })
    }

    @Test func `bytes in another coding`() {
        add(.coded(.byteOrderMark))
        #expect(shop.get("Products").answer.response.body.starts(with: [0xEF, 0xBB, 0xBF]))
        add(.coded(.gzip))
        let packed = shop.get("Products(1)")
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.answer.response.body.starts(with: [0x1F, 0x8B, 8]))
        try? shop.service.set("Products", "(1)", ["Name": "Käse"])
        add(.coded(.latin1))
        let latin = shop.get("Products(1)")
        #expect(latin.header("Content-Type")?.hasSuffix(";charset=ISO-8859-1") == true)
        #expect(latin.answer.response.body.contains(0xE4) && !latin.text.contains("Käse"))
    }

    @Test func `other users change entities, before and after`() {
        add(.change(set: "Products", key: "1", properties: ["Name": "theirs"], after: false), .entity)
        #expect(shop.get("Products(1)").json["Name"] == "theirs")
        add(.change(set: "Products", key: "1", properties: nil, after: true), .entity)
        #expect(shop.get("Products(1)").status == 200 && shop.get("Products(1)").status == 404)
    }

    @Test func `a signal is given at its request, before and after it is applied`() throws {
        let seen = Mutex<[String]>([])
        let service = shop.service
        service.onSignal { name in
            let count = service.entities(of: "Products").count
            seen.withLock { $0.append("\(name) \(count)") }
        }
        add(.signal("before", after: false), .create)
        add(.signal("after", after: true), .create)
        _ = shop.service.handle(milk)
        #expect(seen.withLock { $0 } == ["before 3", "after 4"])
    }

    // MARK: - Batches

    private func batch() -> [Int] {
        let parts = (1...3).map {
            "--b\r\nContent-Type: application/http\r\nContent-ID: \($0)\r\n\r\nPOST Products HTTP/1.1\r\n\r\n{\"Name\": \"p\($0)\"}\r\n"
        }
        let reply = shop.call(
            "POST", "$batch", parts.joined() + "--b--\r\n", headers: [Pair("Prefer", "odata.continue-on-error")],
            type: "multipart/mixed; boundary=b")
        return reply.text.split(separator: "\r\n").compactMap { line in
            line.hasPrefix("HTTP/1.1 ") ? Int(line.dropFirst(9).prefix(3)) : nil
        }
    }

    @Test func `a batch has fewer or more answers than requests`() {
        add(.spoiled(.fewerAnswers))
        #expect(batch() == [201, 201] && count == 6)
        add(.spoiled(.moreAnswers))
        #expect(batch() == [201, 201, 201, 201] && count == 9)
    }

    @Test func `one part of a batch is refused, or answered with an error although it was done`() {
        add(.status(500, .error), part: 2)
        #expect(batch() == [201, 500, 201] && count == 5)
        add(.status(503, .error, afterApplying: true), part: 3)
        #expect(batch() == [201, 201, 503] && count == 8)
    }

    // MARK: - Comparing

    @Test func `differences are named by what they are`() throws {
        var rows = shop.service.entities(of: "Products")
        #expect(shop.service.differences("Products", from: rows).isEmpty)
        rows[0]["Name"] = "stale"
        rows.append(rows[1])
        rows.append(["ID": 99, "Name": "gone"])
        rows.remove(at: 2)
        let found = shop.service.differences("Products", from: rows)
        #expect(
            found == [
                "stale: Products(1).Name", "double: Products(2)", "gone: Products(99)", "lost: Products(3)",
            ])
    }
}
