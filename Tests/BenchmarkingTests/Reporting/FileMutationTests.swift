import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Real files and messages with a byte or a field changed at random: reading them, and computing with what was read,
/// gives a value or a fault.
struct FileMutationTests {
    enum Kind: String, CaseIterable, Sendable {
        case samples, summary, manifest, baselines, record, scope, request, answer

        var texts: [[UInt8]] {
            switch self {
            case .samples: [DamagedFileTests.samples]
            case .summary: [DamagedFileTests.summary]
            case .manifest: [DamagedFileTests.manifest]
            case .baselines:
                [
                    Array(
                        "fingerprint,profile,corpus,run_id,accepted_utc\nf,quick,generated,run,2026-01-01T00:00:00Z\n"
                            .utf8)
                ]
            case .record: [DamagedFileTests.record]
            case .scope: [FileMutationTests.scope]
            case .request:
                [
                    WorkerMessage.begin(CellScope(profile: Profile(.smoke))), WorkerMessage.step("run", .plain),
                    WorkerMessage.step("check", .cipher),
                    // A cell that does not exist, because an existing one would be measured.
                    [
                        "do": "prepare", "cell": "none/entries=10", "arm": "plain", "work": "plain", "folder": "f",
                        "templates": "t", "seed": "1", "masters": .null,
                    ],
                ].map { $0.bytes() }
            case .answer:
                [
                    [
                        "samples": .array([
                            ArmBench.Measurement(metric: .wall, warm: false, iterations: 12, value: 20_000_000).json
                        ])
                    ], ["version": "1f0c"],
                    ["digest": "ab", "marker": true, "plan": "SCAN a", "memory": 4_096],
                ].map { (json: JSONValue) in json.bytes() }
            }
        }
    }

    private static let scope: [UInt8] = {
        let questions = CorpusQuestions(
            keyPath: "k", keys: [.string("a"), .integer(5), .floating(0.5)], markers: [Array("m".utf8)])
        let documents = DocumentCorpus(
            path: "d.jsonl", indexes: [.string("k")], count: 7, hash: "h", questions: questions)
        return CellScope(profile: Profile(.full), sizes: [60, 1_000], seed: 3, documents: documents).json.bytes()
    }()

    @Test(arguments: Kind.allCases)
    func `damage gives a value or a fault`(kind: Kind) throws {
        let folder = try TemporaryFolder()
        let seed: UInt64 = 61_121
        var mutator = FieldMutator(seed: seed)
        var values = 0
        let texts = kind.texts
        let rounds = 500
        for text in texts {
            #expect(throws: Never.self, "\(kind) as it was written") { try Self.use(text, kind, folder) }
        }
        for round in 0..<rounds {
            let text = mutator.damaged(texts[round % texts.count])
            do throws(Fault) {
                try Self.use(text, kind, folder)
                values += 1
            } catch {
                #expect(!error.message.isEmpty, "seed \(seed), round \(round)")
            }
        }
        #expect(values > 0 && values < rounds, "seed \(seed): damage is sometimes seen, and sometimes harmless")
    }

    private static func use(_ text: [UInt8], _ kind: Kind, _ folder: TemporaryFolder) throws(Fault) {
        let shown = String(decoding: text, as: UTF8.self)
        func json() throws(Fault) -> JSONValue {
            do { return try JSONValue(parsing: text) } catch { throw Fault(.invalidJSON, error.message) }
        }
        switch kind {
        case .samples:
            let samples = try SamplesFile.read(text)
            let cells = ControlCells.cells(CellScope(profile: Profile(.smoke)))
            let rows = RunJudge(cells.map { PlannedCell($0, profile: Profile(.quick)) }, samples: samples).rows()
            _ = (
                RunJudge.faults(in: rows), ControlDrift.fault(samples),
                SampleRemarks.memory(samples, runnerGrowth: nil), FinishedBlocks(samples).seconds
            )
            let again = try SamplesFile.read(
                SamplesFile.header + SamplesFile.rows(samples, run: "r", outliers: SamplesFile.outliers(samples)))
            #expect(again == samples || samples.contains { $0.value == nil }, "\(shown)")
            #expect(throws: Never.self, "\(shown)") { try SummaryFile.read(SummaryFile.write(rows, run: "r")) }
        case .summary:
            let rows = try SummaryFile.read(text)
            let stored = DamagedFileTests.report
            let new = StoredReport(record: stored.record, rows: rows)
            _ = (
                RunComparison(new: new, stored: stored).suite, RunComparison(new: stored, stored: new).suspects,
                ForestPlot(title: "t", rows: rows).svg
            )
            #expect(try SummaryFile.read(SummaryFile.write(rows, run: "r")) == rows, "\(shown)")
        case .manifest:
            let manifest = try ManifestFile.read(text)
            var costs = CostTable()
            costs.add(manifest, from: .init(runID: "r", machine: "m"))
            _ = (costs.expected("a").map { Figures.duration($0 * 1_000) }, manifest.differences(from: Manifest([])))
            #expect(try ManifestFile.read(ManifestFile.write(manifest, run: "r")) == manifest, "\(shown)")
            try Folders.make(folder.file("run"))
            let run = RunFolder(path: folder.file("run"))
            try run.write(DamagedFileTests.samples, to: "samples.csv")
            try run.write(RunComparisonTests.record(), manifest)
            #expect(throws: Fault.self) { try ShardSet(folders: [run.path]) }
        case .baselines:
            try RunFolder(path: folder.path).write(text, to: "baselines.csv")
            for entry in try Baselines(folder: folder.path).entries() {
                #expect(!entry.runID.contains("/") && !entry.fingerprint.contains("/"), "\(shown)")
            }
        case .record:
            let record = try RunRecord(json: text)
            let again = try RunRecord(json: record.json.bytes())
            #expect(again.json == record.json && !record.id.contains("/"), "\(shown)")
            _ = (record.library(of: .cipher), record.settings(of: .plain), Baselines.corpus(of: record))
        case .scope: _ = SoupCells().cells(try CellScope(json: try json(), SoupCells())).map(\.version)
        case .request:
            var session = Worker.Session(catalogue: SoupCells())
            do throws(Fault) {
                _ = try session.answer(try json())
            } catch {
                // A changed message may ask for a step before its arm was prepared.
                if !error.message.hasSuffix("was not prepared") {
                    throw error
                }
            }
        case .answer:
            let answer = try json()
            if answer["samples"] != nil {
                _ = try WorkerMessage.measurements(answer)
            } else if answer["version"] != nil {
                _ = try WorkerMessage.definition(answer)
            } else {
                _ = try WorkerMessage.check(answer)
            }
        }
    }
}

/// Changes a byte, a few bytes, or a whole field of a text.
private struct FieldMutator {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private static let fields = [
        "", "0", "-1", "1", "x", "nan", "inf", "1e999", "-0", "0.5", "1e-300", "1e300", "1000000000000000",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "..", "../x", "a/b", "1/1000", "0/0", "null", "true", "[]", "\u{0}", "\u{FEFF}", "\"", ",",
        "entries=9223372036854775807", "generated/entries=-1",
    ].map { Array($0.utf8) }
    private static let ends = Set(",:\"\n {}[]".utf8)

    mutating func damaged(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard !text.isEmpty else { break }
            let index = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: text[index] = UInt8.random(in: 0...255, using: &random)
            case 1: text.remove(at: index)
            case 2: text.removeSubrange(index..<min(text.count, index + Int.random(in: 1...40, using: &random)))
            case 3:
                text.insert(
                    contentsOf: text[index..<min(text.count, index + Int.random(in: 1...40, using: &random))], at: index
                )
            default:
                let start = text[..<index].lastIndex { Self.ends.contains($0) }.map { $0 + 1 } ?? 0
                let end = text[index...].firstIndex { Self.ends.contains($0) } ?? text.count
                text.replaceSubrange(
                    start..<max(start, end), with: Self.fields[Int.random(in: 0..<Self.fields.count, using: &random)])
            }
        }
        return text
    }
}
