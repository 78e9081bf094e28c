public import JSONText
public import Soups

/// Runs the calls of the contract: in this process, in another program, or scripted by a test.
public protocol Backend: AnyObject {
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

/// Says why a call gave no result.
public enum CallFailure: Error, Sendable, Hashable {
    /// A typed error: what a vector may expect.
    case fault(Fault)
    /// The other program ended; the text says how.
    case crash(String)
    /// The call did not come back in time; the back end is not used again.
    case timeout(seconds: Int)
    /// The answer was none of the contract, or an error without a type.
    case broken(String)
}

/// How long a call may take, in seconds. Source: "Running" of the vector format.
public let callTimeLimit = 10
