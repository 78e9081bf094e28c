public import JSONText

/// Holds one vector file: an area, its fixtures by name and its cases in order. Source: the format of conformance
/// vectors, version 1.
public struct VectorFile: Sendable {
    /// Where it was read from, for messages.
    public let path: String
    public let area: String
    public let about: String?
    public let fixtures: [VectorFixture]
    public let cases: [VectorCase]
}

/// Names the soups to register and the entries to load before a case's first step.
public struct VectorFixture: Sendable {
    public let name: String
    /// The calls that set it up, in order: a `registerSoup` for each soup, then an `upsertSoupEntries` for each that
    /// has entries.
    public let calls: [VectorCall]
}

/// One call of a back end: a name of the contract and its arguments, as written.
public struct VectorCall: Sendable {
    public let name: String
    public let arguments: JSONObject
}

/// Holds one case: it passes when each of its steps does, on a back end that starts with nothing.
public struct VectorCase: Sendable {
    /// Stable: reports and lists of expected failures hang on it.
    public let id: String
    public let title: String
    public let source: String?
    /// Capabilities without which the case is skipped, never passed.
    public let requires: [String]
    public let requirements: [String]
    public let fixture: VectorFixture?
    public let steps: [VectorStep]
}

/// Holds one step: a call and what it must give.
public struct VectorStep: Sendable {
    public let call: VectorCall
    public let expectation: Expectation
    /// Keeps the result under this name for later steps.
    public let save: String?

    /// What a call must give.
    public enum Expectation: Sendable {
        /// It must merely succeed.
        case success
        case returns(Matcher)
        case fails(ExpectedFault)
    }
}

/// Describes the fault that a step must raise; every part that is nil is free.
public struct ExpectedFault: Sendable {
    public let code: String?
    public let offset: Int64?
    /// A part of the message.
    public let contains: String?
}

extension VectorCase {
    /// The first capability that the case needs and that is not among those given; nil where it can run.
    public func missingCapability(among capabilities: Set<Capability>) -> String? {
        if let name = requires.first(where: { !capabilities.contains(Capability(rawValue: $0)) }) {
            return name
        }
        // A case that makes a call requires what the call is part of, whether it says so or not.
        for step in steps {
            if CallName.isOData(step.call.name), !capabilities.contains(.odata) {
                return Capability.odata.rawValue
            }
            if step.call.name == "odata.querySoup", !capabilities.contains(.offlineOData) {
                return Capability.offlineOData.rawValue
            }
        }
        return nil
    }
}
