import CSVText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

struct CSVTests {
    @Test func `samples come back from their file`() throws {
        var samples = CellJudgeTests.samples()
        samples[3].note = "a reason, with \"quotes\"\nand lines"
        samples[3].value = nil
        let read = try SamplesFile.read(
            SamplesFile.header + SamplesFile.rows(samples, run: "r", outliers: SamplesFile.outliers(samples)))
        #expect(read.count == samples.count)
        for (a, b) in zip(samples, read) where a.value != nil {
            #expect(a == b)
        }
        #expect(read[3].note == samples[3].note && read[3].value == nil)
    }

    @Test func `summaries come back from their file`() throws {
        let rows = CellJudge(
            PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: CellJudgeTests.samples()
        ).rows()
        #expect(!rows.isEmpty)
        #expect(try SummaryFile.read(SummaryFile.write(rows, run: "r")) == rows)
    }

    /// Accepted reports are read even if they lack columns that were added later.
    @Test func `a summary from before a column was added is read`() throws {
        var rows = CellJudge(
            PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: CellJudgeTests.samples()
        ).rows()
        rows[0].chanceShare = 0.04
        let table = try CSVTable(SummaryFile.write(rows, run: "r"))
        let index = try #require(table.columns.firstIndex(of: "p_bh"))
        let older = ([table.columns] + table.rows).flatMap { record in
            CSVText.record(record.enumerated().filter { $0.offset != index }.map(\.element))
        }
        let read = try SummaryFile.read(older)
        #expect(read.count == rows.count && read.allSatisfy { $0.chanceShare == nil } && read.last == rows.last)
        #expect(try SummaryFile.read(SummaryFile.write(rows, run: "r")) == rows)
        let withoutVerdicts = try #require(table.columns.firstIndex(of: "verdict"))
        let torn = ([table.columns] + table.rows).flatMap { record in
            CSVText.record(record.enumerated().filter { $0.offset != withoutVerdicts }.map(\.element))
        }
        #expect(throws: Fault.self) { try SummaryFile.read(torn) }
    }

    @Test func `files of another major version are refused`() throws {
        let text = String(
            decoding: SummaryFile.write(
                CellJudge(PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: CellJudgeTests.samples())
                    .rows(), run: "r"), as: UTF8.self)
        let fault = #expect(throws: Fault.self) {
            try SummaryFile.read(Array(text.replacing(SchemaVersion.current, with: "2.0.0").utf8))
        }
        #expect(fault?.code == .unsupported)
        #expect(throws: Never.self) {
            try SummaryFile.read(Array(text.replacing(SchemaVersion.current, with: "1.7.0").utf8))
        }
    }

    @Test func `outliers are marked in the file`() {
        var samples = CellJudgeTests.samples().filter { $0.metric == .wall && $0.arm == .plain && !$0.isWarmUp }
        samples[5].value = 900_000_000
        #expect(SamplesFile.outliers(samples).filter { $0 }.count == 1 && SamplesFile.outliers(samples)[5])
    }
}
