import OData
import Soups
import Testing

@testable import OfflineOData

/// Texts that are asked for again.
@Suite struct RecentQueriesTests {
    private let recent = RecentQueries()

    private func plans(
        _ text: String, version: ODataVersion = .v4, limits: Limits = .default
    ) throws(Fault) -> KeptPlans {
        try recent.query(text, version: version, limits: limits) { () throws(Fault) in
            try RowQuery(text, version: version, model: nil, entityType: nil, now: nil, limits: limits)
        }.plans
    }

    @Test func `a text that is asked for again has its plans`() throws {
        let known = try plans("$filter=Name eq 'a'")
        #expect(try plans("$filter=Name eq 'b'") !== known)
        #expect(try plans("$filter=Name eq 'a'") === known)
    }

    @Test func `texts that differ in their bytes are different`() throws {
        #expect(try plans("$filter=Name eq '\u{E9}'") !== plans("$filter=Name eq 'e\u{301}'"))
        #expect(try plans("$filter=Name eq 'a'") !== plans("$filter=Name%20eq%20'a'"))
    }

    @Test func `versions and limits are part of what is asked for`() throws {
        let text = "$filter=Name eq 'a'"
        #expect(try plans(text) !== plans(text, version: .v2))
        #expect(try plans(text) !== plans(text, limits: Limits(depth: 7)))
    }

    @Test(arguments: ["now()", "NOW()", "%6Eow()", "n%6fw()", "no%77()", "%4eow()"])
    func `a text that may ask for the time is parsed each time`(now: String) throws {
        let text = "$filter=Day lt \(now)"
        var parsed = 0
        for _ in 0..<2 {
            _ = try recent.query(text, version: .v4, limits: .default) { () throws(Fault) in
                parsed += 1
                return try RowQuery("$top=1", version: .v4, model: nil, entityType: nil, now: nil, limits: .default)
            }
        }
        #expect(parsed == 2)
    }

    @Test func `long texts and refused ones are not kept`() throws {
        let long = "$filter=Name eq '\(String(repeating: "x", count: RecentQueries.maximumLength))'"
        #expect(try plans(long) !== plans(long))
        for _ in 0..<2 {
            #expect(throws: Fault.self) { try plans("$filter=Name eq") }
        }
    }

    @Test func `a full list starts over`() throws {
        let first = try plans("$top=0")
        for number in 1..<RecentQueries.maximum {
            _ = try plans("$top=\(number)")
        }
        #expect(try plans("$top=0") === first)
        _ = try plans("$top=\(RecentQueries.maximum)")
        #expect(try plans("$top=0") !== first)
    }

    @Test func `a query without indexes has plans of its own`() throws {
        var query = try SoupQuery("$filter=Name eq 'recent'")
        query.usesIndexes = false
        #expect(try SoupQuery("$filter=Name eq 'recent'").plans !== query.plans)
    }

    @Test func `the page size is that of each query`() throws {
        let text = "$filter=Name eq 'pages'"
        #expect(try SoupQuery(text, pageSize: 3).pageSize == 3)
        #expect(try SoupQuery(text, pageSize: 4).pageSize == 4)
    }
}
