public import JSONText

/// Says which cells are wanted: at which sizes and with which documents.
///
/// The runner and its workers use the same scope, so that both know the same cells.
public struct CellScope: Sendable {
    public let profile: Profile
    /// Entries of the generated corpora.
    public let sizes: [Int]
    public let seed: UInt64
    /// The user's own documents, measured instead of the generated ones.
    public let documents: (any OwnDocuments)?

    /// The numbers of entries that a generated corpus can have.
    public static let possibleSizes = 1...1_000_000

    public init(
        profile: Profile = Profile(.quick), sizes: [Int]? = nil, seed: UInt64 = 1, documents: (any OwnDocuments)? = nil
    ) {
        self.profile = profile
        self.sizes = sizes ?? profile.sizes
        self.seed = seed
        self.documents = documents
    }
}

/// Describes documents of the user that cells can measure with. Only the catalogue knows what is in them.
public protocol OwnDocuments: Sendable {
    var corpus: Corpus { get }
    /// What a worker needs to read the same documents; `CellCatalogue.documents(json:)` reads it back.
    var json: JSONValue { get }
}
