import Soups
import TestSupport
import Testing

@testable import Benchmarking

struct CSVTests {
    @Test(arguments: [
        (["a", "b"], "a,b\n"), (["a,b", "c\"d"], "\"a,b\",\"c\"\"d\"\n"), (["line\nbreak", ""], "\"line\nbreak\",\n"),
        ([""], "\"\"\n"), ([" a"], "\" a\"\n"),
        (["\r", "é\u{1F600}"], "\"\r\",é\u{1F600}\n"),
    ])
    func recordsAreWrittenAsTheStandardSaysAndReadBack(fields: [String], text: String) throws {
        #expect(CSVText.record(fields) == Array(text.utf8))
        #expect(try CSVText.records(Array(text.utf8)) == [fields])
    }

    @Test func linesMayEndInAnyWayAndTheLastInNone() throws {
        #expect(try CSVText.records(Array("a,b\r\nc,\"d\"\r\n".utf8)) == [["a", "b"], ["c", "d"]])
        #expect(try CSVText.records(Array("a,b\nc,d".utf8)) == [["a", "b"], ["c", "d"]])
        #expect(try CSVText.records(Array("a,".utf8)) == [["a", ""]])
        #expect(try CSVText.records([]) == [])
    }

    @Test(arguments: [("a,\"b", 2), ("\"a\"b,c", 3), ("a\"b", 1)])
    func brokenTextsAreRefusedWithTheirOffset(text: String, offset: Int) {
        let fault = #expect(throws: Fault.self) { try CSVText.records(Array(text.utf8)) }
        #expect(fault?.code == .syntax && fault?.offset == offset)
    }

    @Test func textThatIsNoUTF8IsRefused() {
        #expect(throws: Fault.self) { try CSVText.records([0x61, 0xFF, 0x0A]) }
    }

    @Test func randomRecordsComeBackAsTheyWere() throws {
        var random = SeededRandom(seed: 4_180)
        let letters: [Character] = ["a", ",", "\"", "\n", "\r", " ", "é", "x"]
        for _ in 0..<500 {
            let records = (0..<3).map { _ in
                (0..<4).map { _ in
                    String(
                        (0..<Int.random(in: 0...5, using: &random)).map { _ in
                            letters[Int.random(in: 0..<8, using: &random)]
                        })
                }
            }
            #expect(try CSVText.records(records.flatMap { CSVText.record($0) }) == records, "seed \(random.seed)")
        }
    }

    @Test func samplesComeBackFromTheirFile() throws {
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

    @Test func summariesComeBackFromTheirFile() throws {
        let rows = CellJudge(
            PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: CellJudgeTests.samples()
        ).rows()
        #expect(!rows.isEmpty)
        #expect(try SummaryFile.read(SummaryFile.write(rows, run: "r")) == rows)
    }

    /// Accepted reports are read even if they lack columns that were added later.
    @Test func aSummaryFromBeforeAColumnWasAddedIsRead() throws {
        var rows = CellJudge(
            PlannedCell(CellJudgeTests.cell, profile: Profile(.quick)), samples: CellJudgeTests.samples()
        ).rows()
        rows[0].chanceShare = 0.04
        let table = try CSVTable(SummaryFile.write(rows, run: "r"))
        let place = try #require(table.columns.firstIndex(of: "p_bh"))
        let older = ([table.columns] + table.rows).flatMap { record in
            CSVText.record(record.enumerated().filter { $0.offset != place }.map(\.element))
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

    @Test func filesOfAnotherMajorVersionAreRefused() throws {
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

    @Test func outliersAreMarkedInTheFile() {
        var samples = CellJudgeTests.samples().filter { $0.metric == .wall && $0.arm == .plain && !$0.isWarmUp }
        samples[5].value = 900_000_000
        #expect(SamplesFile.outliers(samples).filter { $0 }.count == 1 && SamplesFile.outliers(samples)[5])
    }
}
