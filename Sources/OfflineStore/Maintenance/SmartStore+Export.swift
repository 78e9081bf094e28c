import Platform
import SQLiteAccess
package import Soups
import Synchronization

extension SmartStore {
    /// Writes the entries of a soup to a file of JSON lines, one state in the order of ids, and returns their number.
    ///
    /// ```swift
    /// let count = try await store.exportJSONLines(soup: "contacts", to: path)
    /// ```
    ///
    /// `load(jsonLines:)` reads such a file. Memory is bounded by the longest entry. **The file is plain text, also
    /// that of an encrypted store**; only its owner may read it (mode 0600). It replaces a file of that name once it is
    /// complete.
    ///
    /// - Parameters:
    ///   - systemFields: Whether `_soupEntryId` and `_soupLastModifiedDate` are written.
    ///   - progress: Called now and then with the number of entries written.
    /// - Throws: `soupNotFound`, `diskFull`, `inputOutput`, `corrupt`; `busy` while this process exports to the same
    ///   path; also `CancellationError`.
    @discardableResult
    public func exportJSONLines(
        soup: String, to path: String, systemFields: Bool = true, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> Int {
        try await connections.perform(.reading) {
            try self.exportNow(soup: soup, to: path, systemFields: systemFields, progress: progress)
        }
    }

    private func exportNow(
        soup: String, to path: String, systemFields: Bool, progress: (@Sendable (Int) -> Void)?
    ) throws(Fault) -> Int {
        let partial = path + ".partial"
        let name = ByteKey(path)
        // Both would write to one unfinished file.
        guard ExportPaths.underway.withLock({ $0.insert(name).inserted }) else {
            throw Fault(.busy, "an export to \(path) is under way: wait for it, or give another path")
        }
        defer { _ = ExportPaths.underway.withLock { $0.remove(name) } }
        do throws(Fault) {
            // The work may run again in a newer state: then it begins with an empty file.
            let count = try reading { (session) throws(Fault) in
                // A left-over file might be readable for others.
                File.remove(partial)
                try Fault.translating(File.create(partial))
                let writer = try Fault.translating(FileWriter(partial))
                var count = 0
                let export = LineExport(
                    soup: try session.soup(soup), session: session, systemFields: systemFields)
                try export.forEachLine { (line) throws(Fault) in
                    try Fault.translating(writer.write(line))
                    count += 1
                    if count % 1000 == 0 {
                        progress?(count)
                    }
                }
                try Fault.translating(writer.finish())
                progress?(count)
                return count
            }
            try Fault.translating(File.synchronize(partial))
            try Fault.translating(File.rename(partial, to: path))
            return count
        } catch {
            File.remove(partial)
            throw error
        }
    }

    /// Gives the lines of a soup one after the other, on the calling thread. Calls `restart` before the first line, and
    /// again if the work runs again in a newer state.
    package func forEachLine(
        ofSoup name: String, systemFields: Bool = true, restart: () -> Void,
        _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) {
        try reading { (session) throws(Fault) in
            restart()
            try LineExport(soup: session.soup(name), session: session, systemFields: systemFields).forEachLine(body)
        }
    }
}

/// The files to which this process exports.
private enum ExportPaths {
    static let underway = Mutex<Set<ByteKey>>([])
}
