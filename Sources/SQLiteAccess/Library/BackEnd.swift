public import Soups

/// Names a way to keep a store. Tests, vectors and benchmarks run on each and compare them.
public enum BackEnd: String, Sendable, Hashable, CaseIterable {
    /// SQLite as the system has it.
    case plain
    /// The SQLCipher library without a key: what differs from `plain` is another version and build of SQLite.
    case cipherOff = "cipher-off"
    /// The SQLCipher library with a key: what differs from `cipher-off` is encryption.
    case cipher

    public var flavour: SQLiteLibrary.Flavour { self == .plain ? .plain : .cipher }
    public var isKeyed: Bool { self == .cipher }

    /// Finds and loads the library behind it.
    ///
    /// - Throws: `libraryUnavailable`.
    public func library() throws(Fault) -> SQLiteLibrary { try SQLiteLibrary.find(flavour) }
}
