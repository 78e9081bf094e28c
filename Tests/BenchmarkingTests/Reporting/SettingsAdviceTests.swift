import Foundation
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// What `soup tune` advises.
@Suite struct SettingsAdviceTests {
    private func row(
        _ work: String, _ setting: String, _ arm: Arm, _ low: Double, _ high: Double, _ verdict: Verdict
    ) -> SummaryRow {
        let interval = RatioEstimate.Interval(low: low, high: high, level: 0.95)
        return SummaryRow(
            cellID: "settings-\(work)/\(setting)", workload: "settings-\(work)", parameters: setting, metric: .wall,
            baseArm: arm.backend, arm: arm, baseMedian: 100, armMedian: 100 * low,
            estimate: RatioEstimate(ratio: (low + high) / 2, interval: interval, pairs: 10), margin: Margin(0.05),
            verdict: verdict, version: "v")
    }

    private static let hash = "cache=16;corpus=own;entries=60;hmac=sha256;indexes=given;page=4096"
    private static let page = "cache=16;corpus=own;entries=60;hmac=sha512;indexes=given;page=8192"

    @Test func `a setting is worth it if it is faster in some work and slower in none`() throws {
        let set = Arm("cipher", "set")
        let advice = SettingsAdvice([
            row("cold", Self.hash, set, 0.6, 0.7, .faster), row("write", Self.hash, set, 0.98, 1.02, .same),
            row("cold", Self.page, set, 0.5, 0.6, .faster), row("cached", Self.page, set, 1.2, 1.3, .slower),
            row("cold", Self.page, Arm("plain", "set"), 0.9, 1.3, .inconclusive),
        ])
        #expect(advice.lines.map(\.setting) == ["hmac=sha256", "page=8192", "page=8192"])
        #expect(advice.lines.map(\.outcome) == [.take, .trade, .unknown])
        #expect(advice.text.contains("cipher: worth it with these documents on this machine: hmac=sha256; depends"))
        #expect(advice.text.contains("0.65 [0.60, 0.70]"))
        #expect(advice.text.contains("plain: not decided, measure with more --pairs: page=8192"))
    }

    @Test func `rows of other cells, of the price of encryption and of counters say nothing`() {
        var price = row("cold", Self.hash, Arm("cipher", "set"), 2, 3, .slower)
        price.baseArm = Arm("plain", "set")
        var steps = row("cold", Self.hash, Arm("cipher", "set"), 1, 1, .same)
        steps.metric = .vmSteps
        let other = row("none", Self.hash, Arm("cipher", "set"), 2, 3, .slower)
        #expect(SettingsAdvice([price, steps, other]).lines.isEmpty)
        #expect(SettingsAdvice([]).text == "no setting was compared with the defaults: see the report\n")
    }

    @Test func `one row that is not valid makes the setting not valid, and without gains the defaults stay`() {
        let set = Arm("plain", "set")
        let bad = SettingsAdvice([
            row("cold", Self.page, set, 0.5, 0.6, .faster), row("write", Self.page, set, 0.5, 0.6, .invalid),
        ])
        #expect(bad.lines.map(\.outcome) == [.notValid])
        let slow = SettingsAdvice([row("cold", Self.page, set, 1.5, 1.6, .slower)])
        #expect(slow.lines.map(\.outcome) == [.avoid] && slow.text.hasSuffix("plain: keep the defaults\n"))
    }

    @Test func `tune measures a user's documents and prints a table of settings`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("own.jsonl")
        let lines = (0..<40).map { "{\"k\":\"key \($0)\",\"t\":\"red fox number \($0)\"}\n" }.joined()
        try lines.write(toFile: file, atomically: true, encoding: .utf8)
        let program = BenchProgram(folder: folder.path)
        let ended = try program.run([
            "tune", "--documents", file, "--index", "k:string", "--index", "t:full_text", "--profile", "smoke",
            "--pairs", "1", "--filter", "indexes=no-text", "--filter", "page=8192", "--commit", "c", "--data-dir",
            folder.path, "--allow-tmpfs", "--costs", folder.path + "/no-reports", "--output", folder.file("run"),
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output.hasPrefix("time relative to the defaults"))
        #expect(ended.output.contains("indexes=no-text") && ended.output.contains("page=8192"))
        #expect(!ended.output.contains("cache=64"))
        let refused = try program.run(["tune", "--index", "k:string"])
        #expect(refused.code == 2)
    }
}
