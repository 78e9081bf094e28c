import JSONText
import MockODataService
import ServiceTransport
import Testing

/// What the service answers to requests that read.
@Suite struct ReadingTests {
    @Test(arguments: [
        ("ID eq 2", [2]), ("Price gt 2", [3, 4]), ("Price ge 2.000 and Price lt 4", [2, 3]), ("Name eq 'n1'", [1]),
        ("not (ID eq 2) and ID le 3", [1, 3]), ("ID eq 1 or ID eq 4", [1, 4]), ("contains(Name,'3')", [3]),
        ("startswith(Name,'n') and endswith(Name,'4')", [4]), ("Code eq null and ID eq 1", [1]), ("Code ne null", [2]),
        ("Code eq 3F2504E0-4F89-11D3-9A0C-0305E82C3301", [2]), ("Sold", [3]), ("not Sold", []),
        ("Added lt 2020-01-01T12:00:00Z", [4]), ("Added eq 2020-01-01T10:00:00Z", [4]),
        ("Parts/any(p:p/Size gt 5)", [1]), ("contains(Code,'x') or ID eq 1", [1]), ("not contains(Code,'x')", [2]),
    ]) func `a filter finds what it says`(filter: String, expected: [Int64]) throws {
        let shop = try ShopFixture.filled(4)
        try shop.service.set("Products", "(2)", ["Code": "3f2504e0-4f89-11d3-9a0c-0305e82c3301"])
        try shop.service.set("Products", "(3)", ["Sold": true])
        try shop.service.set("Products", "(4)", ["Added": "2020-01-01T11:00:00+01:00"])
        try shop.service.set("Parts", "(1)", ["Size": 9, "ProductID": 1])
        #expect(shop.ids(filter) == expected)
    }

    @Test(arguments: [
        ("length(Name) gt 1", "length"), ("Price add 1 eq 2", "add"), ("Name has 'x'", "has"), ("A/B/C eq 1", "C"),
        ("time'x' eq 1", "time"),
    ]) func `what the filter does not know is refused with its word`(filter: String, word: String) throws {
        let encoded = filter.split(separator: " ").joined(separator: "%20")
        let reply = try ShopFixture.filled(1).get("Products?$filter=" + encoded)
        #expect(reply.status == 501)
        #expect(reply.json["error"]?["message"]?.string?.contains("'\(word)'") == true, "\(reply.text)")
    }

    @Test func `order, skip, top, select and count`() throws {
        let shop = try ShopFixture.filled(5)
        let reply = shop.get("Products?$orderby=Price%20desc&$skip=1&$top=2&$select=Name&$count=true")
        #expect(reply.value.compactMap { $0["Name"]?.string } == ["n4", "n3"])
        #expect(reply.value.allSatisfy { $0["Price"] == nil && $0["@odata.etag"] != nil })
        #expect(reply.json["@odata.count"] == 5)
        #expect(shop.get("Products/$count?$filter=ID%20gt%201").text == "4")
        #expect(shop.get("Products?$search=x").status == 501)
    }

    @Test func `pages go on where they stopped, and values are read when the page is`() throws {
        let shop = try ShopFixture.filled(5) { $0.pageSize = 2 }
        let first = shop.get("Products?$filter=ID%20ne%202")
        #expect(first.value.compactMap { $0["ID"]?.int64 } == [1, 3])
        try shop.service.set("Products", "(4)", ["Name": "changed"])
        let second = shop.get(try #require(first.next))
        #expect(second.value.compactMap { $0["Name"]?.string } == ["changed", "n5"])
        #expect(second.next == nil)
        #expect(shop.get("Products?$top=3").next != nil)
        let pages = shop.get(try #require(shop.get("Products?$top=3").next))
        #expect(pages.value.count == 1 && pages.next == nil)
        #expect(shop.get("Products", headers: [Pair("Prefer", "odata.maxpagesize=1")]).value.count == 1)
    }

    @Test func `changes since a link come in their order, each entity once`() throws {
        let shop = try ShopFixture.filled(3) { $0.pageSize = 2 }
        let track = [Pair("Prefer", "odata.track-changes")]
        let first = shop.get("Products?$filter=Price%20lt%20100", headers: track)
        #expect(first.delta == nil)
        // Between the pages: it is among the changes.
        try shop.service.set("Products", "(1)", ["Name": "early"])
        let second = shop.get(try #require(first.next), headers: track)
        let link = try #require(second.delta)
        try shop.service.set("Products", "(2)", ["Price": 500])
        try shop.service.delete("Products", "(3)")
        try shop.service.set("Products", "(4)", ["Name": "new"])
        try shop.service.set("Products", "(4)", ["Name": "newer", "Price": 1])
        let changes = shop.get(link, headers: track)
        #expect(changes.value.compactMap { $0["Name"]?.string } == ["early"])
        #expect(changes.value[1]["id"] == "Products(2)" && changes.value[1]["reason"] == "changed")
        let rest = shop.get(try #require(changes.next), headers: track)
        #expect(rest.value.first?["id"] == "Products(3)" && rest.value.first?["reason"] == "deleted")
        #expect(rest.value.compactMap { $0["Name"]?.string } == ["newer"])
        #expect(shop.get(try #require(rest.delta)).value.isEmpty)
        #expect(shop.get("Products?$deltatoken=0").status == 200)
        shop.service.options.changeLimit = 2
        #expect(shop.get("Products?$deltatoken=0").status == 410)
    }

    @Test func `entities, properties and what they lead to`() throws {
        let shop = try ShopFixture.filled(2)
        try shop.service.set("Parts", "(7)", ["Size": 9, "ProductID": 1])
        try shop.service.set("Parts", "(8)", ["Size": 2, "ProductID": 1])
        #expect(shop.get("Products(1)").json["Name"] == "n1")
        #expect(shop.get("Products(ID=1)").header("ETag") == "W/\"1\"")
        #expect(shop.get("Products(9)").status == 404)
        #expect(shop.get("Products('x')").status == 400)
        #expect(shop.get("Products(1)/Name/$value").text == "n1")
        #expect(shop.get("Products(1)/Name").json["value"] == "n1")
        #expect(shop.get("Products(1)/Code").status == 204)
        #expect(shop.get("Products(1)/Parts?$orderby=Size").value.compactMap { $0["ID"]?.int64 } == [8, 7])
        #expect(shop.get("Parts(7)/Product").json["Name"] == "n1")
        let expanded = shop.get("Products?$expand=Parts($filter=Size%20gt%205;$select=Size),Tags").value
        #expect(expanded[0]["Parts"]?.array?.compactMap { $0["Size"]?.int64 } == [9])
        #expect(expanded[1]["Parts"] == [] && expanded[1]["Tags"] == [])
        #expect(shop.get("Parts?$expand=Product").value[0]["Product"]?["ID"] == 1)
        #expect(shop.get("Products?$expand=Nothing").status == 400)
        #expect(shop.get("Products(1)/Parts/$ref").value[0]["@odata.id"] == "/odata/Parts(7)")
        #expect(shop.get("").value.count == 3)
        #expect(shop.get("$metadata").text == ShopMetadata.v4)
        #expect(shop.get("Nothing").status == 404 && shop.call("PUT", "Products").status == 405)
    }

    @Test func `the older formats`() throws {
        let shop = try ShopFixture.filled(2, .v2) { $0.pageSize = 1 }
        try shop.service.set("Products", "(1)", ["Added": "2020-01-02T03:04:05", "Price": 1.50])
        let verbose = shop.get("Products?$inlinecount=allpages&$expand=Parts")
        #expect(verbose.json["d"]?["__count"] == "2" && verbose.json["d"]?["__next"] != nil)
        let entity = verbose.value[0]
        #expect(entity["Price"] == "1.5" && entity["Added"] == "/Date(1577934245000)/")
        #expect(entity["__metadata"]?["etag"] == "W/\"2\"" && entity["Parts"]?["results"] == [])
        let atom = shop.call("GET", "Products?$inlinecount=allpages", type: "application/atom+xml").text
        #expect(atom.contains("<m:count>2</m:count>") && atom.contains("<link rel=\"next\""))
        #expect(atom.contains("<d:Added m:type=\"Edm.DateTime\">2020-01-02T03:04:05</d:Added>"))
        #expect(shop.ids("Added eq datetime'2020-01-02T03:04:05' and substringof('n',Name)") == [1])
        let light = try ShopFixture.filled(1, .v3)
        #expect(light.get("Products").json["value"]?.array?[0]["Price"] == "1")
        #expect(light.get("Products").json["odata.metadata"] != nil)
        let short = try ShopFixture.filled(2, .v401) { $0.pageSize = 1 }
        #expect(short.get("Products?count=true").json["@count"] == 2)
        #expect(try ShopFixture().call("GET", "Products", type: "application/atom+xml").status == 415)
    }
}
