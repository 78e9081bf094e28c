public import LocalChanges
public import OfflineStore

/// How a sync manager works.
public struct SyncManagerOptions: Sendable {
    /// The version of the service's interface, a part of its paths.
    public var version = "v66.0"
    /// By how many milliseconds each run asks further back than its stamp says. For services that date a record long
    /// before they show it.
    public var overlap: Int64 = 0
    /// Whether the header `Date` of answers limits the stamp.
    public var usesDateHeader = true
    /// The most records of one run. More are the fault `limitExceeded`.
    public var recordLimit = 10_000_000
    /// The greatest length of one answer in bytes.
    public var answerLimit = 64 << 20
    /// The time of runs and requests, in milliseconds since 1970.
    public var clock = StoreClock.system
    /// The digits of keys that are generated.
    public var uuids = UUIDSource.random
    /// The targets that an app adds.
    public var targets = TargetRegistry()
    /// Called for every event, on the task of the run. It must not call the manager and wait; a slow one slows the run.
    public var events: (@Sendable (SyncEvent) -> Void)?
    /// Whether what would wait for a run under way is refused with `busy`. For tests that call the manager while a
    /// request waits for its answer: the run waits for them.
    package var refusesToWait = false

    /// Creates options with the values above.
    public init() {}
}
