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
