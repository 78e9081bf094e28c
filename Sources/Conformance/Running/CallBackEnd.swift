public import JSONText

/// Runs the calls of the contract: in this process, in another program, or with scripted answers in a test.
public protocol CallBackEnd: AnyObject {
    /// Names the back end in reports and in the file of expected failures.
    var name: String { get }
    /// The capabilities of the back end. Cases that require others are skipped.
    var capabilities: Set<Capability> { get }

    /// Removes all stores and resets the clock. The runner calls it before each case.
    func reset() throws(CallFailure)

    /// Runs one call.
    func run(_ call: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue

    /// Releases files, threads and processes. No calls may follow.
    func close()
}

extension CallBackEnd {
    /// The time that a call may take, in seconds, as the vector format requires.
    public static var standardTimeLimit: Int { 10 }
}
