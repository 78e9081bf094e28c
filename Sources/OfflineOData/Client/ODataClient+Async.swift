public import JSONText
public import LocalChanges
import OfflineStore

// The same calls for asynchronous code. They wait suspended, run on threads of the store, do what their blocking forms
// of the same name do and throw the same faults, and `CancellationError` in addition.
extension ODataClient {
    /// Creates an entity locally as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. Nothing is created then.
    @discardableResult
    public func create(_ set: String, _ entity: JSONObject) async throws -> JSONObject {
        try await store.writing { try self.create(set, entity) }
    }

    /// Replaces properties of an entity locally as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. Nothing is changed then.
    @discardableResult
    public func update(
        _ set: String, _ reference: RowReference, _ changes: JSONObject
    ) async throws -> JSONObject {
        try await store.writing { try self.update(set, reference, changes) }
    }

    /// Deletes an entity locally as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. Nothing is deleted then.
    @discardableResult
    public func delete(_ set: String, _ reference: RowReference) async throws -> JSONObject? {
        try await store.writing { try self.delete(set, reference) }
    }

    /// Takes back a local deletion as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The row stays deleted then.
    @discardableResult
    public func undelete(_ set: String, _ reference: RowReference) async throws -> JSONObject {
        try await store.writing { try self.undelete(set, reference) }
    }

    /// Takes back all local changes of an entity as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The changes stay then.
    @discardableResult
    public func discard(_ set: String, _ reference: RowReference) async throws -> JSONObject? {
        try await store.writing { try self.discard(set, reference) }
    }

    /// Runs a query over the rows of a set as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func query(_ set: String, _ query: String = "", pageSize: Int = 200) async throws -> ODataCursor {
        try await store.reading { try self.query(set, query, pageSize: pageSize) }
    }

    /// Finds the local changes as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func pending(_ set: String? = nil) async throws -> [PendingChange] {
        try await store.reading { try self.pending(set) }
    }

    /// Finds the rows in conflict as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func conflicts(_ set: String? = nil) async throws -> [Conflict] {
        try await store.reading { try self.conflicts(set) }
    }

    /// Finds the inserts whose answer was lost as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func doubts(_ set: String? = nil) async throws -> [OutboxRow] {
        try await store.reading { try self.doubts(set) }
    }

    /// Decides about a conflict as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The row stays in conflict then.
    @discardableResult
    public func resolve(
        _ set: String, entryId: Int64, _ resolution: Conflict.Resolution
    ) async throws -> JSONObject? {
        try await store.writing { try self.resolve(set, entryId: entryId, resolution) }
    }

    /// Decides about an insert whose answer was lost as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The insert stays in doubt then.
    @discardableResult
    public func resolveDoubt(
        _ set: String, entryId: Int64, createdAs key: JSONValue?
    ) async throws -> JSONObject? {
        try await store.writing { try self.resolveDoubt(set, entryId: entryId, createdAs: key) }
    }

    /// Returns the requests that a push would send as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func plan(
        _ sets: [String]? = nil, mode: PushMode? = nil, changeSet: ChangeSetMode? = nil
    ) async throws -> [PlannedRequest] {
        try await store.writing { try self.plan(sets, mode: mode, changeSet: changeSet) }
    }
}
