import JSONText
import SQLiteAccess
import SmartSQL
import Soups
import TestSupport
import Testing

@Suite struct PageQueryTests {
    /// Generates a soup with many equal and missing values, and a query on it.
    private struct Draw {
        var random: SeededRandom

        mutating func entries(_ count: Int) -> [SampleSoup.Entry] {
            let names = ["abc", "ABC", "Abd", "aBx1", "äbc", "b", "", "ab%c", "a_c", "zz"]
            let tags: [JSONValue] = [
                1, 2, 10, 2.5, "1", "10", "2", "x", "", nil, true, -3, "abc", 2.0, -30, ["abc"], ["k": 1], "abd", "-3",
                "info",
            ]
            return (0..<count).map { _ in
                SampleSoup.Entry(
                    name: Int.random(in: 0..<4, using: &random) == 0 ? nil : names.randomElement(using: &random),
                    rank: Bool.random(using: &random) ? nil : Int64.random(in: -3...3, using: &random),
                    tag: tags.randomElement(using: &random) ?? nil,
                    text: ["red fox", "blue fox", "red", nil].randomElement(using: &random) ?? nil)
            }
        }

        mutating func spec() -> QuerySpec {
            let path =
                ["name", "rank", "tag", "_soupEntryId", "_soupCreatedDate"].randomElement(using: &random) ?? "name"
            let orderPath =
                [nil, path, path, "name", "rank", "tag", "_soupEntryId"].randomElement(using: &random) ?? nil
            let kind = QuerySpec.Kind.allCases.filter { $0 != .smart }.randomElement(using: &random) ?? .all
            return QuerySpec(
                kind: kind, indexPath: kind == .match ? nil : path, matchKey: kind == .match ? "red" : key(),
                beginKey: key(), endKey: key(),
                likeKey: .string(
                    [
                        "a%", "ab%", "abc%", "%c", "a_c", "AB", "1%", "%", "ä%", "abd_", "", "-3%", "2%", "10%", "x%",
                        "i%", "[%", "{\"k%", "Tr%",
                    ].randomElement(using: &random) ?? "a"),
                orderPath: orderPath, order: Bool.random(using: &random) ? .ascending : .descending)
        }

        private mutating func key() -> QuerySpec.Key? {
            let keys: [QuerySpec.Key?] = [nil, 1, 2, "1", "2", "10", "abc", "b", 2.5, true, -1, "", "x"]
            return keys.randomElement(using: &random) ?? nil
        }
    }

    /// The rows that SQLite finds without any index or interval, by the conditions in the documentation.
    private func expected(_ spec: QuerySpec, in sample: SampleSoup) throws -> [[SQLValue]] {
        func column(_ path: String?) -> String {
            switch path {
            case "name": "TABLE_1_0"
            case "rank": "TABLE_1_1"
            case "tag": "json_extract(soup, '$.tag')"
            case "_soupCreatedDate": "created"
            default: "id"
            }
        }
        let subject = column(spec.indexPath)
        func literal(_ key: QuerySpec.Key, text: Bool) -> String {
            switch key {
            case .string(let value): "'\(value)'"
            case .integer(let value): text ? "'\(value)'" : "\(value)"
            case .number(let value): text ? "'\(value)'" : value
            case .floating(let value): text ? "'\(value)'" : "\(value)"
            case .boolean(let value): text ? (value ? "'true'" : "'false'") : (value ? "1" : "0")
            }
        }
        /// json1: a text key that is a number is compared with numbers as a number, and with text as text.
        func compare(_ key: QuerySpec.Key, _ word: String) -> String {
            if spec.indexPath == "tag", case .string(let text) = key, Double(text) != nil {
                return
                    "(CASE typeof(\(subject)) WHEN 'text' THEN \(subject) \(word) '\(text)' ELSE \(subject) \(word) \(text) END)"
            }
            return "\(subject) \(word) \(literal(key, text: spec.indexPath == "name"))"
        }
        var conditions: [String] = []
        switch spec.kind {
        case .exact: if let key = spec.matchKey { conditions.append(compare(key, "=")) }
        case .range:
            if let key = spec.beginKey {
                conditions.append(compare(key, ">="))
            }
            if let key = spec.endKey {
                conditions.append(compare(key, "<="))
            }
        case .like: if case .string(let text)? = spec.likeKey { conditions.append("+\(subject) LIKE '\(text)'") }
        case .match: conditions.append("instr(coalesce(TABLE_1_3, ''), 'red') > 0")
        case .all, .smart: break
        }
        let direction = spec.order == .ascending ? "ASC" : "DESC"
        let key = column(spec.orderPath)
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return try sample.rows(
            BoundStatement(
                sql:
                    "SELECT id, \(key), soup FROM TABLE_1 NOT INDEXED\(filter) ORDER BY +\(key) \(direction), +id \(direction)"
            ))
    }

    @Test(arguments: BackEnd.allCases) func `pages in both directions jumps counts and ids agree with a plain scan`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        for seed in UInt64(1)...4 {
            var draw = Draw(random: SeededRandom(seed: seed))
            let sample = try SampleSoup(backEnd)
            try sample.insert(draw.entries(60))
            for round in 0..<250 {
                let spec = draw.spec()
                if spec.kind == .exact, spec.matchKey == nil {
                    continue
                }
                let wanted = try expected(spec, in: sample)
                var query = try PageQuery(spec, soup: sample.soup)
                if query.isPlannedByCount {
                    query = query.planned(matches: Bool.random(using: &draw.random) ? 1 : 1000, entries: 1000)
                }
                let note = Comment(
                    rawValue:
                        "seed \(seed), round \(round), kind \(spec.kind), path \(spec.indexPath ?? "-"), order \(spec.orderPath ?? "-")"
                )

                let size = Int.random(in: 1...7, using: &draw.random)
                var forward: [[SQLValue]] = []
                var position: PageQuery.Position?
                while true {
                    let page = try sample.rows(query.page(after: position), size: size)
                    forward += page
                    guard page.count == size, let last = page.last, forward.count <= wanted.count else {
                        break
                    }
                    position = PageQuery.Position(key: last[1], id: last.id)
                }
                #expect(forward == wanted, note)

                var backward: [[SQLValue]] = []
                position = nil
                while true {
                    let page = try sample.rows(query.page(before: position), size: size)
                    backward = page + backward
                    guard page.count == size, let first = page.first, backward.count <= wanted.count else {
                        break
                    }
                    position = PageQuery.Position(key: first[1], id: first.id)
                }
                #expect(backward == wanted, note)

                let offset = Int.random(in: 0...(wanted.count + 1), using: &draw.random)
                #expect(
                    try sample.rows(query.page(at: Int64(offset)), size: size)
                        == Array(wanted.dropFirst(offset).prefix(size)), note)
                #expect(try sample.rows(query.count) == [[.integer(Int64(wanted.count))]], note)
                #expect(try sample.rows(query.ids).map(\.id).sorted() == wanted.map(\.id).sorted(), note)
            }
        }
    }

    @Test(arguments: BackEnd.allCases) func `a text key finds equal numbers over JSON 1 and a number key only numbers`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let sample = try SampleSoup(backEnd)
        try sample.insert([7, "7", 7.0, "7.0", "x7"].map { SampleSoup.Entry(tag: $0) })
        #expect(try sample.ids(.exact(path: "tag", matchKey: "7")) == [1, 2, 3])
        #expect(try sample.ids(.exact(path: "tag", matchKey: 7)) == [1, 3])
        #expect(try sample.ids(.exact(path: "tag", matchKey: "x7")) == [5])
        #expect(try sample.ids(.range(path: "tag", from: "5", through: "9")) == [1, 2, 3, 4])
    }
}
