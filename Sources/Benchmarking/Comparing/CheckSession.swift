import Soups

/// One session of a check: a run, and its comparison with the stored report.
package struct CheckSession: Sendable {
    package let run: StoredReport
    private let stored: StoredReport
    package let comparison: RunComparison

    package init(
        _ run: StoredReport, stored: StoredReport,
        kinds: Set<RunComparison.Row.Kind> = Set(RunComparison.Row.Kind.allCases), history: RowHistory = .none,
        asked: AskedCells = .all, instructionsAreOptional: Bool = false
    ) {
        self.run = run
        self.stored = stored
        comparison = RunComparison(
            new: run, stored: stored, kinds: kinds, history: history, asked: asked,
            instructionsAreOptional: instructionsAreOptional)
    }

    /// Why the session proves nothing: the run is not valid, incomplete, or cannot be compared with the stored report.
    package var faults: [String] {
        var faults = run.record.faults + comparison.faults
        faults += stored.record.faults.map { "stored run \(stored.record.id): \($0)" }
        if run.record.shard != .whole {
            faults.append(
                "run \(run.record.id) is only shard \(run.record.shard); join all shards first: soup merge")
        }
        // A run that is out of time is complete: it measured as much as the time allowed.
        if [.interrupted, .running].contains(run.record.ending) {
            faults.append(
                "run \(run.record.id) is not complete (\(run.record.ending.rawValue)); continue it: soup bench --resume"
            )
        }
        return faults
    }

    /// Why this session can neither confirm nor clear what another one showed; nil if it can.
    package func obstacle(toConfirming first: CheckSession) -> String? {
        if ByteKey(run.record.id) == ByteKey(first.run.record.id) {
            return "run \(run.record.id) cannot confirm itself; measure again"
        }
        if ByteKey(run.record.fingerprint) != ByteKey(first.run.record.fingerprint) {
            return
                "run \(run.record.id) has another kind of machine or other libraries than run \(first.run.record.id), which it should confirm"
        }
        return nil
    }
}
