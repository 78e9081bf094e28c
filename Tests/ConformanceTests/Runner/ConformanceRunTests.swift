import Conformance
import FoundationEssentials
import JSONText
import TestSupport
import Testing

@Suite struct ConformanceRunTests {
    private func run(_ files: [VectorFile], expected: ExpectedFailures = ExpectedFailures()) -> [CaseResult] {
        let run = ConformanceRun(files: files)
        run.run(
            on: ConformanceRun.Arm(name: "echo") { () throws(UnavailableBackEnd) in EchoBackEnd() }, expected: expected)
        return run.results
    }

    private func vectors(_ cases: String...) throws -> [VectorFile] {
        try RunnerVectors.files(text: #"{"format": 1, "area": "area", "cases": [\#(cases.joined(separator: ","))]}"#)
    }

    private func vector(_ id: String, _ steps: String, requires: String = "[]") -> String {
        #"{"id": "\#(id)", "title": "t", "requires": \#(requires), "steps": [\#(steps)]}"#
    }

    @Test func `cases that must pass do`() throws {
        let results = run(try RunnerVectors.files("must-pass.json"))
        #expect(results.count == 20)
        for result in results {
            #expect(result.status == .pass, "\(result.id): \(result.detail)")
        }
    }

    @Test func `cases that must fail do and the report says where`() throws {
        let results = run(try RunnerVectors.files("must-fail.json"))
        let cases = try #require(try JSONValue(parsing: RunnerVectors.bytes("must-fail.json"))["cases"]?.array)
        #expect(results.count == 36)
        #expect(results.count == cases.count)
        for (result, vectorCase) in zip(results, cases) {
            let detail = try #require(vectorCase["x-detail"]?.string)
            #expect(result.status == .fail, "\(result.id)")
            #expect(result.detail.contains(detail), "\(result.id): \(result.detail)")
        }
    }

    @Test func `the alternative that was taken is in the report`() throws {
        let results = run(try RunnerVectors.files("must-pass.json"))
        let row = try #require(results.first { $0.id == "pass-one-of" })
        #expect(row.detail == "returns matches alternative 2 of 2; returns.a matches alternative 3 of 3")
    }

    @Test func `missing capability is a skip with its name`() throws {
        let files = try vectors(
            vector("one", #"{"call": "querySoup", "args": {}}"#, requires: #"["json1", "fts5"]"#),
            vector("two", #"{"call": "odata.parseFilter", "args": {}}"#),
            vector("three", #"{"call": "querySoup", "args": {}}"#))
        let run = ConformanceRun(files: files)
        run.run(
            on: ConformanceRun.Arm(name: "echo") { () throws(UnavailableBackEnd) in EchoBackEnd(capabilities: [.json1])
            })
        #expect(run.results.map(\.status) == [.skip, .skip, .pass])
        #expect(run.results.map(\.detail) == ["requires fts5", "requires odata", ""])
        #expect(
            ConformanceReport(run.results).skipLines == [
                "skipped on echo: 1 cases: requires fts5", "skipped on echo: 1 cases: requires odata",
            ])
    }

    @Test func `case of a later part of the contract is a skip even if the back end has it`() throws {
        let files = try vectors(
            vector("one", #"{"call": "odata.neverHeardOf", "args": {}, "odd": 1}"#, requires: #"["soupTokens"]"#),
            vector("two", #"{"call": "querySoup", "args": {}}"#))
        let run = ConformanceRun(files: files)
        run.run(
            on: ConformanceRun.Arm(name: "echo") { () throws(UnavailableBackEnd) in
                EchoBackEnd(capabilities: [Capability(rawValue: "soupTokens")])
            })
        #expect(run.results.map(\.status) == [.skip, .pass])
        #expect(run.results.map(\.detail) == ["requires soupTokens", ""])
    }

    @Test func `crash and timeout are statuses and the next case has a new back end`() throws {
        let files = try vectors(
            vector("a", #"{"call": "querySoup", "args": {"crash": 1}}"#),
            vector("b", #"{"call": "querySoup", "args": {"hang": 1}}"#),
            vector("c", #"{"call": "querySoup", "args": {}}"#), vector("d", #"{"call": "querySoup", "args": {}}"#))
        var made: [EchoBackEnd] = []
        let run = ConformanceRun(files: files)
        run.run(
            on: ConformanceRun.Arm(name: "echo") { () throws(UnavailableBackEnd) in
                made.append(EchoBackEnd())
                return made[made.count - 1]
            })
        #expect(run.results.map(\.status) == [.crash, .timeout, .pass, .pass])
        #expect(made.map(\.resets) == [1, 1, 2])
        #expect(made.map(\.isClosed) == [true, true, true])
        #expect(ConformanceReport(run.results).isRed)
    }

    @Test func `fault in a fixture is an error not a failure`() throws {
        let text = """
            {"format": 1, "area": "a", "fixtures": {"f": {"soups": [{"soupName": "s", "indexSpecs": []}]}},
             "cases": [{"id": "one", "title": "t", "fixture": "f", "steps": [{"call": "querySoup", "args": {}}]}]}
            """
        final class Refusing: CallBackEnd {
            let name = "refusing"
            let capabilities: Set<Capability> = []
            func reset() throws(CallFailure) {}
            func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue { throw .broken("no") }
            func close() {}
        }
        let run = ConformanceRun(files: try RunnerVectors.files(text: text))
        run.run(on: ConformanceRun.Arm(name: "refusing") { () throws(UnavailableBackEnd) in Refusing() })
        #expect(run.results.map(\.status) == [.error])
        #expect(run.results.map(\.detail) == ["fixture f, registerSoup: no"])
    }

    @Test func `back end that is not there is skipped by name or red where required`() throws {
        let files = try vectors(vector("one", #"{"call": "querySoup", "args": {}}"#))
        let arm = ConformanceRun.Arm(name: "cipher") { () throws(UnavailableBackEnd) in
            throw UnavailableBackEnd(reason: "no SQLCipher")
        }
        for (isRequired, status) in [(false, CaseStatus.skip), (true, .error)] {
            let run = ConformanceRun(files: files)
            run.run(on: arm, isRequired: isRequired)
            #expect(run.results.map(\.status) == [status])
            #expect(run.results.map(\.detail) == ["no SQLCipher"])
        }
    }

    @Test func `results of two back ends are compared byte for byte`() throws {
        final class Fixed: CallBackEnd {
            let name: String
            let result: JSONValue
            let capabilities: Set<Capability> = []
            init(name: String, result: JSONValue) { (self.name, self.result) = (name, result) }
            func reset() throws(CallFailure) {}
            func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue { result }
            func close() {}
        }
        let files = try vectors(
            vector("one", #"{"call": "querySoup", "args": {}, "returns": {"a": 1}}"#),
            vector("two", #"{"call": "getDatabaseSize", "args": {}}"#))
        let run = ConformanceRun(files: files)
        run.run(
            on: ConformanceRun.Arm(name: "x") { () throws(UnavailableBackEnd) in
                Fixed(name: "x", result: ["a": 1, "b": 2])
            })
        run.run(
            on: ConformanceRun.Arm(name: "y") { () throws(UnavailableBackEnd) in
                Fixed(name: "y", result: ["b": 2, "a": 1])
            })
        #expect(run.results.map(\.status) == [.pass, .pass, .fail, .pass])
        #expect(run.results[2].detail.contains("the bytes differ from those of x"))
    }

    // MARK: - Expected failures

    private func expected(_ rows: String) throws -> ExpectedFailures {
        try ExpectedFailures(csv: Array("id,code,reason\n\(rows)".utf8), file: "list.csv")
    }

    @Test func `expected failures are checked both ways`() throws {
        let files = try vectors(
            vector("differs", #"{"call": "querySoup", "args": {"result": 1}, "returns": 2}"#),
            vector("faults", #"{"call": "querySoup", "args": {"fault": {"code": "busy"}}, "returns": 2}"#),
            vector("other-code", #"{"call": "querySoup", "args": {"fault": {"code": "busy"}}, "returns": 2}"#),
            vector("passes", #"{"call": "querySoup", "args": {}}"#),
            vector("skipped", #"{"call": "querySoup", "args": {}}"#, requires: #"["fts5"]"#))
        let list = try expected(
            "differs,,why\nfaults,busy,\"why, too\"\nother-code,closed,w\npasses,,w\nskipped,*,w\ngone,*,w\n")
        let results = run(files, expected: list)
        #expect(results.map(\.id) == ["differs", "faults", "other-code", "passes", "skipped", "gone"])
        #expect(results.map(\.status) == [.expectedFail, .expectedFail, .fail, .unexpectedPass, .error, .error])
        #expect(results[1].detail.hasPrefix("why, too: "))
        #expect(results[5].detail == "listed as an expected failure, but it never ran")
    }

    @Test(arguments: [
        ("id,reason\n", "row 1: must be id,code,reason"), ("id,code,reason\na,b\n", "row 2: has 2 fields, not 3"),
        ("id,code,reason\na,,\n", "row 2: needs an id and a reason"),
        ("id,code,reason\na,,r\na,,r\n", "row 3: lists a again"),
        ("id,code,reason\na,,\"r\n", "row 2: unterminated quoted field"),
    ])
    func `malformed list is refused`(text: String, message: String) {
        let error = #expect(throws: VectorProblem.self) {
            try ExpectedFailures(csv: Array(text.utf8), file: "list.csv")
        }
        #expect(error?.description == "list.csv: " + message)
    }

    // MARK: - Report

    @Test func `report has a row per case and back end with fields quoted as needed`() {
        let report = ConformanceReport([
            CaseResult(id: "a", area: "x", backEnd: "plain", status: .pass, milliseconds: 1.256),
            CaseResult(
                id: "b", area: "x", backEnd: "plain", status: .fail, code: "busy", detail: "say \"so\", now\nnext",
                milliseconds: 10),
            CaseResult(id: "a", area: "x", backEnd: "cipher", status: .skip, detail: "requires fts4"),
        ])
        #expect(
            report.csv == """
                id,area,backend,status,code,detail,ms
                a,x,plain,pass,,,1.26
                b,x,plain,fail,busy,"say ""so"", now
                next",10.00
                a,x,cipher,skip,,requires fts4,0.00

                """)
        #expect(report.summaryLines == ["x  plain   pass 1, fail 1", "x  cipher  skip 1"])
        #expect(report.totalLine(backEnd: "plain") == "plain: 2 cases in 0.01 s: pass 1, fail 1")
        #expect(report.redLines.count == 1)
    }
}
