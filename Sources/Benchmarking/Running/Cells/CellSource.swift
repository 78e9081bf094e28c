/// Gives cells. An engine's cells stand in one file or a few, each an enum that conforms to this and is named in
/// `CellCatalogue.sources`.
public protocol CellSource {
    /// The cells at the sizes and for the documents of the scope. Cheap: data is made when a cell prepares.
    static func cells(_ scope: CellScope) -> [Cell]
}

/// What was asked for: the same on both sides, the runner's and the worker's, so that both know the same cells.
public struct CellScope: Sendable {
    public let profile: Profile
    /// Entries of the generated corpora.
    public let sizes: [Int]
    public let seed: UInt64
    /// Somebody's own documents, in place of the generated ones.
    public let documents: DocumentCorpus?

    /// What a generated corpus can have, in entries.
    public static let possibleSizes = 1...1_000_000

    public init(
        profile: Profile = Profile(.quick), sizes: [Int]? = nil, seed: UInt64 = 1, documents: DocumentCorpus? = nil
    ) {
        self.profile = profile
        self.sizes = sizes ?? profile.sizes
        self.seed = seed
        self.documents = documents
    }

    /// What is measured with, by name and hash: for run.json.
    public var corpora: [(name: String, hash: String)] {
        if let documents {
            return [(documents.name, documents.hash)]
        }
        return sizes.map { (name: "generated/entries=\($0)", hash: GeneratedCorpus(seed: seed).hash) }
    }
}
