import Soups

/// What the contract says about one call: the names of its arguments, and the capabilities that every use of it needs.
///
/// The calls are checked against this table when a file is read, and `Corpora/FORMAT.md` and the JSON schema are
/// checked against it by the tests. A new family of calls has a table of its own, and a line in `families`.
public struct CallSignature: Sendable {
    public let name: String
    /// The arguments of the call, except those that every call has.
    public let arguments: [String]
    public let capabilities: [Capability]
    /// Whether the results of two correct back ends may differ: sizes, plans, and what a back end says about itself.
    let dependsOnBackEnd: Bool
    /// Whether the contract has no error for the call, so that there is no negative vector for it.
    let cannotFail: Bool

    init(
        _ name: String, _ arguments: [String] = [], needs capabilities: [Capability] = [],
        dependsOnBackEnd: Bool = false, cannotFail: Bool = false
    ) {
        self.name = name
        self.arguments = arguments
        self.capabilities = capabilities
        self.dependsOnBackEnd = dependsOnBackEnd
        self.cannotFail = cannotFail
    }

    /// The arguments that every call has.
    public static let commonArguments = ["storeName", "isGlobalStore"]

    /// The calls of store and query, by family, in the order of the contract.
    static let storeFamilies: [[CallSignature]] = [
        program, soups, entries, queries, cursors, transactions, callers, stores,
    ]

    /// The families of calls, in the order of the contract.
    static let families: [[CallSignature]] =
        storeFamilies + [odata, soql, sync, cache, keyValues, observation, maintenance, offline]

    /// Every call of the contract.
    public static let all: [CallSignature] = families.flatMap { $0 }

    private static let byName = Dictionary(uniqueKeysWithValues: (all + later).map { (ByteKey($0.name), $0) })

    /// The signature of a call, also of one that only a later version answers; nil for an unknown name.
    public static func of(_ name: String) -> CallSignature? { byName[ByteKey(name)] }
}
