import JSONText
import MockService
import TestSupport
import Testing

@Suite struct MiniSOQLTests {
    /// Random accounts and contacts, many of them with equal values or none.
    private static func filled(_ random: inout SeededRandom) throws -> MockFixture {
        let fixture = MockFixture()
        let words = NaiveQuery.words
        var accounts: [String] = []
        for index in 0..<30 {
            fixture.service.clock.now += Int64.random(in: 0...3, using: &random) * 1_000
            var fields: JSONObject = ["Name": .string(words.randomElement(using: &random) ?? "x")]
            if Bool.random(using: &random) {
                fields["Industry"] = .string(words.randomElement(using: &random) ?? "x")
            }
            if index % 7 == 0 {
                fields["Description"] = ""
            }
            accounts.append(try fixture.service.create("Account", fields))
        }
        for _ in 0..<30 {
            var fields: JSONObject = ["Name": .string(words.randomElement(using: &random) ?? "x")]
            if Bool.random(using: &random) {
                fields["Amount"] = .number(.init(Int64.random(in: -3...3, using: &random)))
            }
            if Bool.random(using: &random) {
                fields["AccountId"] = .string(accounts.randomElement(using: &random) ?? "x")
            }
            try fixture.service.create("Opportunity", fields)
        }
        return fixture
    }

    @Test func `10,000 random queries find what a naive filter finds`() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("MiniSOQLTests seed \(seed)")
        var random = SeededRandom(seed: seed)
        let fixture = try Self.filled(&random)
        let tables = [
            "Account": fixture.service.records(of: "Account"),
            "Opportunity": fixture.service.records(of: "Opportunity"),
        ]
        var found = 0
        for _ in 0..<10_000 {
            let query = NaiveQuery(tables, &random)
            let reply = fixture.query(query.text)
            let ids = reply.records.map { $0["Id"]?.string ?? "" }
            guard reply.status == 200, ids == query.ids else {
                Issue.record("seed \(seed): \(query.text): \(reply.text) instead of \(query.ids)")
                continue
            }
            found += ids.count
        }
        // Neither nothing nor everything.
        #expect((10_000..<290_000).contains(found), "seed \(seed)")
    }

    @Test func `records come with their attributes and the fields in the order of the query`() throws {
        let fixture = MockFixture()
        let id = try fixture.service.create("Account", ["Name": "Acme", "Industry": "Gas"])
        let record = fixture.query("SELECT industry, Id, NAME from account").records.first
        let expected =
            #"{"attributes":{"type":"Account","url":"/services/data/v66.0/sobjects/Account/\#(id)"},"Industry":"Gas","#
            + #""Id":"\#(id)","Name":"Acme"}"#
        #expect(record?.text() == expected)
        #expect(id == "001000000000000001")
    }

    @Test(arguments: [
        ("select Id from Account where Name = 'a' or Name = 'b' and Name = 'c'", 54),
        ("select Id from Account where Name = 'a' and Name = 'b' or Name = 'c'", 55),
        ("select Id from Account where (Name = 'a' and Name = 'b' or Name = 'c')", 56),
    ])
    func `and next to or without parentheses is refused where it begins`(query: String, offset: Int) {
        let reply = MockFixture().query(query)
        #expect(reply.status == 400 && reply.code == "MALFORMED_QUERY")
        #expect(reply.message?.hasSuffix("at offset \(offset)") == true, "\(reply.text)")
    }

    @Test func `with the switch off and binds more closely than or`() throws {
        var options = MockOptions()
        options.refusesMixedConditions = false
        let fixture = MockFixture(options: options)
        for name in ["a", "b", "c"] {
            try fixture.service.create("Account", ["Name": .string(name)])
        }
        let mixed = fixture.query("select Name from Account where Name = 'x' and Name = 'a' or Name != null")
        #expect(mixed.column("Name") == ["a", "b", "c"], "the condition in front binds to the first arm only")
        let grouped = fixture.query("select Name from Account where Name = 'x' and (Name = 'a' or Name != null)")
        #expect(grouped.records.isEmpty)
    }

    @Test(arguments: [
        ("", "MALFORMED_QUERY", 0), ("update Account", "MALFORMED_QUERY", 0),
        ("select from Account", "MALFORMED_QUERY", 12),
        ("select Id, id from Account", "MALFORMED_QUERY", 11), ("select Id from Account where", "MALFORMED_QUERY", 28),
        ("select Id from Account where Name = 'a", "MALFORMED_QUERY", 36),
        ("select Id from Account where Name = 'a\\x'", "MALFORMED_QUERY", 36),
        ("select Id from Account where Name = \"a\"", "MALFORMED_QUERY", 36),
        ("select Id from Account where Name = 'a\n'", "MALFORMED_QUERY", 38),
        ("select Id from Account where (Name = 'a'", "MALFORMED_QUERY", 40),
        ("select Id from Account where Name = 'a')", "MALFORMED_QUERY", 39),
        ("select Id from Account where Name < null", "MALFORMED_QUERY", 34),
        ("select Id from Account where Name in ()", "INVALID_FIELD", 38),
        ("select Id from Account where Id like '0%'", "MALFORMED_QUERY", 32),
        ("select Id from Account limit -1", "MALFORMED_QUERY", 29),
        ("select Id from Account limit :n", "MALFORMED_QUERY", 29),
        ("select Id from Account for view", "MALFORMED_QUERY", 23),
        ("select count() from Account", "MALFORMED_QUERY", 12),
        ("select Id from Account a", "MALFORMED_QUERY", 23),
        ("select Id from Account order by Name,", "MALFORMED_QUERY", 37),
        ("select Ident from Account", "INVALID_FIELD", 7), ("select Id from Acount", "INVALID_TYPE", 15),
        ("select Id from Account where Nam = 'a'", "INVALID_FIELD", 29),
        ("select Id from Account where Name = 5", "INVALID_FIELD", 36),
        ("select Id from Account where LastModifiedDate > '2020-01-01T00:00:00Z'", "INVALID_FIELD", 48),
        ("select Id from Account where LastModifiedDate > 2020-01-01", "INVALID_FIELD", 48),
        ("select Id from Account where LastModifiedDate > 2020-01-01T00:00:00.000 0000", "INVALID_FIELD", 48),
        ("select Id, (select Id, (select Id from Contacts) from Contacts) from Account", "MALFORMED_QUERY", 23),
        ("select Id, (select Id from Contact) from Account", "INVALID_TYPE", 27),
    ])
    func `everything else is refused with its offset`(query: String, code: String, offset: Int) {
        let reply = MockFixture().query(query)
        #expect(reply.status == 400)
        #expect(reply.code == code, "\(reply.text)")
        #expect(reply.message?.lowercased().hasSuffix("at offset \(offset)") == true, "\(reply.text)")
    }

    @Test func `deep nesting and a million signs are refused, and soon`() {
        let fixture = MockFixture()
        for text in ["(", "not ", "'", "a", ",", "=", "(((a)"] {
            let query = "select Id from Account where " + String(repeating: text, count: 1_000)
            #expect(fixture.query(query).status == 400)
        }
        // A URL of that length is refused before it is read.
        #expect(fixture.query(String(repeating: "(", count: 1 << 20)).status == 414)
    }

    @Test func `literals have escapes, and patterns escaped wildcards`() throws {
        let fixture = MockFixture()
        for name in ["O'Neil", "50% off", "a_b", "axb", "back\\slash", "two\nlines", "Ünïcode +"] {
            try fixture.service.create("Account", ["Name": .string(name)])
        }
        for (condition, expected) in [
            (#"Name = 'o\'neil'"#, ["O'Neil"]), (#"Name like '%\%%'"#, ["50% off"]), (#"Name like 'a\_b'"#, ["a_b"]),
            (#"Name like 'a_b'"#, ["a_b", "axb"]), (#"Name = 'back\\slash'"#, ["back\\slash"]),
            (#"Name = 'two\nlines'"#, ["two\nlines"]), (#"Name like 'ü%+'"#, ["Ünïcode +"]), (#"Name like '%'"#, nil),
        ] as [(String, [String]?)] {
            let names = fixture.query("select Name from Account where " + condition).column("Name").map {
                $0.string ?? ""
            }
            #expect(names == expected ?? fixture.service.records(of: "Account").map { $0["Name"]?.string ?? "" })
        }
    }
}
