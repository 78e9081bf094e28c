import Soups

/// One step from the entries of an earlier version of an app to those of a later one.
///
/// ```swift
/// let migrations = [
///     StoreMigration("split names") { context in
///         try context.rewrite("contacts") { entry in
///             let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
///             return .replace(Array(text.replacing("\"fullName\"", with: "\"name\"").utf8))
///         }
///     }
/// ]
/// let done = try await store.migrate(migrations)
/// ```
///
/// An id is given once and for ever: what was run under it is never run again.
public struct StoreMigration: Sendable {
    /// The id, any text but an empty one.
    public let id: String
    /// Does the work by the calls of the context. It may run again from its beginning after a kill: finished calls of
    /// the context are then not repeated, so the calls must be the same, in the same order.
    public let run: @Sendable (borrowing MigrationContext) throws -> Void

    /// Creates a migration.
    public init(_ id: String, run: @escaping @Sendable (borrowing MigrationContext) throws -> Void) {
        self.id = id
        self.run = run
    }
}

/// Says what becomes of an entry.
public enum Rewrite: Sendable {
    /// The entry stays as it is.
    case keep
    /// The entry is replaced by this JSON text, under its id.
    case replace([UInt8])
    /// The entry is removed.
    case remove
}

/// Says how far a migration has come: called after each batch that is committed.
public struct MigrationProgress: Sendable, Hashable {
    /// The id of the migration.
    public let id: String
    /// The soup that is being rewritten.
    public let soup: String
    /// The number of its entries that are done, of this run of the migration.
    public let entries: Int
}
