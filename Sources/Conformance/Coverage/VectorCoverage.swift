import JSONText
import OData
import Soups

/// Counts what vectors cover: requirements, calls, error codes, index types, kinds of query, and the operators and
/// functions of OData. A positive vector checks a result, a negative one an error.
public struct VectorCoverage: Sendable {
    /// One thing that vectors should cover.
    public struct Item: Sendable, Hashable {
        /// What it is, for example `call`.
        public let kind: String
        public let name: String
        public let level: ConformanceLevel
        public fileprivate(set) var positive = 0
        public fileprivate(set) var negative = 0
        /// Whether only negative vectors can cover it.
        public fileprivate(set) var isAnError = false
        /// Why it needs no positive or no negative vector.
        public fileprivate(set) var reason = ""

        /// Whether something is missing and no reason says why.
        public var isMissing: Bool { reason.isEmpty && (negative == 0 || (positive == 0 && !isAnError)) }
    }

    public private(set) var items: [Item] = []

    /// Counts what the files cover.
    ///
    /// - Parameter codes: The error codes of the contract.
    public init(files: [VectorFile], requirements: [Requirement], codes: [String]) {
        let cases = files.flatMap(\.cases)
        addRequirements(requirements, cases)
        let uses = cases.flatMap(StepUse.uses)
        for signature in CallSignature.all {
            let level = signature.capabilities.map(\.level).max() ?? .core
            add("call", signature.name, level, uses, reason: signature.cannotFail ? "it cannot fail" : "") {
                $0.call == signature.name
            }
        }
        for code in codes {
            add("error code", code, .extended, uses, isAnError: true) { $0.code == code }
        }
        for type in IndexType.allCases {
            add("index type", type.rawValue, .core, uses) { $0.indexTypes.contains(type.rawValue) }
        }
        for kind in QuerySpec.Kind.allCases {
            add("query kind", kind.rawValue, .core, uses) { $0.queryKind == kind.rawValue }
        }
        for name in ExpressionWords.operators {
            add("OData operator", name, .extended, uses) { $0.words.contains(name) }
        }
        for function in CanonicalFunction.allCases {
            add("OData function", function.name, .extended, uses) { $0.words.contains(function.name) }
        }
    }

    private mutating func addRequirements(_ requirements: [Requirement], _ cases: [VectorCase]) {
        let uses = Dictionary(uniqueKeysWithValues: cases.map { ($0.id, StepUse.uses($0)) })
        for requirement in requirements {
            var item = Item(kind: "requirement", name: requirement.id, level: requirement.level)
            item.reason = requirement.reason
            for vector in requirement.vectors {
                item.positive += uses[vector]?.contains(where: \.checksResult) ?? false ? 1 : 0
                item.negative += uses[vector]?.contains(where: \.checksError) ?? false ? 1 : 0
            }
            items.append(item)
        }
    }

    private mutating func add(
        _ kind: String, _ name: String, _ level: ConformanceLevel, _ uses: [StepUse], isAnError: Bool = false,
        reason: String = "", where isUsed: (StepUse) -> Bool
    ) {
        var item = Item(kind: kind, name: name, level: level)
        item.isAnError = isAnError
        item.reason = reason
        for use in uses where isUsed(use) {
            item.positive += use.checksResult ? 1 : 0
            item.negative += use.checksError ? 1 : 0
        }
        items.append(item)
    }
}
