import Platform
public import Soups

// MARK: - Life of a soup
extension SmartStore {
    /// Registers a soup. An existing one is not changed, whatever specs are given. Returns the name.
    ///
    /// The name and the paths must not be empty nor contain `{`, `}`, `:` or NUL, which Smart SQL could not write. The
    /// names in a json1 path must not be empty nor contain `"`, `\` or a control character.
    ///
    /// - Throws: `invalidSoupName`, `noIndexSpecs`; `invalidIndexSpec` if a path is invalid or given twice, or if more
    ///   than 1,996 paths are not json1; faults of the store. Nothing is written then.
    @discardableResult
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) throws(Fault) -> String {
        try registerSoup(SoupSpec(name: name), indexSpecs: indexSpecs)
    }

    /// Registers a soup with features.
    ///
    /// - Throws: also `json1WithExternalStorage`.
    @discardableResult
    public func registerSoup(_ spec: SoupSpec, indexSpecs: [IndexSpec]) throws(Fault) -> String {
        try SoupRules.check(spec, with: indexSpecs)
        return try writing(.registerSoup) { (session, _) throws(Fault) in
            guard try session.soup(named: spec.name) == nil else {
                return Reported(spec.name)
            }
            try SoupRegistration.add(spec, indexSpecs, session: session)
            return Reported(spec.name)
        }
    }

    /// Returns whether there is a soup of this name, including one that is being altered.
    ///
    /// - Throws: `closed`, `busy`.
    public func soupExists(_ name: String) throws(Fault) -> Bool {
        try reading { (session) throws(Fault) in try session.soup(named: name, whileAltering: true) != nil }
    }

    /// The number of a soup, which is never reused, so that it tells the soup from a former one of its name; nil for a
    /// soup that does not exist.
    package func soupId(_ name: String) throws(Fault) -> Int64? {
        try reading { (session) throws(Fault) in try session.soup(named: name, whileAltering: true)?.id }
    }

    /// Returns the specs in order of registration, each with its column. Throws `soupNotFound`.
    public func indexSpecs(ofSoup name: String) throws(Fault) -> [IndexSpec] { try soup(name).indexSpecs }

    /// Returns the name and features of a soup. Throws `soupNotFound`.
    public func soupSpec(ofSoup name: String) throws(Fault) -> SoupSpec { try soup(name).spec }

    /// Returns everything known of a soup: table, columns, features. Throws `soupNotFound`.
    public func soup(_ name: String) throws(Fault) -> RegisteredSoup {
        try reading { (session) throws(Fault) in try session.soup(name) }
    }

    /// Returns whether exactly this path has a spec. Throws `soupNotFound`.
    public func hasIndex(forPath path: String, inSoup name: String) throws(Fault) -> Bool {
        try soup(name).indexSpec(for: path) != nil
    }

    /// Returns all names, in order of registration.
    ///
    /// - Throws: `closed`, `busy`.
    public func allSoupNames() throws(Fault) -> [String] {
        try reading { (session) throws(Fault) in try SoupReading.names(in: session.connection) }
    }

    /// Removes a soup with all its entries; does nothing if it does not exist.
    ///
    /// - Throws: `diskFull`, `busy`, `readOnly`, `closed`.
    public func removeSoup(_ name: String) throws(Fault) {
        try writing(.removeSoup) { (session, _) throws(Fault) in
            if let soup = try session.soupToRemove(name) {
                try SoupRegistration.remove(soup, session: session)
            }
            return Reported(())
        }
    }

    /// Removes all soups in one transaction.
    ///
    /// - Throws: as `removeSoup`.
    public func removeAllSoups() throws(Fault) {
        try writing(.removeSoup) { (session, _) throws(Fault) in
            for name in try SoupReading.names(in: session.connection) {
                try session.refresh()
                if let soup = try session.soupToRemove(name) {
                    try SoupRegistration.remove(soup, session: session)
                }
            }
            return Reported(())
        }
    }

    /// Removes all entries of a soup; its sequence of ids goes on. Throws `soupNotFound`.
    public func clearSoup(_ name: String) throws(Fault) {
        try writing(.clearSoup) { (session, _) throws(Fault) in
            try SoupRegistration.clear(session.soup(name), session: session)
            return Reported(())
        }
    }

    /// Returns what a soup keeps outside the database, in bytes and number of files; 0 if it keeps nothing there or
    /// does not exist.
    ///
    /// - Throws: `closed`, `busy`.
    public func externalStorage(ofSoup name: String) throws(Fault) -> (bytes: Int64, files: Int) {
        try reading { (session) throws(Fault) in
            guard let soup = try session.soup(named: name), soup.storesExternally else {
                return (0, 0)
            }
            return Folder.size(below: try session.elements().folder(ofTable: soup.id))
        }
    }
}
