/// The SQLite module of a soup's full-text table.
public enum FullTextVersion: String, Sendable, Hashable, CaseIterable {
    /// The module of Mobile SDK before version 4.2, for stores that older apps read.
    case fts4
    /// The newer module, with faster updates and queries.
    case fts5
}
