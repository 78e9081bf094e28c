/// Names what a soup may be asked to do beyond the ordinary.
public enum SoupFeature: String, Sendable, Hashable, CaseIterable {
    /// Entries live in files of their own beside the database.
    case externalStorage
}
