public import JSONText

/// Runs the calls of the contract: in this process, in another program, or scripted by a test.
public protocol CallBackEnd: AnyObject {
    /// Names the back end in reports and in the file of expected failures.
    var name: String { get }
    /// What it can do; a case that requires more is skipped.
    var capabilities: Set<Capability> { get }

    /// Removes every store and sets the clock back; the runner calls it before each case.
    func reset() throws(CallFailure)

    /// Runs one call.
    func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue

    /// Lets go of files, threads and processes. No call follows.
    func close()
}

extension CallBackEnd {
    /// The time that a call may take, in seconds, as the vector format requires.
    public static var standardTimeLimit: Int { 10 }
}
