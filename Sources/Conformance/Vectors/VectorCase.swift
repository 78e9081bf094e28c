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
