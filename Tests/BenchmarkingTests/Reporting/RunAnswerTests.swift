import TestSupport
import Testing

@testable import Benchmarking

/// The sentences with which a run ends.
struct RunAnswerTests {
    private static func row(
        _ workload: String, _ ratio: Double, _ low: Double, _ high: Double, _ verdict: Verdict, arm: Arm = .cipher,
        metric: Metric = .wall, base: Double = 1_000_000, entries: Int = 10_000
    ) -> SummaryRow {
        SummaryRow(
            cellID: "\(workload)/entries=\(entries)", workload: workload, parameters: "entries=\(entries)",
            metric: metric, baseArm: .plain, arm: arm, baseMedian: base, armMedian: base * ratio,
            estimate: RatioEstimate(ratio: ratio, interval: .init(low: low, high: high, level: 0.95), pairs: 10),
            margin: Margin(0.05), verdict: verdict, version: "v")
    }

    private static let rows = [
        row("control", 1, 0.99, 1.01, .same),
        row("open-raw-key", 1.6, 1.4, 1.9, .slower),
        row("open-passphrase", 401, 390, 420, .slower, arm: .passphrase),
        row("upsert-string", 1.4, 1.3, 1.5, .slower), row("delete", 2.2, 1.9, 2.7, .slower),
        row("first-queries", 2.5, 2.2, 2.9, .slower),
        row("retrieve", 1, 0.98, 1.02, .same), row("exact", 1.01, 0.99, 1.03, .same),
        row("file-size", 1.07, 1.07, 1.07, .slower, metric: .fileBytes),
        row("upsert-string", 9, 8, 10, .slower, entries: 1_000),
    ]

    @Test func `the price is told for the largest size from the intervals`() {
        let sentences = RunAnswer(Self.rows, faults: []).sentences
        #expect(
            sentences.first
                == "Encryption (cipher / plain, 10000 entries): opening +600 us (passphrase +400 ms); writes 1.4 to 2.2 times [1.3, 2.7]; first reads of a connection 2.5 times [2.2, 2.9]; repeated reads the same; file +7 %."
        )
        #expect(sentences.count == 3)
        #expect(sentences[1] == "Of 6 works on the clock 4 slower, 2 the same.")
        #expect(sentences[2].hasPrefix("Valid: yes"))
    }

    @Test func `an interval around 1 is no price and what is open is named`() {
        let rows = [
            Self.row("retrieve", 0.9, 0.8, 1.1, .inconclusive), Self.row("exact", 1.2, 0.9, 1.4, .inconclusive),
            Self.row("open-raw-key", 1.1, 0.9, 1.3, .inconclusive),
        ]
        let sentences = RunAnswer(rows, faults: []).sentences
        #expect(sentences[0].contains("repeated reads without a difference that is shown [0.8, 1.4]"))
        #expect(sentences[0].contains("opening not shown to be slower"))
        #expect(sentences[1] == "Of 3 works on the clock 3 open (more --pairs decide retrieve, exact, open-raw-key).")
    }

    @Test func `a run that is not valid says so and one without a cipher says nothing`() {
        #expect(
            RunAnswer(Self.rows, faults: ["the control moved", "x"]).sentences[2]
                == "Valid: no, the control moved (and 1 more).")
        #expect(RunAnswer([], faults: []).sentences.isEmpty)
        #expect(RunAnswer([], faults: ["x"]).sentences == ["Valid: no, x."])
    }

    @Test func `tables are folded into the width of the terminal and lose nothing`() {
        var table = TextTable([("name", .left), ("figure", .right)])
        table.add(["a rather long name/of=a;cell", "1.00 [0.90, 1.10]"])
        table.add(["short", "2"])
        let folded = table.text(within: 32)
        #expect(folded.split(separator: "\n").allSatisfy { $0.count <= 32 })
        for word in ["rather", "long", "name/", "of=a;", "cell", "0.90,", "short"] {
            #expect(folded.contains(word), "\(word)")
        }
        #expect(table.text(within: 200) == table.text && table.text(within: nil) == table.text)
        #expect(FoldedText.lines("abcdefgh", width: 3) == ["abc", "def", "gh"])
    }

    @Test(arguments: [[1_190.0, 1_260], [3.9, 4.1], [1_000, 10_000], [63_666, 63_666]])
    func `an axis with round ends has round ticks around its values`(values: [Double]) throws {
        let ticks = LogAxis(values, from: 0, width: 100, endsAreRound: true).ticks
        let first = try #require(ticks.first)
        let last = try #require(ticks.last)
        #expect(first <= values[0] * 1.001 && last >= values[1] / 1.001 && ticks.count <= 8)
        for tick in ticks {
            let digits = Figures.fixed(tick, 2).filter { $0 != "0" && $0 != "." }
            #expect(["1", "2", "5"].contains(digits), "\(tick)")
        }
    }
}
