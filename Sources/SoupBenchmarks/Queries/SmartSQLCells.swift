import Benchmarking
import SmartSQL
import Soups

/// Translates Smart SQL: shows that the cost is proportional to the text, and what the cache saves.
enum SmartSQLCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        // The old pattern takes quadratic time: in a debug build of the tests, half a minute for 25 KB.
        return [growth(unit: scope.profile.name == .smoke ? 2_500 : 25_000), remembered]
    }

    private static let short: Arm = "text-25kb"
    private static let long: Arm = "text-250kb"
    private static let pattern: Arm = "pattern-25kb"

    /// How the time grows with the length of a text: of `unit` bytes, and of ten times as many.
    private static func growth(unit: Int) -> Cell {
        Cell(
            "smart-sql-length", revision: 3,
            summary:
                "translates a text of 25 KB and one of 250 KB, of literals and references; for comparison the reference's old pattern on 25 KB",
            arms: [short, long, pattern], comparisons: [.init(short, long, sameAnswer: false), .init(short, pattern)],
            primary: .cpu,
            claims: [
                Claim(
                    "PERF-22", "25 KB are translated in 25 ms", backend: "any", .cost(arm: short, atMost: 25_000_000)),
                Claim(
                    "PERF-22", "the old pattern takes 500 times as long on 25 KB, or more", backend: "any",
                    .slower(base: short, arm: pattern, atLeast: 500)),
                Claim(
                    "PERF-22", "ten times the text costs at most twelve times as much", backend: "any",
                    .ratio(base: short, arm: long, atMost: 12)),
            ]
        ) { arm, _ in
            let text = SmartSQLText.ofLength(arm.work == long ? 10 * unit : unit)
            var references = 0
            if arm.work == pattern {
                // The reference's old way had inserted the columns before; the pattern then searches for the aliases.
                let sql = Array(SmartSQLText.withColumns(text).utf8)
                return Computation {
                    references = AliasPattern.matches(in: sql)
                    return 1
                } answer: {
                    $0.add(references)
                }
            }
            var sql = ""
            return Computation {
                sql = try TranslatedQuery(text, catalogue: BenchmarkSoups()).sql
                return 1
            } answer: {
                $0.add(SmartSQLText.aliasedColumns(sql))
            }
        }
    }

    private static let remembered = Cell(
        "smart-sql-cache", revision: 1,
        summary: "translates a text of 1 KB, and looks its translation up in the cache, 100 times",
        arms: ["kept", "anew"],
        comparisons: [.init("kept", "anew")],
        primary: .cpu
    ) { arm, _ in
        let text = SmartSQLText.ofLength(1_000)
        let isKept = arm.work == "kept"
        let cache = TranslationCache()
        var length = 0
        return Computation {
            length = 0
            for _ in 0..<100 {
                let query =
                    isKept
                    ? try cache.query(text, catalogue: BenchmarkSoups())
                    : try TranslatedQuery(text, catalogue: BenchmarkSoups())
                length += query.parameterCount + query.soupNames.count
            }
            return 100
        } answer: {
            $0.add(length)
        }
    }
}

/// One soup, as if it were registered.
private struct BenchmarkSoups: SoupCatalogue {
    private let soup = RegisteredSoup(
        spec: SoupSpec(name: "employees"), id: 1,
        indexSpecs: [
            IndexSpec(path: "lastName", type: .string, columnName: "TABLE_1_0"),
            IndexSpec(path: "education", type: .json1, columnName: JSONExtract.expression("education")),
        ],
        fullTextVersion: nil)

    func soup(named name: String) throws(Fault) -> RegisteredSoup? { ByteKey(name) == ByteKey(soup.name) ? soup : nil }
}

private enum SmartSQLText {
    /// A text of this many bytes, up to the length of a literal, so that ten times the bytes are ten times the work:
    /// literals with braces as in long lists, without spaces, and references with an alias among them.
    static func ofLength(_ bytes: Int) -> String {
        let count = max(1, bytes / 250)
        let literals = (0..<max(1, (bytes - 120 - 25 * count) / 16)).map { "'name_\(100_000 + $0)_{'" }.joined(
            separator: ",")
        let references = repeatElement(reference, count: count).joined(separator: ", ")
        return
            "select {employees:lastName} from {employees} e where {employees:lastName} in (\(literals)) and e.{employees:education} in (\(references))"
    }

    private static let reference = "e.{employees:education}"
    private static let column = "e." + JSONExtract.expression("education")

    static func withColumns(_ text: String) -> String { replace(reference, by: column, in: text) }

    /// The number of columns in translated text with the alias inside the call.
    static func aliasedColumns(_ sql: String) -> Int { occurrences("json_extract(e.soup", in: sql) }

    private static func occurrences(_ part: String, in text: String) -> Int { pieces(part, in: text).count - 1 }

    private static func replace(_ part: String, by other: String, in text: String) -> String {
        pieces(part, in: text).map { String(decoding: $0, as: UTF8.self) }.joined(separator: other)
    }

    private static func pieces(_ part: String, in text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let part = Array(part.utf8)
        var pieces: [[UInt8]] = []
        var start = 0
        var index = 0
        while index + part.count <= bytes.count {
            guard bytes[index] == part[0], bytes[index..<index + part.count].elementsEqual(part) else {
                index += 1
                continue
            }
            pieces.append(Array(bytes[start..<index]))
            index += part.count
            start = index
        }
        return pieces + [Array(bytes[start...])]
    }
}
