import JSONText
import MockODataService
import MockService
import Platform
import Synchronization

/// The log of `soup mock`: a JSON object in a line for each request.
final class MockLog: Sendable {
    private struct State {
        var number = 0
        let file: OpenFile
    }

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
        let ending =
            switch answer.ending {
            case .whole: "whole"
            case .cut: "cut"
            case .dropped: "dropped"
            case .silent: "silent"
            }
        add(
            request, MockCall(request)?.rawValue, status: answer.response.status, ending: ending,
            isApplied: answer.isApplied, faults: answer.faults)
    }

    /// Adds a line for a request to a service of OData.
    func add(_ request: ServiceRequest, _ answer: MockODataAnswer, call: MockODataCall?) {
        let ending =
            switch answer.ending {
            case .whole: "whole"
            case .cut: "cut"
            case .dropped: "dropped"
            }
        add(
            request, call?.rawValue, status: answer.response.status, ending: ending, isApplied: answer.isApplied,
            faults: answer.faults)
    }

    private func add(
        _ request: ServiceRequest, _ call: String?, status: Int, ending: String, isApplied: Bool, faults: [String]
    ) {
        state.withLock { state in
            state.number += 1
            let headers = request.headers.map { pair in
                (pair.name, JSONValue.string(LoggedBody.value(pair.value, of: pair.name)))
            }
            let body = request.body.map { LoggedBody.json(Array($0)) }
            let line: JSONValue = [
                "number": .number(JSONNumber(Int64(state.number))), "call": call.map { .string($0) } ?? .null,
                "method": .string(request.method), "target": .string(request.target),
                "headers": .object(JSONObject(headers)), "body": body ?? .null,
                "status": .number(JSONNumber(Int64(status))), "ending": .string(ending),
                "applied": .bool(isApplied), "faults": .array(faults.map(JSONValue.string)),
            ]
            try? state.file.append(line.bytes() + [UInt8(ascii: "\n")])
        }
    }

    /// Writes a line to standard output at once.
    static func say(_ line: String) { try? OpenFile.standardOutput.write((line + "\n").utf8) }
}
