public import Soups

// What the store knows of its soups, for asynchronous code: these calls too may wait for others and for the disk.
extension SmartStore {
    /// Returns whether there is a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func soupExists(_ name: String) async throws -> Bool {
        try await connections.perform(.reading) { try self.soupExists(name) }
    }

    /// Returns all names as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func allSoupNames() async throws -> [String] {
        try await connections.perform(.reading) { try self.allSoupNames() }
    }

    /// Returns what is known of a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func soup(_ name: String) async throws -> RegisteredSoup {
        try await connections.perform(.reading) { try self.soup(name) }
    }

    /// Returns the specs of a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func indexSpecs(ofSoup name: String) async throws -> [IndexSpec] {
        try await connections.perform(.reading) { try self.indexSpecs(ofSoup: name) }
    }

    /// Returns the name and features of a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func soupSpec(ofSoup name: String) async throws -> SoupSpec {
        try await connections.perform(.reading) { try self.soupSpec(ofSoup: name) }
    }

    /// Returns whether a path has a spec as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func hasIndex(forPath path: String, inSoup name: String) async throws -> Bool {
        try await connections.perform(.reading) { try self.hasIndex(forPath: path, inSoup: name) }
    }

    /// Returns what a soup keeps outside the database as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func externalStorage(ofSoup name: String) async throws -> (bytes: Int64, files: Int) {
        try await connections.perform(.reading) { try self.externalStorage(ofSoup: name) }
    }

    /// Returns the bytes on the disk as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func databaseSize() async throws -> Int64 {
        try await connections.perform(.reading) { try self.databaseSize() }
    }
}
