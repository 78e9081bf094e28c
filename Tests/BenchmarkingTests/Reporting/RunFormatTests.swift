import JSONText
import Soups
import Testing

@testable import Benchmarking

struct RunFormatTests {
    private static var rows: [SummaryRow] {
        var regression = RunComparisonTests.row(.wall, ratio: 1.3)
        regression.baseArm = "plain@old"
        regression.arm = .plain
        var invalid = RunComparisonTests.row(.wall, ratio: 2)
        (invalid.verdict, invalid.reason, invalid.cellID) = (.invalid, "answers <differ> & more", "other")
        var undecided = RunComparisonTests.row(.cpu, ratio: 1)
        (undecided.verdict, undecided.isPlanSame) = (.inconclusive, true)
        return [RunComparisonTests.row(.wall, ratio: 1.5), regression, invalid, undecided]
    }

    @Test func `the JSON form holds what the CSV holds`() throws {
        let json = try #require(try JSONValue(parsing: Array(RunFormat.json(Self.rows, run: "r").utf8)).array)
        let table = try CSVTable(SummaryFile.write(Self.rows, run: "r"))
        #expect(json.count == table.rows.count)
        for (object, record) in zip(json, table.rows) {
            for (column, field) in zip(SummaryFile.file.descriptions, record) {
                let value = try #require(object[column.name], "\(column.name)")
                switch column.type {
                case .string: #expect(value.string == field)
                case .boolean: #expect(field.isEmpty ? value == .null : value.bool == (field == "1"))
                case .integer, .number:
                    #expect(field.isEmpty ? value == .null : value.double == Double(field), "\(column.name)")
                }
            }
        }
    }

    @Test func `work that waits is named once`() {
        var wall = RunComparisonTests.row(.wall, ratio: 1.5, base: 1_000)
        var cpu = RunComparisonTests.row(.cpu, ratio: 1.5, base: 990)
        #expect(WaitingText.line([wall, cpu]) == nil)
        (cpu.baseMedian, cpu.armMedian) = (100, 1_400)
        #expect(
            WaitingText.line([wall, cpu, wall, cpu])
                == "Cells that waited (processor time below half of the elapsed time): work/entries=10 (plain 10 %)")
        (cpu.armMedian, cpu.cellID, wall.cellID) = (300, "other", "other")
        #expect(WaitingText.cells([wall, cpu]) == ["other (plain 10 %, cipher 20 %)"])
        wall.verdict = .invalid
        #expect(WaitingText.cells([wall, cpu]).isEmpty)
    }

    @Test func `a regression fails, an invalid row is an error, and that the cipher is slower is neither`() {
        let text = RunFormat.junit(Self.rows, run: "r")
        #expect(text.contains("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""))
        #expect(text.contains("name=\"work/entries=10 wall plain@old plain\"><failure message=\"1.30 [1.29, 1.31]\"/>"))
        #expect(text.contains("<error message=\"2.00 [1.98, 2.02]: answers &lt;differ&gt; &amp; more\"/>"))
        #expect(text.contains("name=\"work/entries=10 wall plain cipher\"/>"))
    }
}
