public import Soups

/// Names a way to keep a store: a library, and whether it has a key. Tests, vectors and benchmarks run on each and
/// compare them.
public enum BackEnd: String, Sendable, Hashable, CaseIterable {
    /// SQLite as the system has it.
    case plain
    /// The SQLCipher library without a key: it differs from `plain` in version and build of SQLite.
    case cipherOff = "cipher-off"
    /// The SQLCipher library with a key: it differs from `cipher-off` in encryption.
    case cipher

    public var flavour: SQLiteLibrary.Flavour { self == .plain ? .plain : .cipher }
    public var isKeyed: Bool { self == .cipher }

    /// Finds and loads its library.
    ///
    /// - Throws: `libraryUnavailable`.
    public func library() throws(Fault) -> SQLiteLibrary { try SQLiteLibrary.find(flavour) }
}
