import LocalChanges
public import OfflineStore
public import Soups

/// Checks that a soup exists and has the indexes that a run needs.
public struct SoupCheck: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    /// The soup.
    public let soup: String

    init(_ store: SmartStore, soup: String) {
        self.store = store
        self.soup = soup
    }

    /// Returns the check of another soup of the same store.
    public func of(_ soup: String) -> SoupCheck { SoupCheck(store, soup: soup) }

    /// Checks that the soup has a string or json1 index on a path.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`.
    public func requireIndex(_ path: String) throws(Fault) {
        let type = try indexType(path)
        guard type == .string || type == .json1 else {
            throw missing(path, "a sync needs a string or json1 index on this path; add one with alterSoup")
        }
    }

    /// Checks that the soup has an index on `__local__` in which its flags can be found.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`.
    public func requireFlagIndex() throws(Fault) {
        let type = try indexType(ReservedField.local)
        guard type == .string || type == .json1 || type == .integer else {
            throw missing(ReservedField.local, "a sync needs an index on this path; add one with alterSoup")
        }
        guard try !hasLegacyBooleans() else {
            throw missing(
                ReservedField.local,
                "the index on this path has 1 and 0 for true and false; call reIndexSoup with the path")
        }
    }

    /// Whether the index of `__local__` is one of texts with `1` or `0` in it.
    func hasLegacyBooleans() throws(Fault) -> Bool {
        guard try indexType(ReservedField.local) == .string else { return false }
        let flag = "{\(soup):\(ReservedField.local)}"
        for value in ["1", "0"] {
            // One row is enough to know.
            let text = "SELECT {\(soup):_soupEntryId} FROM {\(soup)} WHERE \(flag) = ?"
            guard try store.rows(text, arguments: [.text(value)], limit: 1).isEmpty else { return true }
        }
        return false
    }

    /// The fault of a run whose soup was removed, also where another soup has its name now.
    static func replaced(_ soup: String) -> Fault {
        Fault(.soupNotFound, "the soup was removed during the run; run the sync again", context: [.soup(soup)])
    }

    func indexType(_ path: String) throws(Fault) -> IndexType? {
        try store.indexSpecs(ofSoup: soup).first { ByteKey($0.path) == ByteKey(path) }?.type
    }

    private func missing(_ path: String, _ message: String) -> Fault {
        Fault(.pathNotIndexed, message, context: [.soup(soup), .path(path)])
    }
}
