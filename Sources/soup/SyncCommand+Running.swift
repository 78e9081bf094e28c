import OfflineStore
import OfflineSync

// What syncs down and up have in common.
extension SyncCommand {
    /// Runs the sync of a name again; nil if the store has no sync of this name.
    static func runAgain(_ name: String, _ manager: SyncManager) async throws -> SyncState? {
        guard try await manager.hasSync(named: name) else { return nil }
        return try await manager.reSync(.name(name), observer: show)
    }

    /// Prints an update of a run.
    @Sendable static func show(_ state: SyncState) {
        print("\(state.status.rawValue) \(state.progress) % of \(state.totalSize)")
    }

    /// Closes the manager and the store. Ends the command with a failure if the sync failed or was stopped.
    static func end(_ state: SyncState, _ manager: SyncManager, _ store: SmartStore) async throws {
        await manager.close()
        try await store.close()
        guard state.status == .done else {
            StandardError.say(state.error.isEmpty ? "the sync was stopped" : state.error)
            throw ExitStatus.failure.code
        }
    }
}
