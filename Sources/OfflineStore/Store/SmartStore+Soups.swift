public import Soups

// MARK: - Life of a soup
extension SmartStore {
    /// Registers a soup. One that exists is left as it is, whatever specs are given. Returns the name.
    ///
    /// An index path is not empty and holds no `{`, `}`, `:` or NUL, which Smart SQL could not write.
    ///
    /// - Throws: `invalidSoupName`, `noIndexSpecs`; `invalidIndexSpec` where a path cannot be one or is given twice.
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
                return spec.name
            }
            try SoupRegistration.add(spec, indexSpecs, session: session)
            return spec.name
        }
    }

    /// Tells whether there is a soup of this name, one that is being altered included.
    public func soupExists(_ name: String) throws(Fault) -> Bool {
        try reading { (session) throws(Fault) in try session.soup(named: name, whileAltering: true) != nil }
    }

    /// Gives the specs in order of registration, each with its column. Throws `soupNotFound`.
    public func indexSpecs(ofSoup name: String) throws(Fault) -> [IndexSpec] { try soup(name).indexSpecs }

    /// Gives the name and features of a soup. Throws `soupNotFound`.
    public func soupSpec(ofSoup name: String) throws(Fault) -> SoupSpec { try soup(name).spec }

    /// Gives everything known of a soup: table, columns, features. Throws `soupNotFound`.
    public func soup(_ name: String) throws(Fault) -> RegisteredSoup {
        try reading { (session) throws(Fault) in try session.soup(name) }
    }

    /// Tells whether exactly this path has a spec. Throws `soupNotFound`.
    public func hasIndex(forPath path: String, inSoup name: String) throws(Fault) -> Bool {
        try soup(name).indexSpec(for: path) != nil
    }

    /// Lists all names, in order of registration.
    public func allSoupNames() throws(Fault) -> [String] {
        try reading { (session) throws(Fault) in try SoupReading.names(in: session.connection) }
    }

    /// Removes a soup with all its entries; one that does not exist is no error.
    public func removeSoup(_ name: String) throws(Fault) {
        try writing(.removeSoup) { (session, _) throws(Fault) in
            guard let soup = try session.soup(named: name) else { return }
            try SoupRegistration.remove(soup, session: session)
        }
    }

    /// Removes all soups in one transaction.
    public func removeAllSoups() throws(Fault) {
        try writing(.removeSoup) { (session, _) throws(Fault) in
            for name in try SoupReading.names(in: session.connection) {
                try session.refresh()
                try SoupRegistration.remove(session.soup(name), session: session)
            }
        }
    }

    /// Removes all entries of a soup; its ids go on from where they were. Throws `soupNotFound`.
    public func clearSoup(_ name: String) throws(Fault) {
        try writing(.clearSoup) { (session, _) throws(Fault) in
            try SoupRegistration.clear(session.soup(name), session: session)
        }
    }

    /// Measures what a soup keeps outside the database, in bytes and number of files; 0 where it keeps none, or does
    /// not exist.
    public func externalStorage(ofSoup name: String) throws(Fault) -> (bytes: Int64, files: Int) {
        try reading { (session) throws(Fault) in
            guard let soup = try session.soup(named: name), soup.storesExternally else {
                return (0, 0)
            }
            return FileSystem.treeSize(try session.elements().folder(ofTable: soup.id))
        }
    }
}
