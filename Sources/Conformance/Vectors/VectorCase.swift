/// One case. It passes if all of its steps pass on a back end without any stores.
public struct VectorCase: Sendable {
    /// The id, which must not change, because reports and lists of expected failures refer to it.
    public let id: String
    public let title: String
    public let source: String?
    /// The capabilities without which the case is skipped.
    public let requires: [String]
    public let requirements: [String]
    public let fixture: VectorFixture?
    public let steps: [VectorStep]
}

extension VectorCase {
    /// The first required capability that is missing; nil if the case can run.
    public func missingCapability(among capabilities: Set<Capability>) -> String? {
        // A driver may have a later capability; this runner does not know its calls.
        if let name = requires.first(where: {
            Capability.isLater($0) || !capabilities.contains(Capability(rawValue: $0))
        }) {
            return name
        }
        // Calls require capabilities even if the case does not list them.
        let implied = steps.lazy.flatMap { CallName.capabilities(for: $0.call.name) }
        return implied.first { !capabilities.contains($0) }?.rawValue
    }
}
