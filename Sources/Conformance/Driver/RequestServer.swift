import JSONText
import Soups

/// Answers requests as JSON lines: the counterpart of `DriverBackEnd`. Every line that is not blank gets an answer,
/// even if it is not a valid request.
public struct RequestServer {
    private let backEnd: any CallBackEnd

    public init(backEnd: any CallBackEnd) { self.backEnd = backEnd }

    /// The maximum length of a request in bytes. A longer one is answered with `limitExceeded`.
    public static let longestLine = 256 << 20

    /// The answer to a line, without a line end; nil for a blank line.
    public func answer(to line: some Collection<UInt8>) -> [UInt8]? {
        let blanks: [UInt8] = [0x20, 0x09, 0x0D]
        guard line.contains(where: { !blanks.contains($0) }) else { return nil }
        let request: JSONValue
        do {
            request = try JSONValue(parsing: Array(line), options: .storedEntry)
        } catch {
            return failure(
                id: .null, Fault(.invalidJSON, "the request is not valid JSON: \(error.message)", offset: error.offset))
        }
        guard let id = request["id"] else {
            return failure(id: .null, Fault(.invalidArguments, "a request must be an object with id, call and args"))
        }
        guard let call = request["call"]?.string else {
            return failure(id: id, Fault(.invalidArguments, "call must be a string"))
        }
        let arguments: JSONObject
        switch request["args"] {
        case nil: arguments = JSONObject()
        case .object(let object): arguments = object
        default: return failure(id: id, Fault(.invalidArguments, "args must be an object"))
        }
        do {
            let value = try run(call, arguments)
            return JSONValue.object(JSONObject([("id", id), ("returns", value)])).bytes(.compact)
        } catch {
            return failure(id: id, error)
        }
    }

    /// The answer to a line that was longer than `longestLine`.
    public func answerToLongLine() -> [UInt8] {
        failure(id: .null, Fault(.limitExceeded, "a request must have at most \(Self.longestLine) bytes"))
    }

    private func run(_ call: String, _ arguments: JSONObject) throws(Fault) -> JSONValue {
        do {
            return try backEnd.run(call, arguments)
        } catch {
            switch error {
            case .fault(let fault): throw fault
            case .timeout(let seconds): throw Fault(.busy, "the call did not end within \(seconds) s")
            case .crash(let how): throw Fault(.closed, how)
            case .broken(let why): throw Fault(.invalidArguments, why)
            }
        }
    }

    private func failure(id: JSONValue, _ fault: Fault) -> [UInt8] {
        var fails = JSONObject([("code", .string(fault.code.rawValue)), ("message", .string(fault.messageWithNames))])
        if let offset = fault.offset {
            fails["offset"] = .number(JSONNumber(Int64(offset)))
        }
        return JSONValue.object(JSONObject([("id", id), ("fails", .object(fails))])).bytes(.compact)
    }
}
