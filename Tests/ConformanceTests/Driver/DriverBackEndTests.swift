import Conformance
import FoundationEssentials
import Libc
import Soups
import TestSupport
import Testing

/// Drivers that are short shell scripts. Each shows one way in which another program can behave.
@Suite struct DriverBackEndTests {
    /// Reads a line for each answer; `$id` is the request's number.
    private static let prelude = #"n() { IFS= read -r line || exit 0; id=$(expr "$line" : '.*"id":\([0-9]*\)'); }; "#
    private static let hello =
        prelude + #"n; echo "{\"id\":$id,\"returns\":{\"name\":\"shell\",\"format\":1,\"capabilities\":[\"fts5\"]}}"; "#

    private func run(
        _ script: String, cases count: Int = 1, expecting expected: String = #""returns": true"#, timeLimit: Int = 300
    ) throws -> [CaseResult] {
        let cases = (0..<count).map {
            #"{"id": "c\#($0)", "title": "t", "steps": [{"call": "soupExists", "args": {"soupName": "a"}, \#(expected)}]}"#
        }
        let files = try RunnerVectors.files(
            text: #"{"format": 1, "area": "driver", "cases": [\#(cases.joined(separator: ","))]}"#)
        let run = ConformanceRun(files: files)
        run.run(on: try DriverBackEnd.arm(command: script, timeLimit: timeLimit), isRequired: true)
        return run.results
    }

    @Test func `answers in lines pass`() throws {
        let results = try run(Self.hello + #"while :; do n; echo "{\"id\":$id,\"returns\":true}"; done"#, cases: 3)
        #expect(results.map(\.status) == [.pass, .pass, .pass])
        #expect(results.map(\.backEnd) == ["shell", "shell", "shell"])
    }

    @Test(arguments: [("driverError", CaseStatus.fail), ("invalidSoupName", .pass)])
    func `a mistake of the driver is not the typed error that a step expects`(code: String, status: CaseStatus) throws {
        let answer = #"{\"id\":$id,\"fails\":{\"code\":\"\#(code)\",\"message\":\"m\"}}"#
        let results = try run(
            Self.hello + #"n; echo "{\"id\":$id,\"returns\":true}"; n; echo "\#(answer)"; n"#,
            expecting: #""fails": {}"#)
        #expect(results.map(\.status) == [status])
    }

    @Test func `program that ends is a crash with its exit code and the next case has a new one`() throws {
        let results = try run(Self.hello + #"n; echo "{\"id\":$id,\"returns\":true}"; n; exit 3"#, cases: 2)
        #expect(results.map(\.status) == [.crash, .crash])
        #expect(results[0].detail == "steps[0] soupExists: the program ended with exit code 3")
    }

    @Test func `program ended by a signal is a crash that names it`() throws {
        let results = try run(Self.hello + #"n; echo "{\"id\":$id,\"returns\":true}"; n; kill -11 $$"#)
        #expect(results.map(\.status) == [.crash])
        #expect(results[0].detail.hasSuffix("ended by signal 11"))
    }

    @Test func `silence is a timeout`() throws {
        let results = try run(Self.hello + #"n; echo "{\"id\":$id,\"returns\":true}"; sleep 600"#, timeLimit: 5)
        #expect(results.map(\.status) == [.timeout])
        #expect(results[0].detail == "steps[0] soupExists: no answer in 5 s")
    }

    @Test func `whole group of processes is ended`() throws {
        let folder = try TemporaryFolder()
        _ = try run(
            Self.hello
                + #"sleep 600 & echo $! > \#(folder.file("pid")); n; echo "{\"id\":$id,\"returns\":true}"; n; sleep 600"#,
            timeLimit: 5)
        let text = String(decoding: try Data(contentsOf: URL(filePath: folder.file("pid"))), as: UTF8.self)
        let pid = try #require(pid_t(text.filter(\.isNumber)))
        // Its parent has ended, and the process that adopts it may need a moment to reap it.
        #expect(Waiting.block { kill(pid, 0) != 0 || Self.isZombie(pid) })
    }

    private static func isZombie(_ pid: pid_t) -> Bool {
        guard let stat = try? String(decoding: Data(contentsOf: URL(filePath: "/proc/\(pid)/stat")), as: UTF8.self)
        else {
            return false
        }
        return stat.contains(") Z ")
    }

    @Test(arguments: [
        ("nonsense", "not valid JSON"), (#"{\"id\":99,\"returns\":true}"#, "does not have the id"),
        (#"{\"id\":$id}"#, "either returns or fails"),
        (#"{\"id\":$id,\"returns\":1,\"fails\":{\"code\":\"x\"}}"#, "either returns or fails"),
        (#"{\"id\":$id,\"fails\":{\"message\":\"x\"}}"#, "without a code"),
    ])
    func `an answer outside the contract is an error`(answer: String, detail: String) throws {
        let results = try run(Self.hello + #"n; echo "{\"id\":$id,\"returns\":true}"; n; echo "\#(answer)"; sleep 5"#)
        #expect(results.map(\.status) == [.error])
        #expect(results[0].detail.contains(detail), "\(results[0].detail)")
    }

    @Test(arguments: [
        "exit 7", "sleep 30", "echo hello", Self.prelude + #"n; echo "{\"id\":$id,\"returns\":{}}""#,
        Self.prelude
            + #"n; echo "{\"id\":$id,\"returns\":{\"name\":\"a\",\"format\":1,\"capabilities\":[],\"calls\":[1]}}""#,
        "/no/such/program",
    ])
    func `program that does not say hello is unavailable`(script: String) {
        #expect(throws: UnavailableBackEnd.self) { try DriverBackEnd.arm(command: script, timeLimit: 1) }
    }

    @Test func `a case with a call that hello does not name is skipped`() throws {
        let hello =
            Self.prelude
            + #"n; echo "{\"id\":$id,\"returns\":{\"name\":\"shell\",\"format\":1,\"capabilities\":[],\"calls\":[\"hello\"]}}"; "#
        let results = try run(hello + #"while :; do n; echo "{\"id\":$id,\"returns\":true}"; done"#)
        #expect(results.map(\.status) == [.skip])
        #expect(results.map(\.detail) == ["requires soupExists"])
    }

    @Test func `requests of many bytes and long answers go through`() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let files = try RunnerVectors.files(
            text:
                #"{"format": 1, "area": "driver", "cases": [{"id": "c", "title": "t", "steps": [{"call": "soupExists", "args": {"soupName": "\#(text)"}, "returns": "\#(text)"}]}]}"#
        )
        let run = ConformanceRun(files: files)
        let echo =
            #"while :; do IFS= read -r line || exit 0; id=$(printf %s "$line" | head -c 20 | tr -dc 0-9); printf '{"id":%s,"returns":"' $id; head -c 1048576 /dev/zero | tr '\0' x; echo '"}'; done"#
        run.run(on: try DriverBackEnd.arm(command: Self.hello + echo), isRequired: true)
        #expect(run.results.map(\.status) == [.pass], "\(run.results.map(\.detail))")
    }
}
