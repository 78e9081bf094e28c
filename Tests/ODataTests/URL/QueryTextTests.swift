import Conformance
import JSONText
import OData
import TestSupport
import Testing

@Suite struct QueryTextTests {
    @Test(arguments: [
        ("$filter=A%20eq%20'a%26b%23%2B%25'&$top=5", "$filter=A%20eq%20'a%26b%23%2B%25'&$top=5"),
        ("$top=5&$filter=((A))%20eq%20%C3%A9&x=1&y&@p=[1,'a']", "$filter=A%20eq%20%C3%A9&$top=5&@p=%5B1,'a'%5D&x=1&y"),
        (
            "$expand=Items($top=2;$filter=Q gt 1;$levels=max),*/$ref&$select=A,B/C",
            "$expand=Items($levels=max;$filter=Q%20gt%201;$top=2),*/$ref&$select=A,B/C"
        ),
        ("$orderby=A asc,B desc&$compute=A add 1 as B", "$compute=A%20add%201%20as%20B&$orderby=A,B%20desc"),
        ("$search=a b OR (c OR d) NOT \"e f\"", "$search=a%20AND%20b%20OR%20(c%20OR%20d)%20AND%20NOT%20%22e%20f%22"),
        (
            "$apply=filter(A gt 1)/groupby((B,C/D),aggregate(E with sum as F,$count as G))",
            "$apply=filter(A%20gt%201)/groupby((B,C/D),aggregate(E%20with%20sum%20as%20F,$count%20as%20G))"
        ),
        (
            "$apply=search(a b)/orderby(A desc,B asc)/skip(2)/top( 3 )",
            "$apply=search(a%20AND%20b)/orderby(A%20desc,B)/skip(2)/top(3)"
        ),
        ("$apply=search(a%3Bb)/top(1)", "$apply=search(a%3Bb)/top(1)"),
        (
            "$expand=A($search=a%3Bb OR \"c;d\";$top=1),B($filter=C eq ';')",
            "$expand=A($search=a%3Bb%20OR%20%22c%3Bd%22;$top=1),B($filter=C%20eq%20';')"
        ),
        ("$skiptoken=a%26b%3D&$format=json", "$skiptoken=a%26b=&$format=json"),
    ])
    func `queries become canonical and stay the same`(_ query: String, _ canonical: String) throws {
        let options = try ODataURL.options(parsing: query, version: .v401)
        #expect(options.query == canonical)
        let again = try ODataURL.options(parsing: options.query, version: .v401)
        #expect(again.json == options.json)
        #expect(again.query == canonical)
    }

    @Test func `long searches are printed in linear time`() throws {
        let words = Array(repeating: "word", count: 50_000).joined(separator: " ")
        var text = ""
        let elapsed = try ThreadTime.measure { text = try SearchExpression(parsing: words).canonicalText }
        #expect(text.utf8.count == 50_000 * 9 - 5)
        #expect(elapsed < .seconds(20), "\(elapsed)")
    }

    @Test func `literals and segments are written safely`() throws {
        let hostile = "x' or 1 eq 1 or 'a/b?&#"
        let url = "People(" + PercentEncoding.encode(LiteralText.quoted(hostile), for: .pathSegment) + ")"
        let parsed = try ODataURL(parsing: url)
        #expect(parsed.resource.count == 1)
        #expect(parsed.json["resource"]?.array?.first?["key"] == ["literal", "Edm.String", .string(hostile)])
    }
}
