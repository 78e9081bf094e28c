public import JSONText
public import Soups

/// What became of one planned change.
public struct PushOutcome: Sendable {
    /// The result of a change.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The service has it.
        case done
        /// The service refused it; the row keeps its change and the error.
        case refused
        /// The entity was changed on the service too, and both versions are kept.
        case conflict
        /// The answer to the insert was lost, and the row is held until the app decides.
        case doubt
        /// It was not done, and waits for another change or the next push.
        case waits
    }

    /// The entity set.
    public let entitySet: String
    /// The id of the row.
    public let entryId: Int64
    /// What was to be done.
    public let operation: ChangeOperation
    /// What became of it.
    public let kind: Kind
    /// Why it was not done: `status`, `code`, `message`, `target` and `details` of the service's error.
    public let error: JSONObject?
}

/// How a push ended.
public struct PushResult: Sendable {
    /// Done, stopped or failed. Refusals do not fail a push.
    public let status: RunStatus
    /// Why it failed.
    public let fault: Fault?
    /// What became of the planned changes, in the order of the plan; none for those that the push did not meet.
    public let outcomes: [PushOutcome]
}
