public import JSONText

/// Runs the calls of the contract: in this process, in another program, or with scripted answers in a test.
public protocol CallBackEnd: AnyObject {
    /// Names the back end in reports and in the file of expected failures.
    var name: String { get }
    /// The capabilities of the back end. Cases that require others are skipped.
    var capabilities: Set<Capability> { get }
    /// The only calls that the back end has; nil if it has all that its capabilities need. Cases that make others are
    /// skipped.
    var calls: Set<String>? { get }
    /// The only versions of OData that the back end knows; nil for all. Cases with others are skipped.
    var odataVersions: Set<String>? { get }

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

    public var calls: Set<String>? { nil }
    public var odataVersions: Set<String>? { nil }

    /// What a case needs and the back end lacks: a capability, a call or a version of OData; nil if the case can run.
    public func lack(for vectorCase: VectorCase) -> String? {
        if let capability = vectorCase.missingCapability(among: capabilities) {
            return capability
        }
        if let calls, let call = vectorCase.missingCall(among: calls) {
            return call
        }
        return odataVersions.flatMap { vectorCase.missingVersion(among: $0) }.map { "OData \($0)" }
    }
}
