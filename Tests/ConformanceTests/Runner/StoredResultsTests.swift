import Conformance
import Testing

/// Reads reports again, compares them, and makes lists of expected failures of them.
@Suite struct StoredResultsTests {
    private func row(_ id: String, _ status: CaseStatus, _ code: String = "", detail: String = "") -> CaseResult {
        CaseResult(id: id, area: "a", backEnd: "b", status: status, code: code, detail: detail, milliseconds: 1.5)
    }

    @Test func `report reads back as it was written`() throws {
        let rows = [row("one", .pass), row("two", .fail, "busy", detail: "a, \"b\"\nc"), row("three", .expectedFail)]
        let report = try ConformanceReport(csv: Array(ConformanceReport(rows).csv.utf8), file: "f.csv")
        #expect(report.results == rows)
        #expect(report.backEnds == ["b"])
        for text in ["", "id,area\n", "id,area,backend,status,code,detail,ms\na,b,c,odd,,,1\n"] {
            #expect(throws: VectorProblem.self) { try ConformanceReport(csv: Array(text.utf8), file: "f.csv") }
        }
    }

    @Test func `comparison has the cases that differ`() {
        let comparison = RunComparison(
            [row("same", .pass), row("status", .pass), row("code", .fail, "busy"), row("gone", .pass)],
            [
                row("new", .pass), row("code", .fail, "closed"), row("status", .skip),
                row("same", .pass, detail: "other"),
            ])
        #expect(comparison.sameCount == 1)
        #expect(comparison.rows.map(\.id) == ["status", "code", "gone", "new"])
        #expect(comparison.rows[2].second == nil)
        #expect(comparison.rows[3].first == nil)
    }

    @Test func `comparison counts the last row of a case`() {
        let twice = [row("a", .skip), row("b", .pass), row("a", .error)]
        #expect(RunComparison(twice, twice).rows.isEmpty)
        #expect(RunComparison([row("a", .skip), row("b", .pass)], twice).rows.map(\.id) == ["a"])
    }

    @Test func `list of expected failures keeps what was not to run`() throws {
        let list = try ExpectedFailures(
            csv: Array("id,code,reason\nother,busy,known\nfixed,,was wrong\n".utf8), file: "l.csv")
        let text = list.csv(for: [row("fixed", .unexpectedPass), row("new", .fail, "closed")]) { $0 == "other" }
        #expect(text == "id,code,reason\nother,busy,known\nnew,closed,to be explained\n")
    }

    @Test func `list of expected failures keeps reasons and drops what passes`() throws {
        let list = try ExpectedFailures(
            csv: Array("id,code,reason\nold,busy,\"known, yes\"\nfixed,,was wrong\n".utf8), file: "l.csv")
        let text = list.csv(for: [
            row("old", .expectedFail, "busy"), row("fixed", .unexpectedPass), row("new", .fail, "closed"),
            row("good", .pass), row("left-out", .skip),
        ])
        #expect(text == "id,code,reason\nold,busy,\"known, yes\"\nnew,closed,to be explained\n")
        #expect(throws: Never.self) { try ExpectedFailures(csv: Array(text.utf8), file: "l.csv") }
    }
}
