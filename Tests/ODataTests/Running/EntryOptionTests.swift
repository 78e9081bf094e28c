import OData
import Testing

/// Expressions and options over entries of payloads.
@Suite struct EntryOptionTests {
    private static func entries(_ text: String, version: ODataVersion = .v4) throws -> [ODataEntry] {
        guard
            case .feed(let feed) = try ODataPayload(
                reading: Array(text.utf8), options: PayloadOptions(version: version))
        else {
            throw Fault(.invalidArguments, "not a feed")
        }
        return feed.entries
    }

    private static let orders = """
        {"value":[{"@odata.id":"O(1)","@odata.type":"#N.D","ID":1,"Price":2.5,"At@odata.type":"DateTimeOffset",\
        "At":"2013-01-01T00:00:00Z","Name@Core.Hint":"x","Name":"Milk","Tags":["a","b"],"Address":{"City":"Rome"},\
        "Items":[{"@odata.id":"I(1)","Q":5},{"@odata.id":"I(2)","Q":1}],"Main":null},\
        {"@odata.id":"O(2)","ID":2,"Price":10,"Name":"Tea","Tags":[],"Items":[]}]}
        """

    @Test func `a search finds texts at any depth`() throws {
        var entity: JSONValue = ["Name": "deep water"]
        for _ in 0..<300 {
            entity = ["Inner": [entity]]
        }
        let found = try ODataOptionRunner("$search=water").apply(to: [entity]).entities
        #expect(found.count == 1)
        #expect(try ODataOptionRunner("$search=fire").apply(to: [entity]).entities.isEmpty)
    }

    @Test func `a path by which entities are grouped twice is in the result once`() throws {
        let entity: JSONValue = ["A": 1, "B": ["C": 2]]
        let groups = try ODataOptionRunner("$apply=groupby((A,B/C,A,B/C),aggregate($count as N))").apply(to: [
            entity, entity,
        ])
        #expect(groups.entities.map { $0.text() } == [#"{"A":1,"B":{"C":2},"N":2}"#])
    }

    @Test(arguments: [
        ("Price gt 3", [2]), ("Name eq 'Milk'", [1]), ("Address/City eq 'Rome'", [1]), ("Tags/any(t:t eq 'b')", [1]),
        ("Items/any(i:i/Q gt 4)", [1]), ("Items/$count eq 0", [2]), ("Main eq null", [1, 2]),
        ("At lt 2014-01-01T00:00:00Z", [1]), ("year(At) eq 2013", [1]), ("Name/@Core.Hint eq 'x'", [1]),
        ("ID div 2 eq 0.5", [1]), ("Tags eq ['a','b']", [1]),
        ("Address eq {\"City\":\"Rome\"}", [1]), ("@odata.id eq 'O(2)'", [2]),
    ])
    func `filters see what the payload has`(filter: String, expected: [Int32]) throws {
        let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: filter, version: .v401))
        let found = try Self.entries(Self.orders).filter { try evaluator.matches($0) == true }
        #expect(found.map { $0["ID"] } == expected.map { .int32($0) })
    }

    @Test func `options project entries and keep their ids`() throws {
        let runner = try ODataOptionRunner(
            "$compute=Price mul 2 as Twice&$filter=Twice gt 1&$orderby=Price desc&$count=true&$top=2"
                + "&$select=ID,Twice&$expand=Items($filter=Q gt 2;$count=true)", version: .v401)
        let (found, count) = try runner.apply(to: try Self.entries(Self.orders))
        #expect(count == 2)
        #expect(found.map { $0.id?.resolved } == ["O(2)", "O(1)"])
        #expect(found[1].properties.map(\.name) == ["ID", "Twice"])
        #expect(found[1]["Twice"] == .decimal(try #require(EdmDecimal("5.0"))))
        guard case .feed(let items)? = found[1].navigation.first?.content else {
            Issue.record("Items are not expanded")
            return
        }
        #expect(items.count == 1)
        #expect(items.entries.map { $0.id?.resolved } == ["I(1)"])
    }

    @Test func `declared types are those of the model`() throws {
        let model = try EdmModel(
            csdl: Array(
                """
                <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"><EntityType Name="T"><Key>\
                <PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/><Property Name="E" Type="N.E"/>\
                <Property Name="G" Type="Edm.Guid"/></EntityType><EnumType Name="E"><Member Name="A"/></EnumType></Schema>
                """.utf8))
        let text =
            "{\"value\":[{\"ID\":5,\"E\":\"A\",\"G\":\"3F2504E0-4F89-11D3-9A0C-0305E82C3301\"}]}"
        let options = PayloadOptions(version: .v4, model: model, entityType: "N.T")
        guard case .feed(let feed) = try ODataPayload(reading: Array(text.utf8), options: options) else { return }
        for filter in ["ID div 2 eq 2", "E eq N.E'A'", "G eq 3f2504e0-4f89-11d3-9a0c-0305e82c3301"] {
            let evaluator = try ODataEvaluator(
                filter: ODataExpression(parsing: filter), model: model, entityType: "N.T")
            #expect(try evaluator.matches(feed.entries[0]) == true, "\(filter)")
        }
    }

    @Test func `atom entries are filtered while the feed is read`() throws {
        let feed =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:d=\"http://schemas.microsoft.com/ado/2007/08/dataservices\""
            + " xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
            + (0..<100).map {
                "<entry><content><m:properties><d:N m:type=\"Edm.Int32\">\($0)</d:N></m:properties></content></entry>"
            }.joined() + "</feed>"
        let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: "N mod 10 eq 0", version: .v2))
        var reader = ODataPayloadReader(options: PayloadOptions(version: .v2))
        try reader.append(Array(feed.utf8))
        try reader.finish()
        var found: [ODataValue] = []
        reading: while true {
            switch try reader.next() {
            case .entry(let entry):
                if try evaluator.matches(entry) == true, let value = entry["N"] {
                    found.append(value)
                }
            case .end: break reading
            default: continue
            }
        }
        #expect(found == (0..<10).map { .int32($0 * 10) })
    }
}
