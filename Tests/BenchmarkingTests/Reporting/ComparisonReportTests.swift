import JSONText
import Soups
import Testing

@testable import Benchmarking

/// Lists, the suite as a whole, and the forms in which a check is shown.
struct ComparisonReportTests {
    private static let stored = PlantedReports.report(PlantedReports.record("stored"), halfWidth: 0.03) { _, _ in 0 }

    private static func comparison(
        _ id: String = "new", fingerprint: String = "f", change: @escaping (Int, Int) -> Double
    ) -> RunComparison {
        RunComparison(
            new: PlantedReports.report(
                PlantedReports.record(id, fingerprint: fingerprint), halfWidth: 0.03, change: change), stored: stored)
    }

    private static func report(
        _ comparison: RunComparison, confirmedBy second: RunComparison? = nil
    ) -> ComparisonReport {
        ComparisonReport(
            comparison, confirmedBy: second, new: PlantedReports.record("new"), stored: PlantedReports.record("stored"),
            outcome: CheckOutcome(comparison, confirmedBy: second, faults: [], isStrict: false))
    }

    // MARK: - Lists

    @Test func `one row that is better by little among many is not listed and many such rows are`() {
        // One of 45 rows is faster by just more than its margin, which chance alone would bring.
        let one = Self.comparison { cell, index in cell == 3 && index == 0 ? -0.105 : 0 }
        #expect(one.rows.contains { $0.kind == .ratio && $0.verdict == .faster && !$0.isListed })
        #expect(!Self.report(one).make(.text).contains("Better"))
        let many = Self.comparison { cell, _ in cell < 10 ? -0.105 : 0 }
        #expect(many.rows.count { $0.kind == .ratio && $0.isListed } == 30)
        #expect(
            Self.report(many).make(.text).contains(
                "at most 5 % are expected to be there by chance (Benjamini-Hochberg over 45 ratios"))
    }

    @Test func `rows that the gate's correction refuses are still listed if there are many of them`() {
        let comparison = Self.comparison { cell, _ in cell < 10 ? 0.105 : 0 }
        let refused = comparison.rows.filter { $0.reason == "slower, but not after correction for all ratios" }
        #expect(refused.count == 30 && refused.allSatisfy { $0.verdict == .inconclusive && $0.isListed })
        #expect(
            comparison.suspects.isEmpty && Self.report(comparison).make(.text).contains("Slower here, not confirmed:"))
    }

    /// 45 unchanged ratios in a run: how often a list has any entry, by its own rule and by single intervals.
    @Test func `lists of unchanged runs are nearly always empty`() {
        let seed: UInt64 = 95
        var random = SplitMix(seed: seed)
        var listed = 0
        var bySingleIntervals = 0
        for _ in 0..<100 {
            // Each ratio changed by exactly the margin (0.0488 is ln 1.05), the worst case that counts as unchanged.
            // The noise is as wide as the intervals of both runs together.
            let comparison = Self.comparison { _, _ in 0.0488 + Simulated.normal(&random) * 0.047 / 1.96 }
            if comparison.rows.contains(where: { $0.kind == .ratio && $0.isListed }) {
                listed += 1
            }
            if comparison.rows.contains(where: { $0.kind == .ratio && ($0.change?.interval?.low ?? 0) > 1.05 }) {
                bySingleIntervals += 1
            }
        }
        print(
            "list on the margin's edge, seed \(seed): something in it in \(listed) of 100 runs; by single intervals in \(bySingleIntervals)"
        )
        #expect(listed <= 10 && bySingleIntervals > 40)
    }

    // MARK: - The suite as a whole

    @Test func `a small change of all rows is found though each row alone is undecided`() throws {
        let seed: UInt64 = 9
        var random = SplitMix(seed: seed)
        func noisy(_ change: Double) -> RunComparison {
            Self.comparison { _, _ in change + Simulated.normal(&random) * 0.01 }
        }
        let first = noisy(0.08)
        let second = noisy(0.08)
        #expect(first.regressions(confirmedBy: second).isEmpty && first.suspects.isEmpty, "seed \(seed)")
        let suite = try #require(first.suite)
        #expect(suite.verdict == .slower && suite.gates && suite.rows == 45)
        #expect(
            CheckOutcome(first, confirmedBy: nil, faults: [], isStrict: false) == .nothingSlower,
            "one session alone is not enough")
        #expect(CheckOutcome(first, confirmedBy: noisy(0), faults: [], isStrict: false) == .nothingSlower)
        #expect(CheckOutcome(first, confirmedBy: second, faults: [], isStrict: false) == .regression)
        #expect(noisy(0).suite?.verdict == .same)
        // Informational on another kind of machine, where without counters nothing gates.
        let other = Self.comparison(fingerprint: "other") { _, _ in 0.3 }
        #expect(
            other.suite?.gates == false
                && CheckOutcome(other, confirmedBy: other, faults: [], isStrict: false) == .incomparable)
    }

    @Test func `a confirmation of fewer rows does not confirm the suite`() {
        let first = Self.comparison { _, _ in 0.08 }
        let part = PlantedReports.report(PlantedReports.record("part"), halfWidth: 0.03) { _, _ in 0.08 }
        let fewer = StoredReport(record: part.record, rows: Array(part.rows.prefix(12)))
        #expect(!first.isSuiteSlower(confirmedBy: RunComparison(new: fewer, stored: Self.stored)))
        #expect(first.isSuiteSlower(confirmedBy: Self.comparison { _, _ in 0.08 }))
    }

    @Test func `the mean of changes knows what its rows share`() throws {
        let row = StoredRatioTests.estimate(0.1, halfWidth: 0.05)
        func half(_ groups: [[GeometricMean.Change]]) throws -> Double {
            try #require(GeometricMean.estimate(groups: groups)?.halfWidth)
        }
        // 16 groups of one: a quarter of one row's. One group of 16: no better than one row. What all share stays.
        #expect(abs(try half(Array(repeating: [.init(row, common: 0)], count: 16)) - 0.0125) < 1e-9)
        #expect(abs(try half([Array(repeating: .init(row, common: 0), count: 16)]) - 0.05) < 1e-9)
        #expect(abs(try half(Array(repeating: [.init(row, common: 0.05)], count: 16)) - 0.05) < 1e-9)
        #expect(
            GeometricMean.estimate(groups: [[.init(RatioEstimate(ratio: 2, interval: nil, pairs: 2), common: 0)]])
                == nil)
    }

    // MARK: - Forms

    @Test func `the CSV form has the documented columns and the JSON form the same fields`() throws {
        let report = Self.report(
            Self.comparison { cell, _ in cell == 1 ? 0.5 : 0 },
            confirmedBy: Self.comparison { cell, _ in cell == 1 ? 0.5 : 0 })
        let table = try CSVTable(Array(report.make(.csv).utf8))
        #expect(table.columns == ComparisonFile.file.descriptions.map(\.name))
        let kind = try table.column("kind")
        let regression = try table.column("regression")
        #expect(table.rows.count { kind($0) == "ratio" } == 45 && table.rows.count { kind($0) == "suite" } == 1)
        #expect(table.rows.count { regression($0) == "1" } == 3)
        for row in table.rows {
            for (column, field) in zip(ComparisonFile.file.descriptions, row) where !field.isEmpty {
                switch column.type {
                case .integer, .number: #expect(Double(field) != nil, "\(column.name)")
                case .boolean: #expect(field == "0" || field == "1", "\(column.name)")
                case .string: break
                }
            }
        }
        let json = try #require(try JSONValue(parsing: Array(report.make(.json).utf8)).array)
        #expect(json.count == table.rows.count && json.count { $0["regression"]?.bool == true } == 3)
    }

    @Test func `only what makes the check red fails in JUnit`() {
        let slow = Self.comparison { cell, _ in cell == 1 ? 0.5 : 0 }
        let confirmed = Self.report(slow, confirmedBy: slow).make(.junit)
        #expect(
            confirmed.contains("tests=\"46\" failures=\"3\" errors=\"0\" skipped=\"1\""), "\(confirmed.prefix(200))")
        #expect(
            Self.report(slow).make(.junit).contains("failures=\"0\"")
                && Self.report(slow).make(.junit).contains("slower here, not confirmed"))
    }

    @Test func `the markdown form has the same sections as the text`() {
        let slow = Self.comparison { cell, _ in cell == 1 ? 0.5 : 0 }
        let report = Self.report(slow, confirmedBy: slow)
        #expect(report.make(.text).contains("\nREGRESSIONS, confirmed:\ncell "))
        #expect(
            report.make(.markdown).contains("### REGRESSIONS, confirmed\n\n| cell | what |")
                && report.make(.markdown).contains("- check: regression"))
        #expect(
            report.make(.text).contains("\nThe suite as a whole: 1.0")
                && report.make(.text).hasSuffix("check: regression, compared 45 of 45 gating rows\n"))
    }
}
