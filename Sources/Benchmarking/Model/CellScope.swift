/// Says which cells are wanted: at which sizes and with which documents.
///
/// The runner and its workers use the same scope, so that both know the same cells.
package struct CellScope: Sendable {
    package let profile: Profile
    /// Entries of the generated corpora.
    package let sizes: [Int]
    package let seed: UInt64
    /// The user's own documents, measured instead of the generated ones.
    package let documents: (any OwnDocuments)?

    /// The numbers of entries that a generated corpus can have.
    package static let possibleSizes = 1...1_000_000

    package init(
        profile: Profile = Profile(.quick), sizes: [Int]? = nil, seed: UInt64 = 1, documents: (any OwnDocuments)? = nil
    ) {
        self.profile = profile
        self.sizes = sizes ?? profile.sizes
        self.seed = seed
        self.documents = documents
    }
}
