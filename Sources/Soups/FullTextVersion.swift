/// The SQLite module of a soup's full-text table.
public enum FullTextVersion: String, Sendable, Hashable, CaseIterable {
    case fts4, fts5
}
