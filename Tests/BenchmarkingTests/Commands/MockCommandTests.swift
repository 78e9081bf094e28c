import Foundation
import JSONText
import LoopbackHTTP
import Platform
import TestSupport
import Testing

/// `soup mock` as a client sees it, over a connection.
@Suite(.enabled(if: SoupProgram.exists, "the program soup was not built"))
struct MockCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) -> String {
        let path = folder.file(name)
        #expect(TestFile.write(Array(text.utf8), to: path))
        return path
    }

    private func create(_ name: String) -> ServiceRequest {
        ServiceRequest(
            method: "POST", path: "/services/data/v66.0/sobjects/Account",
            headers: [Pair("Authorization", "Bearer t0ken")],
            body: JSONValue.object(["Name": .string(name)]).bytes())
    }

    /// What came of a request, in a word.
    private func outcome(_ request: ServiceRequest, _ transport: LoopbackTransport) async -> String {
        do {
            return "\(try await transport.send(request).status)"
        } catch TransportFailure.notSent {
            return "not sent"
        } catch TransportFailure.noAnswer {
            return "no answer"
        } catch {
            return "\(error)"
        }
    }

    @Test func `what was dropped got no answer whether it was applied or not, and what was refused was not sent`()
        async throws
    {
        let rules = file(
            "rules.json",
            """
            [{"fault": "dropBefore", "call": "create", "nth": 2}, {"fault": "dropAfter", "call": "create", "nth": 3},
             {"fault": "shortBody", "call": "create", "nth": 4}, {"fault": "timeOut", "call": "create", "nth": 5},
             {"fault": "signal", "name": "now", "call": "create", "nth": 6}]
            """)
        let data = file(
            "data.json", "{\"records\": {\"Account\": [{\"Name\": \"first\"}]}, \"clock\": {\"step\": 1000}}")
        let log = folder.file("log.jsonl")
        let program = try MockProgram(["--data", data, "--faults", rules, "--log", log])
        let patient = LoopbackTransport(port: program.port, timeout: 600_000)
        #expect(await outcome(create("answered"), patient) == "201")
        #expect(await outcome(create("dropped before"), patient) == "no answer")
        #expect(await outcome(create("dropped after"), patient) == "no answer")
        #expect(await outcome(create("cut"), patient) == "no answer")
        #expect(await outcome(create("late"), LoopbackTransport(port: program.port, timeout: 200)) == "no answer")
        #expect(await outcome(create("signal"), patient) == "201")
        var query = ServiceRequest(method: "GET", path: "/services/data/v66.0/query")
        query.query = [Pair("q", "select Name from Account order by CreatedDate")]
        let found = try JSONValue(parsing: try await patient.send(query).body)
        let names = found["records"]?.array?.compactMap { $0["Name"]?.string }
        #expect(names == ["first", "answered", "dropped after", "cut", "signal"])
        #expect(try await Threads.run { try program.line() } == "signal now")

        let ending = try await Threads.run { program.end() }
        #expect(ending == .exited(code: 130))
        #expect(await outcome(create("refused"), patient) == "not sent")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let entries = try lines.map { try JSONValue(parsing: String($0)) }
        #expect(entries.map { $0["applied"] } == [true, false, true, true, false, true, true])
        let faults = entries.map { $0["faults"]?.array?.first?.string }
        #expect(faults == [nil, "dropBefore", "dropAfter", "shortBody", "timeOut", "signal", nil])
        #expect(entries[0]["body"] == ["Name": "answered"] && entries[0]["call"] == "create")
        #expect(!lines.joined().contains("t0ken"))
    }

    @Test(arguments: [
        ("--data", "{\"records\": 5}", "the data file.records must be an object"), ("--data", "{", "invalidJSON"),
        ("--faults", "[{\"fault\": \"explode\"}]", "rule 1.fault must be one of change, clock"),
    ])
    func `a file that cannot be used is refused with what is wrong`(
        option: String, text: String, message: String
    ) throws {
        let ended = try BenchProgram(folder: folder.path).run(["mock", option, file("input.json", text)])
        #expect(ended.code == 2 && ended.output.isEmpty)
        #expect(ended.errors.contains(message), "\(ended.errors)")
    }

    @Test func `a port that is taken, and files that are not there, are refused`() throws {
        let server = try LoopbackServer { _ in .dropped }
        let program = BenchProgram(folder: folder.path)
        let taken = try program.run(["mock", "--port", "\(server.port)"])
        #expect(taken.code == 2 && taken.errors.contains("cannot listen on 127.0.0.1 port \(server.port)"))
        let missing = folder.file("no/such")
        #expect(try program.run(["mock", "--data", missing]).errors.contains("cannot open the file \(missing)"))
        #expect(try program.run(["mock", "--log", missing]).errors.contains("cannot write the log \(missing)"))
    }
}

/// `soup mock` while it runs.
private final class MockProgram: @unchecked Sendable {
    let port: UInt16
    private let process: ChildProcess

    init(_ arguments: [String]) throws {
        process = try ChildProcess(SoupProgram.path, ["mock"] + arguments)
        let address = try Self.line(process)
        port = try #require(UInt16(address.dropFirst("http://127.0.0.1:".count)))
    }

    /// The next line that it prints.
    func line() throws -> String { try Self.line(process) }

    /// Asks it to end, and waits for that.
    func end() -> ProcessEnding {
        kill(process.id, SIGTERM)
        return process.wait()
    }

    private static func line(_ process: ChildProcess) throws -> String {
        var bytes: [UInt8] = []
        while let byte = try process.output.read(atMost: 1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
