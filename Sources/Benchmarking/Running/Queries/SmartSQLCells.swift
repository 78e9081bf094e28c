import SmartSQL
import Soups

/// Translates Smart SQL: that the cost is in proportion to the text, and what remembering it is worth.
enum SmartSQLCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else { return [] }
        return [growth, remembered]
    }

    private static let growth = Cell(
        "smart-sql-length", revision: 1, summary: "translates a text of 25 KB and one of 250 KB, of literals and references", arms: ["text-25kb", "text-250kb"],
        comparisons: [.init("text-25kb", "text-250kb", sameAnswer: false)], primary: .cpu,
        claims: [
            Claim("PERF-22", "ten times the text costs at most twelve times as much", backend: "any", .ratio(base: "text-25kb", arm: "text-250kb", atMost: 12))
        ]
    ) { arm, _ in
        let text = SmartSQLText.ofLength(arm.work == "text-25kb" ? 25_000 : 250_000)
        return translation(text)
    }

    private static let remembered = Cell(
        "smart-sql-cache", revision: 1, summary: "translates a text of 1 KB anew, and looks up what was kept of it, 100 times", arms: ["kept", "anew"], comparisons: [.init("kept", "anew")],
        primary: .cpu
    ) { arm, _ in
        let text = SmartSQLText.ofLength(1_000)
        let isKept = arm.work == "kept"
        let cache = TranslationCache()
        var length = 0
        return Computation {
            length = 0
            for _ in 0..<100 {
                let query = isKept ? try cache.query(text, catalogue: BenchmarkSoups()) : try TranslatedQuery(text, catalogue: BenchmarkSoups())
                length += query.parameterCount + query.soupNames.count
            }
            return 100
        } answer: { $0.add(length) }
    }

    private static func translation(_ text: String) -> any Subject {
        var length = 0
        return Computation {
            length = try TranslatedQuery(text, catalogue: BenchmarkSoups()).soupNames.count
            return 1
        } answer: { $0.add(length) }
    }
}

/// One soup, as it would be registered.
private struct BenchmarkSoups: SoupCatalogue {
    private let soup = RegisteredSoup(
        spec: SoupSpec(name: "employees"), id: 1,
        indexSpecs: [IndexSpec(path: "lastName", type: .string, columnName: "TABLE_1_0"), IndexSpec(path: "education", type: .json1, columnName: JSONExtract.expression("education"))],
        fullTextVersion: nil)

    func soup(named name: String) throws(Fault) -> RegisteredSoup? { ByteKey(name) == ByteKey(soup.name) ? soup : nil }
}

private enum SmartSQLText {
    /// About so many bytes, half of them literals with braces, half references under an alias.
    static func ofLength(_ bytes: Int) -> String {
        let count = max(1, (bytes - 120) / 40)
        let literals = (0..<count).map { "'name \($0) {'" }.joined(separator: ", ")
        let references = repeatElement("e.{employees:education}", count: count).joined(separator: ", ")
        return "select {employees:lastName} from {employees} e where {employees:lastName} in (\(literals)) and e.{employees:education} in (\(references))"
    }
}
