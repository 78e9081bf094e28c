import JSONText
import MockService
import Platform
import Synchronization

/// The log of `soup mock`: a JSON object in a line for each request.
final class MockLog: Sendable {
    private struct State {
        var number = 0
        let file: OpenFile
    }

    private static let secret: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    private let state: Mutex<State>

    init(_ path: String) throws {
        do {
            // A log that is there goes on.
            let file = try (try? OpenFile(path, .appending)) ?? OpenFile(path, .creating)
            state = Mutex(State(file: file))
        } catch {
            throw ExitStatus.refuse("cannot write the log \(path); name a file in a folder that exists")
        }
    }

    /// Adds a line. What cannot be written is lost, so that a full disk does not end the tests.
    func add(_ request: ServiceRequest, _ answer: MockAnswer) {
        state.withLock { state in
            state.number += 1
            let line = Self.line(state.number, request, answer).bytes() + [UInt8(ascii: "\n")]
            try? state.file.append(line)
        }
    }

    /// Writes a line to standard output at once.
    static func say(_ line: String) { try? OpenFile.standardOutput.write((line + "\n").utf8) }

    private static func line(_ number: Int, _ request: ServiceRequest, _ answer: MockAnswer) -> JSONValue {
        let headers = request.headers.map { pair in
            (pair.name, JSONValue.string(secret.contains(pair.name.lowercased()) ? "..." : pair.value))
        }
        let body = request.body.map { bytes in
            (try? JSONValue(parsing: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
        }
        let ending =
            switch answer.ending {
            case .whole: "whole"
            case .cut: "cut"
            case .dropped: "dropped"
            case .silent: "silent"
            }
        let call = MockCall(request)
        return [
            "number": .number(JSONNumber(Int64(number))), "call": call.map { .string($0.rawValue) } ?? .null,
            "method": .string(request.method), "target": .string(request.target),
            "headers": .object(JSONObject(headers)), "body": body ?? .null,
            "status": .number(JSONNumber(Int64(answer.response.status))), "ending": .string(ending),
            "applied": .bool(answer.isApplied), "faults": .array(answer.faults.map(JSONValue.string)),
        ]
    }
}
