/// An optional feature of a soup.
public enum SoupFeature: String, Sendable, Hashable, CaseIterable {
    /// Entries are stored in separate files next to the database.
    case externalStorage
}
