public import JSONText
import Soups

/// Runs the calls in another program by means of the JSON lines of the contract. Not for concurrent use.
///
/// A request is `{"id", "call", "args"}`, and an answer is `{"id", "returns"}` or `{"id", "fails": {"code", "message",
/// "offset"}}`. The first call is `hello`, and `reset` comes before each case.
public final class DriverBackEnd: CallBackEnd {
    public let name: String
    public let version: String
    public let capabilities: Set<Capability>
    public let calls: Set<String>?
    public let odataVersions: Set<String>?
    private let lines: RequestLines

    /// Starts the program with a command line and calls `hello`.
    ///
    /// - Throws: `CallFailure` if it does not start, does not answer for six times `timeLimit` seconds, or answers with
    ///   anything but its name, format 1 and capabilities.
    public init(command: String, timeLimit: Int = standardTimeLimit) throws(CallFailure) {
        let process: DriverProcess
        do { process = try DriverProcess(command: command) } catch { throw .fault(error) }
        lines = RequestLines(process: process, timeLimit: timeLimit)
        // The program must start first, on a machine that may be busy.
        let hello = try lines.exchange("hello", JSONObject([("format", 1)]), timeLimits: 6)
        guard let name = hello["name"]?.string, !name.isEmpty, let names = hello["capabilities"]?.array else {
            throw .broken("hello must give name and capabilities, not \(Difference.text(of: hello))")
        }
        guard hello["format"]?.int64 == 1 else {
            throw .broken("hello must give format 1")
        }
        self.name = name
        version = hello["version"]?.string ?? ""
        capabilities = Set(names.compactMap(\.string).map(Capability.init(rawValue:)))
        calls = try Self.texts("calls", in: hello)
        odataVersions = try Self.texts("odataVersions", in: hello)
    }

    /// The texts in an optional member of the answer to `hello`.
    private static func texts(_ member: String, in hello: JSONValue) throws(CallFailure) -> Set<String>? {
        guard let value = hello[member], !value.isNull else { return nil }
        guard let texts = value.array?.map(\.string), !texts.contains(nil) else {
            throw .broken("\(member) of hello must be an array of texts, not \(Difference.text(of: value))")
        }
        return Set(texts.compactMap(\.self))
    }

    public func reset() throws(CallFailure) { _ = try lines.exchange("reset", JSONObject()) }

    public func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue {
        try lines.exchange(call, arguments)
    }

    public func close() { lines.process.end() }
}

extension DriverBackEnd {
    /// Starts the program to get its name, and creates an arm for it. If the program is lost, it is started again for
    /// the next case.
    public static func arm(
        command: String, timeLimit: Int = standardTimeLimit
    ) throws(UnavailableBackEnd) -> ConformanceRun.Arm {
        var first: DriverBackEnd? = try started(command, timeLimit)
        return ConformanceRun.Arm(name: first?.name ?? "") { () throws(UnavailableBackEnd) in
            if let backEnd = first {
                first = nil
                return backEnd
            }
            return try started(command, timeLimit)
        }
    }

    private static func started(_ command: String, _ timeLimit: Int) throws(UnavailableBackEnd) -> DriverBackEnd {
        do {
            return try DriverBackEnd(command: command, timeLimit: timeLimit)
        } catch {
            switch error {
            case .fault(let fault): throw UnavailableBackEnd(reason: fault.description)
            case .crash(let how): throw UnavailableBackEnd(reason: how)
            case .timeout(let seconds): throw UnavailableBackEnd(reason: "no answer to hello in \(seconds) s")
            case .broken(let why): throw UnavailableBackEnd(reason: why)
            }
        }
    }
}

/// Numbers requests and reads answers.
private final class RequestLines {
    let process: DriverProcess
    private let timeLimit: Int
    private var lastID: Int64 = 0

    init(process: DriverProcess, timeLimit: Int) {
        self.process = process
        self.timeLimit = timeLimit
    }

    /// Sends a request, and waits for its answer as long as `timeLimits` limits of time.
    func exchange(
        _ call: String, _ arguments: JSONObject, timeLimits: Int = 1
    ) throws(CallFailure) -> JSONValue {
        let seconds = timeLimit * timeLimits
        lastID += 1
        let request: JSONValue = ["id": .number(JSONNumber(lastID)), "call": .string(call), "args": .object(arguments)]
        let line: [UInt8]
        do {
            line = try process.exchange(request.bytes(.compact), seconds: seconds)
        } catch {
            switch error {
            case .timeout: throw .timeout(seconds: seconds)
            case .ended(let how): throw .crash(how)
            case .tooLong: throw .broken("the answer is longer than \(DriverProcess.longestLine) bytes")
            }
        }
        return try answer(in: line)
    }

    private func answer(in line: [UInt8]) throws(CallFailure) -> JSONValue {
        let value: JSONValue
        do { value = try JSONValue(parsing: line, options: .storedEntry) } catch {
            throw .broken("the answer is not valid JSON: \(error)")
        }
        guard value["id"]?.int64 == lastID else {
            throw .broken("the answer does not have the id \(lastID): \(Difference.text(of: value))")
        }
        switch (value["returns"], value["fails"]) {
        case (let result?, nil): return result
        case (nil, let fails?):
            guard let code = fails["code"]?.string else {
                throw .broken("a failure without a code: \(Difference.text(of: value))")
            }
            let offset = fails["offset"]?.int64.flatMap(Int.init(exactly:))
            throw .fault(Fault(Fault.Code(rawValue: code), fails["message"]?.string ?? "", offset: offset))
        default: throw .broken("the answer must have either returns or fails: \(Difference.text(of: value))")
        }
    }
}

extension Fault.Code {
    /// A mistake of a driver itself, which no step expects.
    static let driverError = Self(rawValue: "driverError")
}
