public import JSONText
public import OfflineStore
import Soups

// The same calls for asynchronous code. They wait suspended, run on threads of the store, do what their blocking forms
// of the same name do and throw the same faults, and `CancellationError` in addition.
extension LocalEdits {
    /// Stores a new record as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. Nothing is stored then.
    public func create(_ record: JSONObject) async throws -> JSONObject {
        try await store.writing { try self.create(record) }
    }

    /// Replaces fields of a row as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The row stays as it was then.
    public func update(_ entryId: Int64, changes: JSONObject) async throws -> JSONObject {
        try await store.writing { try self.update(entryId, changes: changes) }
    }

    /// Marks a row as deleted locally as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The row stays as it was then.
    @discardableResult
    public func delete(_ entryId: Int64) async throws -> JSONObject? {
        try await store.writing { try self.delete(entryId) }
    }

    /// Takes back a local deletion as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The row stays deleted then.
    @discardableResult
    public func undelete(_ entryId: Int64) async throws -> JSONObject {
        try await store.writing { try self.undelete(entryId) }
    }

    /// Takes back all local changes of a row as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The changes stay then.
    @discardableResult
    public func discard(_ entryId: Int64) async throws -> JSONObject? {
        try await store.writing { try self.discard(entryId) }
    }

    /// Finds the rows with local changes as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func pending(pageSize: Int = 100) async throws -> StoreCursor {
        try await store.query(
            .exact(path: ReservedField.local, matchKey: true, orderPath: "_soupEntryId", pageSize: pageSize),
            soup: soup)
    }
}
