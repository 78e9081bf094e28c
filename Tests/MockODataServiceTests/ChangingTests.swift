import JSONText
import MockODataService
import ServiceTransport
import Testing

/// What the service does about requests that change.
@Suite struct ChangingTests {
    @Test func `a new entity gets its key, and the answer that was asked for`() throws {
        let shop = try ShopFixture()
        let created = shop.call("POST", "Products", "{\"Name\": \"Milk\", \"Price\": 2.50}")
        #expect(created.status == 201 && created.json["ID"] == 1001 && created.json["Changed"] == 1)
        #expect(created.header("Location") == "/odata/Products(1001)" && created.header("ETag") == "W/\"1\"")
        let short = shop.call("POST", "Products", "{\"Name\": \"Tea\"}", headers: [Pair("Prefer", "return=minimal")])
        #expect(short.status == 204 && short.header("OData-EntityId") == "/odata/Products(1002)")
        #expect(short.header("Preference-Applied") == "return=minimal")
        #expect(shop.service.entities(of: "Products").map { $0["Name"] } == ["Milk", "Tea"])
    }

    @Test(arguments: [
        ("{\"Price\": 1}", 400), ("{\"Name\": null}", 400), ("{\"Name\": \"longer than twenty characters\"}", 400),
        ("{\"Name\": \"x\", \"Other\": 1}", 400), ("{\"Name\": 5}", 400), ("{\"Name\"", 400), ("[]", 400),
    ]) func `a body that does not fit is refused`(body: String, status: Int) throws {
        let shop = try ShopFixture()
        #expect(shop.call("POST", "Products", body).status == status)
        #expect(shop.service.entities(of: "Products").isEmpty)
    }

    @Test func `a key of the client is taken, once`() throws {
        let shop = try ShopFixture(.v4) { $0.takesKeys = true }
        #expect(shop.call("POST", "Products", "{\"ID\": 7, \"Name\": \"Milk\"}").json["ID"] == 7)
        #expect(shop.call("POST", "Products", "{\"ID\": 7, \"Name\": \"Milk\"}").status == 409)
        #expect(shop.call("POST", "Tags", "{\"Word\": \"a'b\"}").header("Location") == "/odata/Tags('a''b')")
        #expect(shop.get("Tags('a''b')").status == 200)
        let upsert = [Pair("If-None-Match", "*")]
        #expect(shop.call("PATCH", "Products(7)", "{\"Name\": \"x\"}", headers: upsert).status == 412)
        #expect(shop.call("PATCH", "Products(8)", "{\"ID\": 8, \"Name\": \"x\"}", headers: upsert).status == 201)
    }

    @Test func `an update needs the ETag of the version that it changes`() throws {
        let shop = try ShopFixture.filled(1)
        let old = [Pair("If-Match", "W/\"1\"")]
        #expect(shop.call("PATCH", "Products(1)", "{\"Price\": 3}", headers: old).header("ETag") == "W/\"2\"")
        #expect(shop.call("PATCH", "Products(1)", "{\"Price\": 4}", headers: old).status == 412)
        #expect(shop.call("PATCH", "Products(1)", "{\"Price\": 4}", headers: [Pair("If-Match", "*")]).status == 204)
        #expect(shop.get("Products(1)").json["Price"] == 4)
        #expect(shop.get("Products(1)", headers: [Pair("If-None-Match", "W/\"3\"")]).status == 304)
        shop.service.options.requiresETag = true
        #expect(shop.call("DELETE", "Products(1)").status == 428)
        #expect(shop.call("PUT", "Products(1)", "{\"Name\": \"x\"}", headers: [Pair("If-Match", "*")]).status == 204)
        #expect(shop.get("Products(1)").json["Price"]?.isNull == true)
        shop.service.options.requiresETag = false
        let tunnel = [Pair("X-HTTP-Method", "DELETE")]
        #expect(shop.call("POST", "Products(1)", headers: tunnel).status == 204)
        #expect(shop.get("Products(1)").status == 404)
    }

    @Test func `references lead to entities, and what depends on one goes with it`() throws {
        let shop = try ShopFixture.filled(2)
        #expect(shop.call("POST", "Parts", "{\"Size\": 1, \"ProductID\": 99}").status == 400)
        #expect(shop.call("POST", "Parts", "{\"Size\": 1, \"Product@odata.bind\": \"Products(2)\"}").status == 201)
        #expect(shop.call("POST", "Products(2)/Parts", "{\"Size\": 2}").json["ProductID"] == 2)
        let deep = shop.call("POST", "Products", "{\"Name\": \"deep\", \"Parts\": [{\"Size\": 3}, {\"Size\": 4}]}")
        #expect(deep.status == 201)
        #expect(shop.service.entities(of: "Parts").map { $0["Size"] } == [1, 2, 3, 4])
        #expect(shop.call("DELETE", "Products(2)").status == 204)
        #expect(shop.service.entities(of: "Parts").map { $0["Size"] } == [3, 4])
    }

    @Test func `links without a property are kept, and are among the changes`() throws {
        let shop = try ShopFixture.filled(1)
        try shop.service.add(["Word": "dairy"], to: "Tags")
        let link = "/odata/Products?$deltatoken=2"
        #expect(shop.call("POST", "Products(1)/Tags/$ref", "{\"@odata.id\": \"Tags('dairy')\"}").status == 204)
        #expect(shop.get("Products(1)/Tags").value.map { $0["Word"] } == ["dairy"])
        #expect(shop.get(link).value.first?["target"] == "Tags('dairy')")
        #expect(shop.call("DELETE", "Products(1)/Tags('dairy')/$ref").status == 204)
        #expect(shop.get("Products(1)/Tags").value.isEmpty)
        #expect(shop.get(link).value.last?["@odata.context"] == "#Products/$deletedLink")
    }

    @Test func `the older formats`() throws {
        let shop = try ShopFixture(.v2)
        let verbose = "{\"Name\": \"Milk\", \"Price\": \"2.50\", \"Added\": \"/Date(1577934245000)/\"}"
        #expect(shop.call("POST", "Products", verbose).status == 201)
        let entry = """
            <entry xmlns="http://www.w3.org/2005/Atom" xmlns:m="\(namespace)/metadata" xmlns:d="\(namespace)">
            <link rel="\(namespace)/related/Product" href="Products(1001)"/>
            <content type="application/xml"><m:properties><d:Size m:type="Edm.Int32">4</d:Size></m:properties></content>
            </entry>
            """
        let part = shop.call("POST", "Parts", entry, type: "application/atom+xml")
        #expect(part.status == 201 && part.text.contains("<d:ProductID m:type=\"Edm.Int32\">1001</d:ProductID>"))
        #expect(shop.call("MERGE", "Products(1001)", "{\"Price\": null}").status == 204)
        let product = try #require(shop.service.entities(of: "Products").first)
        #expect(product["Added"] == "2020-01-02T03:04:05" && product["Price"]?.isNull == true)
        // Nothing goes with it: the part stays and refers to nothing.
        #expect(shop.call("DELETE", "Products(1001)").status == 204)
        #expect(shop.service.entities(of: "Parts").first?["ProductID"]?.isNull == true)
        shop.service.options.refusesReferring = true
        try shop.service.set("Products", "(5)", [:])
        try shop.service.set("Parts", "(1002)", ["ProductID": 5])
        #expect(shop.call("DELETE", "Products(5)").status == 409)
    }

    private var namespace: String { "http://schemas.microsoft.com/ado/2007/08/dataservices" }

    // MARK: - Batches

    private func batch(_ shop: ShopFixture, _ sections: [String], goesOn: Bool = true) -> ShopReply {
        let body = sections.map { "--b\r\n\($0)\r\n" }.joined() + "--b--\r\n"
        let prefer = goesOn ? [Pair("Prefer", "odata.continue-on-error")] : []
        return shop.call("POST", "$batch", body, headers: prefer, type: "multipart/mixed; boundary=b")
    }

    private func part(_ line: String, _ body: String = "", id: String = "1") -> String {
        "Content-Type: application/http\r\nContent-ID: \(id)\r\n\r\n\(line) HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
            + body
    }

    private func changeSet(_ parts: String...) -> String {
        "Content-Type: multipart/mixed; boundary=c\r\n\r\n" + parts.map { "--c\r\n\($0)\r\n" }.joined() + "--c--"
    }

    private func statuses(_ reply: ShopReply) -> [Int] {
        reply.text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.compactMap {
            Int($0.dropFirst(9).prefix(3))
        }
    }

    @Test func `a change set is done as a whole, and its parts refer to earlier ones`() throws {
        let shop = try ShopFixture()
        let reply = batch(
            shop,
            [
                changeSet(
                    part("POST Products", "{\"Name\": \"Milk\"}"), part("POST $1/Parts", "{\"Size\": 1}", id: "2"),
                    part("POST Parts", "{\"Size\": 2, \"Product@odata.bind\": \"$1\"}", id: "3")),
                part("GET Products/$count", id: "4"),
            ])
        #expect(statuses(reply) == [201, 201, 201, 200])
        #expect(shop.service.entities(of: "Parts").map { $0["ProductID"] } == [1001, 1001])
    }

    @Test func `a change set that fails has changed nothing, and one answer`() throws {
        let shop = try ShopFixture()
        let failing = changeSet(part("POST Products", "{\"Name\": \"a\"}"), part("POST Products", "{}", id: "2"))
        let after = changeSet(part("POST Products", "{\"Name\": \"b\"}", id: "3"))
        #expect(statuses(batch(shop, [failing, after])) == [400, 201])
        #expect(shop.service.entities(of: "Products").map { $0["Name"] } == ["b"])
        #expect(statuses(batch(shop, [failing, after], goesOn: false)) == [400])
        #expect(shop.service.entities(of: "Products").count == 1)
        #expect(shop.call("POST", "$batch", "--b\r\n", type: "multipart/mixed; boundary=b").status == 400)
    }

    @Test func `a batch in JSON`() throws {
        let shop = try ShopFixture()
        let reply = shop.call(
            "POST", "$batch",
            """
            {"requests": [{"id": "1", "atomicityGroup": "g", "method": "POST", "url": "Products", "body": {"Name": "Milk"}},
            {"id": "2", "atomicityGroup": "g", "method": "POST", "url": "$1/Parts", "body": {"Size": 3}},
            {"id": "3", "method": "PATCH", "url": "Products(9)", "body": {"Name": "x"}},
            {"id": "4", "method": "GET", "url": "Products", "dependsOn": ["3"]}]}
            """, headers: [Pair("Prefer", "continue-on-error")])
        let answers = try #require(reply.json["responses"]?.array)
        #expect(answers.map { $0["status"] } == [201, 201, 404, 424])
        #expect(answers[1]["body"]?["ProductID"] == 1001 && answers[1]["atomicityGroup"] == "g")
    }
}
