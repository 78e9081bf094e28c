package import JSONText
import SQLiteAccess
public import Soups
import Synchronization

/// The calls of which a migration consists. Cannot leave its body.
///
/// Each call that has finished is noted in the store: a migration that goes on after a kill does not repeat it.
public struct MigrationContext: ~Copyable {
    private let work: MigrationWork

    init(_ work: MigrationWork) { self.work = work }

    /// Registers a soup as `SmartStore.registerSoup(_:indexSpecs:)` does.
    ///
    /// - Throws: as there.
    public func registerSoup(_ spec: SoupSpec, indexSpecs: [IndexSpec]) throws {
        try work.call { try work.store.registerSoup(spec, indexSpecs: indexSpecs) }
    }

    /// Registers a soup without features.
    ///
    /// - Throws: as `SmartStore.registerSoup`.
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) throws {
        try registerSoup(SoupSpec(name: name), indexSpecs: indexSpecs)
    }

    /// Changes the index specs of a soup as `SmartStore.alterSoup` does.
    ///
    /// - Throws: as there.
    public func alterSoup(_ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec]) throws {
        try work.call { try work.store.alterSoup(name, soupSpec: soupSpec, indexSpecs: indexSpecs) }
    }

    /// Removes a soup with all its entries; does nothing if it does not exist.
    ///
    /// - Throws: as `SmartStore.removeSoup`.
    public func removeSoup(_ name: String) throws {
        try work.call { try work.store.removeSoup(name) }
    }

    /// Moves the value at a path of each entry to another path. Paths lead through objects only.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if something on the way of the new path is not an object.
    public func renamePath(_ path: String, to newPath: String, in soup: String, batch: Int = 1000) throws {
        try rewriteObjects(of: soup, batch: batch) { (entry) throws(Fault) in
            guard let value = EntryEdit.value(at: path, in: entry) else {
                return false
            }
            try EntryEdit.set(nil, at: path, in: &entry)
            try EntryEdit.set(value, at: newPath, in: &entry)
            return true
        }
    }

    /// Rewrites a soup in transactions of `batch` entries, in the order of ids. After a kill it goes on after the last
    /// whole batch: what was committed is not given to `transform` again, the unfinished batch is.
    ///
    /// Ids stay. The member `__local__` and those like it, by which a sync knows local changes, stay unless asked
    /// otherwise. So do the dates of entries; in a soup with external storage they move by a millisecond, because a
    /// date names a version of a file.
    ///
    /// - Parameters:
    ///   - keepsDates: False to give rewritten entries the date of the batch.
    ///   - keepsLocalFlags: False to take these members from the new text.
    /// - Throws: `soupNotFound`; `invalidEntry` for a text that is not an entry; what `transform` throws. The batch is
    ///   then undone.
    public func rewrite(
        _ soup: String, batch: Int = 1000, keepsDates: Bool = true, keepsLocalFlags: Bool = true,
        _ transform: (borrowing EntryView) throws -> Rewrite
    ) throws {
        let rewriting = MigrationWork.Rewriting(
            soup: soup, batch: max(1, batch), keepsDates: keepsDates, keepsLocalFlags: keepsLocalFlags)
        try work.rewrite(rewriting, transform)
    }

    /// Rewrites entries as JSON objects: `change` says whether it has changed one.
    package func rewriteObjects(
        of soup: String, batch: Int = 1000, _ change: (inout JSONObject) throws(Fault) -> Bool
    ) throws {
        try rewrite(soup, batch: batch) { entry in
            guard var object = try EntryEdit.object(entry.withBytes { Array($0) }) else {
                return .keep
            }
            return try change(&object) ? .replace(JSONValue.object(object).bytes(.compact)) : .keep
        }
    }
}
