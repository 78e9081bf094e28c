public import LocalChanges
public import OData
public import OfflineStore
import ServiceTransport

/// How an `ODataClient` talks to its service and keeps what it answers.
public struct ODataClientOptions: Sendable {
    /// The format of requests and answers.
    public var format: ODataChangeRequest.Format = .json
    /// The number of entities of a page that the service is asked for; nil to leave it to the service.
    public var pageSize: Int?
    /// The greatest length of an answer in bytes.
    public var answerLimit = ServiceRequest.defaultAnswerLimit
    /// The greatest number of entities that one load reads.
    public var recordLimit = 100_000_000
    /// How pushes send changes, unless the call says.
    public var pushMode: PushMode = .single
    /// The greatest number of requests in a batch.
    public var batchSize = 100
    /// The greatest length of a batch in bytes.
    public var batchBytes = 8 << 20
    /// Which requests of a batch are done together.
    public var changeSet: ChangeSetMode = .perRow
    /// What inserts ask for as their answer.
    public var insertAnswer: ODataChangeRequest.Answer? = .representation
    /// What updates ask for as their answer.
    public var updateAnswer: ODataChangeRequest.Answer? = .minimal
    /// Whether an existing soup with other index specs is altered when it is mapped.
    public var altersSoups = false
    /// Gives the times of runs and conflicts.
    public var clock: StoreClock = .system
    /// Gives the digits of local ids and generated keys.
    public var uuids: UUIDSource = .random
    /// Names the boundaries of batches; nil for random ones.
    public var boundary: (@Sendable () -> String)?
    /// Decides conflicts in place of the rules of the sets; it must not call the client.
    public var resolve: (@Sendable (Conflict) -> Conflict.Resolution)?
    /// What happens is reported here, on any thread.
    public var events: (@Sendable (ODataClientEvent) -> Void)?

    /// The defaults.
    public init() {}
}
