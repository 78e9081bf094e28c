import Conformance
import JSONText
import Soups

/// Answers each call as its arguments say: with `result`, `fault`, `crash` or `hang`. So vectors can test the runner.
final class EchoBackEnd: CallBackEnd {
    let name = "echo"
    let capabilities: Set<Capability>
    let calls: Set<String>?
    let odataVersions: Set<String>?
    /// The calls of a fixture since the last reset.
    private(set) var fixtureCalls: [String] = []
    private(set) var resets = 0
    private(set) var isClosed = false

    init(capabilities: Set<Capability> = [], calls: Set<String>? = nil, odataVersions: Set<String>? = nil) {
        self.capabilities = capabilities
        self.calls = calls
        self.odataVersions = odataVersions
    }

    func reset() throws(CallFailure) {
        fixtureCalls = []
        resets += 1
    }

    func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue {
        if let fault = arguments["fault"] {
            let code = Fault.Code(rawValue: fault["code"]?.string ?? "")
            var context: [Fault.Context] = []
            if let soup = fault["soup"]?.string {
                context.append(.soup(soup))
            }
            if let path = fault["path"]?.string {
                context.append(.path(path))
            }
            throw .fault(
                Fault(
                    code, fault["message"]?.string ?? "", offset: fault["offset"]?.int64.map(Int.init),
                    context: context))
        }
        if arguments["crash"] != nil {
            throw .crash("the program was ended by signal 11")
        }
        if arguments["hang"] != nil {
            throw .timeout(seconds: 10)
        }
        switch call {
        case "getAllSoupNames": return .array(fixtureCalls.map(JSONValue.string))
        case "registerSoup", "upsertSoupEntries":
            fixtureCalls.append("\(call) \(arguments["soupName"]?.string ?? "")")
            return .null
        default: return arguments["result"] ?? .null
        }
    }

    func close() { isClosed = true }
}
