import JSONText
import OData
import TestSupport
import Testing

@Suite struct FilterBuilderTests {
    @Test(arguments: [
        "Name or 1 eq 1", "Name)", "(Name)", "'a'", "null", "true", "5", "", " Name", "Name ", "Name eq 'x' or Name",
        "a/any(x:x)", "@p", "$root/A", "tolower(Name)", "A,B", "Name&$top=1", "A/$filter(B)", "A(1)", "not A",
    ])
    func `only paths are fields`(text: String) {
        #expect(throws: Fault.self) { try ODataFilterBuilder.field(text) }
    }

    @Test(arguments: ["Name", "Address/City", "Items/$count", "N.T/Name", "\u{c4}rger", "and"])
    func `paths are fields`(text: String) throws {
        let filter = try ODataFilterBuilder.field(text).equals(1)
        #expect(try filter.text() == "\(text) eq 1" || text == "and")
    }

    @Test func `values are quoted and encoded`() throws {
        let hostile = "x' or 1 eq 1 or 'a' eq '&$top=1#\u{0}\u{1F600}%27"
        let filter = try ODataFilterBuilder.field("Name").equals(hostile)
        #expect(try filter.text() == "Name eq 'x'' or 1 eq 1 or ''a'' eq ''&$top=1#\u{0}\u{1F600}%27'")
        let options = try ODataURL.options(parsing: try filter.query())
        #expect(options.filter?.canonicalText == (try filter.text()))
        #expect(options.top == nil)
        let evaluator = try ODataEvaluator(filter: try filter.expression())
        #expect(try evaluator.matches(["Name": .string(hostile)] as JSONValue) == true)
        #expect(try evaluator.matches(["Name": "x"] as JSONValue) == false)
    }

    @Test func `versions have their own forms`() throws {
        let id = try #require(EdmGuid("3f2504e0-4f89-11d3-9a0c-0305e82c3301"))
        let day = try #require(EdmDateTime("2013-01-01T00:00:00"))
        let filter = try ODataFilterBuilder.field("ID").equals(id).and(.field("N").isAtMost(5_000_000_000)).and(
            .field("T").contains("a'b"))
        #expect(
            try filter.text(for: .v2)
                == "ID eq guid'3f2504e0-4f89-11d3-9a0c-0305e82c3301' and N le 5000000000L and substringof('a''b',T)")
        #expect(
            try filter.text(for: .v4)
                == "ID eq 3f2504e0-4f89-11d3-9a0c-0305e82c3301 and N le 5000000000 and contains(T,'a''b')")
        #expect(
            try ODataFilterBuilder.field("D").isLess(than: day).text(for: .v2) == "D lt datetime'2013-01-01T00:00:00'")
        #expect(throws: Fault.self) { try ODataFilterBuilder.field("D").isLess(than: day).text(for: .v4) }
        let list = try ODataFilterBuilder.field("C").isIn(["a", "b"]).and(.field("D").isNull)
        #expect(try list.text(for: .v401) == "C in ('a','b') and D eq null")
        #expect(try list.text(for: .v4) == "(C eq 'a' or C eq 'b') and D eq null")
        #expect(try ODataFilterBuilder.field("C").isIn([String]()).text() == "false")
    }

    @Test func `conditions about members are nested`() throws {
        let filter = try ODataFilterBuilder.field("Orders").any(
            .field("Items").all(.field("Q").isGreater(than: 1).or(.field("P").starts(with: "x")).negated))
        #expect(
            try filter.text() == "Orders/any(x1:x1/Items/all(x2:not (x2/Q gt 1 or startswith(x2/P,'x'))))")
        #expect(try ODataFilterBuilder.field("Tags").any(.item.equals("a")).text() == "Tags/any(x1:x1 eq 'a')")
        #expect(try ODataFilterBuilder.field("Tags").any().text() == "Tags/any()")
        #expect(throws: Fault.self) { try ODataFilterBuilder.item.equals("a").text() }
    }

    @Test func `parsing what was built is the identity`() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let filter = try Self.random(&random, depth: 3)
            for version in [ODataVersion.v2, .v4, .v401] {
                let text = try filter.text(for: version)
                let read = try ODataURL.options(parsing: try filter.query(for: version), version: version)
                #expect(read.filter?.canonicalText == text, "seed \(seed)")
            }
        }
    }

    private static func random(_ random: inout SeededRandom, depth: Int) throws -> ODataFilterBuilder {
        let field = try ODataFilterBuilder.field(["A", "B/C", "not", "_x1"].randomElement(using: &random) ?? "A")
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return field.equals(["'", "''", "", "a b", "%", "\n"].randomElement(using: &random) ?? "")
        case 1: return field.isGreater(than: Int.random(in: -5...5_000_000_000, using: &random))
        case 2: return field.isAtLeast(Double.random(in: -1...1, using: &random))
        case 3: return field.isIn([1, 2, 3])
        case 4: return field.ends(with: "it's")
        case 5: return field.isNotNull
        case 6: return try Self.random(&random, depth: depth - 1).and(Self.random(&random, depth: depth - 1))
        case 7: return try Self.random(&random, depth: depth - 1).or(Self.random(&random, depth: depth - 1))
        default: return try Self.random(&random, depth: depth - 1).negated
        }
    }

    @Test func `long chains are not nested`() throws {
        var filter = try ODataFilterBuilder.field("A").equals(0)
        for index in 1..<2_000 {
            filter = try filter.or(.field("A").equals(index))
        }
        #expect(try filter.expression().nodes.count > 6_000)
    }
}
