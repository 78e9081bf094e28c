import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Files of a run with one changed field: each is read as what it says or refused with a fault, and no value that was
/// read makes a later step trap.
struct DamagedFileTests {
    static let samples: [UInt8] = {
        var samples = ManifestTests.blocks("control", 0..<8)
        for index in samples.indices where samples[index].arm == .plain {
            samples[index].iterations = 3
        }
        return SamplesFile.header + SamplesFile.rows(samples, run: "r")
    }()

    static let manifest: [UInt8] = {
        let blocks = FinishedBlocks(ManifestTests.blocks("a", 0..<7))
        return ManifestFile.write(
            Manifest(ShardPlan(undivided: ShardPlanTests.cells(["a"]), costs: ShardPlanTests.costs([("a", 0.25)])))
                .delivered(blocks, by: .whole), run: "r")
    }()

    static let report = PlantedReports.report(PlantedReports.record("run"), nullHalfWidth: 0.01) { _, _ in 0 }
    static let summary = SummaryFile.write(Array(report.rows.prefix(5)), run: "r")

    static let record: [UInt8] = {
        var record = RunComparisonTests.record(plans: [.init(cellID: "work/entries=10", arm: .plain, text: "SCAN a")])
        record.suite = [
            SuiteVerdict(
                what: "wall", rows: 12,
                estimate: RatioEstimate(ratio: 1.1, interval: .init(low: 1, high: 1.2, level: 0.95), pairs: 10))
        ]
        return record.json.bytes(.pretty)
    }()

    private static func text(_ bytes: [UInt8], _ part: String, _ other: String) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(part), "\(part) is not in the file")
        return Array(text.replacing(part, with: other).utf8)
    }

    @Test(arguments: [
        (",block_time,500000000,", ",block_time,9223372036854775807,"), (",block_time,500000000,", ",block_time,-1,"),
        (",wall,1000,", ",wall,1000000000000001,"),
        (",3,wall,", ",x,wall,"), (",3,wall,", ",,wall,"), (",3,wall,", ",0,wall,"),
        (",3,wall,", ",9223372036854775807,wall,"), (",first,0,3,", ",first,yes,3,"),
        ("1,5,0,plain", "1,-5,0,plain"), ("1,5,0,plain", "1,9223372036854775807,0,plain"),
    ])
    func `a sample without sense is refused`(part: String, other: String) {
        let fault = #expect(throws: Fault.self) { try SamplesFile.read(Self.text(Self.samples, part, other)) }
        #expect(fault?.code == .syntax && fault?.message.contains("record") == true)
    }

    @Test func `the longest blocks add up`() {
        var blocks = ManifestTests.blocks("a", 0..<10_000)
        for index in blocks.indices {
            blocks[index].value = 1_000_000_000_000_000
        }
        let finished = FinishedBlocks(blocks)
        #expect(finished.seconds == 1e10 && finished.seconds("a") == 1e10)
    }

    @Test(arguments: [
        (",10,2.5,7,0,3.5", ",9223372036854775807,2.5,7,0,3.5"), (",10,2.5,7,0,3.5", ",10001,2.5,7,0,3.5"),
        (",10,2.5,7,0,3.5", ",10,2.5,9223372036854775807,1,3.5"),
        (",10,2.5,7,0,3.5", ",10,1e300,7,0,3.5"), (",10,2.5,7,0,3.5", ",10,2.5,7,0,1e300"),
    ])
    func `a manifest of more than can be measured is refused`(part: String, other: String) {
        let fault = #expect(throws: Fault.self) { try ManifestFile.read(Self.text(Self.manifest, part, other)) }
        #expect(fault?.code == .syntax && fault?.message.hasPrefix("manifest.csv, record ") == true)
    }

    @Test(arguments: [
        ("plain,cipher-off,10,", "plain,cipher-off,ten,"), ("plain,cipher-off,10,", "plain,cipher-off,-1,"),
        (",0.95,0.05,1,", ",0.95,0.05,3,"),
        (",0.95,0.05,1,", ",0.95,,1,"), (",0.95,0.05,1,", ",95,0.05,1,"), (",0.95,0.05,1,", ",0.95,-0.05,1,"),
        (",1.4918246976412703,", ",-1.5,"), (",1.4918246976412703,", ",0,"),
        (",slower,,,,v", ",slower,,2,,v"), (",slower,,,,v", ",slower,,,yes,v"), (",1.4333294145603404,", ",1.9,"),
        (",1.4333294145603404,", ",-1.9,"),
    ])
    func `a summary without sense is refused`(part: String, other: String) {
        let fault = #expect(throws: Fault.self) { try SummaryFile.read(Self.text(Self.summary, part, other)) }
        #expect(fault?.code == .syntax && fault?.message.contains("record") == true)
    }

    /// A missing or misspelt field must not be read as a valid run, as another seed, or as fewer cells.
    @Test(arguments: [
        ("\"faults\": [],", ""), ("\"faults\": [],", "\"faults\": [1],"), ("\"faults\": [],", "\"faults\": null,"),
        ("\"valid\": true", "\"valid\": false"),
        ("\"seed\": \"1\"", "\"seed\": \"one\""), ("\"work/entries=10\": \"v\"", "\"work/entries=10\": 1"),
        ("\"generated/entries=10\": \"h\"", "\"generated/entries=10\": null"),
        ("\"cells\"", "\"cell\""), ("\"corpora\"", "\"corpus\""), ("\"seconds\": 1,", "\"seconds\": 1e999,"),
        ("\"seconds\": 1,", "\"seconds\": -1,"), ("\"seconds\": 1,", ""),
        ("\"ratio\": 1.1", "\"ratio\": \"1.1\""), ("\"plain\": \"SCAN a\"", "\"plain\": 1"),
    ])
    func `a record without sense is refused`(part: String, other: String) {
        let fault = #expect(throws: Fault.self) { try RunRecord(json: Self.text(Self.record, part, other)) }
        #expect(fault?.code == .invalidJSON && fault?.message.contains("run.json") == true)
    }

    @Test func `ratios of any size can be reported`() {
        var row = Self.report.rows[0]
        row.workload = Control.workload
        row.estimate = RatioEstimate(ratio: 1e30, interval: nil, pairs: 1)
        #expect(RunJudge.faults(in: [row]).first?.contains("is 1e+30: this machine") == true)
        var control = ManifestTests.blocks(Control.workload, 0..<9)
        for index in control.indices {
            control[index].iterations = control[index].block < 3 ? 1_000_000_000_000_000 : 1
        }
        for index in control.indices where control[index].block > 5 {
            control[index].value = 1_000_000_000_000_000
        }
        #expect(ControlDrift.fault(control)?.contains("the control drifted") == true)
        #expect(
            Figures.fixed(999_999_999_999_999, 4) == "?" && Figures.fixed(123_456_789_012, 4) == "123456789012.0000"
                && Figures.duration(.nan) == "?")
    }

    @Test(arguments: ["entries=-5", "entries=0", "entries=1000001", "entries=9223372036854775807", "entries=x"])
    func `a size that no run has names no cells`(parameters: String) { #expect(RunReport.entries(parameters) == nil) }

    @Test func `a budget of any length is taken`() {
        let setting = RunSetting(
            scope: CellScope(profile: Profile(.smoke)), executable: "", workerArguments: [], dataFolder: "")
        for budget in [0, -1, 1e-300, 2.16e10, 1e300, .infinity, .nan] {
            #expect(throws: Never.self) { try Runner(setting, timeBudget: budget).run([]) { _ in } }
        }
    }

    /// A worker may be another build of the program, or another program: what it leaves out or misspells is a fault,
    /// never one sample less.
    @Test func `an answer that cannot be read is a fault`() throws {
        let good: JSONValue = ["digest": "ab", "marker": false, "plan": "p", "memory": 1]
        #expect(try WorkerMessage.check(good) == .init(digest: "ab", marker: false, plan: "p", memory: 1))
        #expect(try WorkerMessage.check(["digest": "ab"]) == .init(digest: "ab", marker: nil, plan: nil, memory: nil))
        let answers: [JSONValue] = [
            ["marker": true], ["digest": "ab", "marker": "no"], ["digest": "ab", "plan": 1],
            ["digest": "ab", "memory": -1], ["digest": 1],
        ]
        for answer in answers {
            #expect(throws: Fault.self) { try WorkerMessage.check(answer) }
        }
        let sample: JSONValue = ["metric": "wall", "warm": false, "iterations": 1, "value": 5]
        #expect(try WorkerMessage.measurements(["samples": [sample]]).count == 1)
        for (name, value) in [
            ("value", 1_000_000_000_000_001), ("value", -1), ("iterations", 0), ("iterations", "1"), ("warm", .null),
            ("metric", 5),
        ] as [(String, JSONValue)] {
            var broken = sample.object ?? JSONObject()
            broken[name] = value
            #expect(throws: Fault.self) { try WorkerMessage.measurements(["samples": [sample, .object(broken)]]) }
        }
        #expect(throws: Fault.self) { try WorkerMessage.measurements(["sample": [sample]]) }
        #expect(throws: Fault.self) { try WorkerMessage.definition([:]) }
    }

    @Test(arguments: ["[60,-5]", "[9223372036854775807]", "[60,\"x\"]", "60", "[1000001]"])
    func `a scope that cannot be is refused`(sizes: String) throws {
        let json = try JSONValue(parsing: Self.text(CellScope(profile: Profile(.smoke)).json.bytes(), "[60]", sizes))
        let fault = #expect(throws: Fault.self) { try CellScope(json: json, SoupCells()) }
        #expect(fault?.code == .invalidArguments)
    }

    /// A shard that claims to be the whole run, with more blocks than a run can have.
    @Test func `a shard of more blocks than can be is refused`() throws {
        let folder = try TemporaryFolder()
        let run = RunFolder(path: folder.path)
        try run.begin()
        try run.write(RunComparisonTests.record(), Manifest([]))
        for pairs in ["9223372036854775807", "1000000000000"] {
            try run.write(Self.text(Self.manifest, ",10,2.5,7,0,3.5", ",\(pairs),2.5,7,0,3.5"), to: "manifest.csv")
            let fault = #expect(throws: Fault.self) { try ShardSet(folders: [folder.path]) }
            #expect(fault?.code == .syntax)
        }
    }
}
