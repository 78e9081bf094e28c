/// One run of a sync, down or up.
protocol SyncRun: Sendable {
    /// The state of the sync when the run has ended.
    var finalState: SyncState { get }
    /// Runs to the end.
    func run() async throws
    /// Ends a run that did not come to its end.
    func end(_ error: any Error)
}
