import JSONText

/// One case. It passes if all of its steps pass on a back end without any stores.
public struct VectorCase: Sendable {
    /// The id, which must not change, because reports and lists of expected failures refer to it.
    public let id: String
    public let title: String
    public let source: String?
    /// The capabilities that the case names.
    public let requires: [String]
    public let requirements: [String]
    /// The level that the case states; nil if it states none, or one of another suite.
    public let statedLevel: ConformanceLevel?
    public let fixture: VectorFixture?
    public let steps: [VectorStep]
}

extension VectorCase {
    /// The capabilities that the calls of the case need but the case does not name, sorted.
    public var unnamedCapabilities: [String] {
        let named = Set(requires.map(Capability.init(rawValue:)))
        var needs = CapabilityNeeds()
        for call in (fixture?.calls ?? []) + steps.map(\.call) {
            needs.add(call)
        }
        return needs.capabilities(named: named).subtracting(named).map(\.rawValue).sorted()
    }

    /// The highest level among the capabilities that the case needs, or the one that it states if that is higher.
    public var level: ConformanceLevel {
        let needed = (requires + unnamedCapabilities).map { Capability(rawValue: $0).level }
        return max(needed.max() ?? .core, statedLevel ?? .core)
    }

    /// The first capability that the case needs and a back end lacks; nil if the case can run.
    ///
    /// A back end that names none of the capabilities in `Capability.unnamedBefore` has all of them.
    public func missingCapability(among capabilities: Set<Capability>) -> String? {
        let isOlder = capabilities.isDisjoint(with: Capability.unnamedBefore)
        let all = isOlder ? capabilities.union(Capability.unnamedBefore) : capabilities
        // A driver may have a later capability; this runner does not know its calls.
        return (requires + unnamedCapabilities).first {
            Capability.isLater($0) || !all.contains(Capability(rawValue: $0))
        }
    }

    /// The first call of the case that is not among these; nil if all are. Every driver has `hello` and `reset`.
    func missingCall(among calls: Set<String>) -> String? {
        let all = calls.union(["hello", "reset"])
        return ((fixture?.calls ?? []) + steps.map(\.call)).map(\.name).first { !all.contains($0) }
    }

    /// The first version of OData of the case that is not among these; nil if all are. A call without one means 4.0.
    func missingVersion(among versions: Set<String>) -> String? {
        let texts = steps.map(\.call).filter { call in
            CallName.isOData(call.name) && CallSignature.of(call.name)?.arguments.contains("version") ?? false
        }
        return texts.map { $0.arguments["version"]?.string ?? "4.0" }.first { !versions.contains($0) }
    }
}
