/// Sends batches of records in calls of a service.
protocol BatchSender: Sendable {
    /// The most records of a batch.
    var batchSize: Int { get }
    /// Whether each record is asked about just before it is sent, and not a page of them with one call.
    var asksSingly: Bool { get }
    /// Whether the service itself sees to it that no record is created twice.
    var hasIdempotentCreates: Bool { get }
    /// Whether an update of a record that is gone has an error for its row.
    var refusesGone: Bool { get }

    /// Whether records are asked about at all.
    var isAsked: Bool { get }
    /// The rows to send, where the target chooses them; nil for all with local changes.
    func dirtyIds(_ context: UpContext) throws -> [Int64]?
    /// Whether it may send without the connection of the run.
    var isCustom: Bool { get }

    /// The calls of a batch, in their order, each with the numbers of its records.
    func calls(_ records: [PendingRecord], _ context: UpContext) -> [[Int]]
    /// Sends the records of one call and returns what became of each, in their order.
    func send(_ records: [PendingRecord], _ context: UpContext) async throws -> [RecordResult]
    /// Asks whether a record may be sent.
    func verdict(_ record: PendingRecord, _ context: UpContext) async throws -> FreshnessVerdict
}

extension BatchSender {
    var asksSingly: Bool { false }
    var hasIdempotentCreates: Bool { false }
    var refusesGone: Bool { true }
    var isCustom: Bool { false }
    var isAsked: Bool { true }
    func dirtyIds(_ context: UpContext) throws -> [Int64]? { nil }
    func calls(_ records: [PendingRecord], _ context: UpContext) -> [[Int]] { [Array(records.indices)] }

    func verdict(_ record: PendingRecord, _ context: UpContext) async throws -> FreshnessVerdict {
        try await SingleQuestion(context).verdict(record)
    }
}
