public import JSONText
import Soups

/// Where a sync up of an app sends records that the targets of this package cannot send: either a ``RecordUpTarget`` or
/// a ``BatchUpTarget``. A value that does not change.
///
/// The engine finds the rows with local changes, decides what each needs, and saves what became of it. A target never
/// writes the row that it was given. A refusal leaves the row as it is, with an error, and the run goes on; an error
/// that is thrown ends the run: a `Fault` with its code, any other error with `customTarget`.
public protocol UpTarget: Sendable {
    /// Whether the service itself sees to it that a record that is created again is not created twice. Then no creation
    /// is ever in doubt.
    var hasIdempotentCreates: Bool { get }

    /// The entry ids of the rows to send; nil for all rows with local changes. Runs on a thread of the store.
    func dirtyIds(_ context: UpContext) throws -> [Int64]?
}

extension UpTarget {
    /// False.
    public var hasIdempotentCreates: Bool { false }
    /// All rows with local changes.
    public func dirtyIds(_ context: UpContext) throws -> [Int64]? { nil }
}

/// Sends one record at a time.
public protocol RecordUpTarget: UpTarget {
    /// Creates a record: `created` with its id, or `refused`.
    func create(_ record: PendingRecord, fields: JSONObject, _ context: UpContext) async throws -> RecordOutcome
    /// Updates a record: `done`, `gone`, `left` or `refused`.
    func update(_ record: PendingRecord, fields: JSONObject, _ context: UpContext) async throws -> RecordOutcome
    /// Deletes a record: `done`, `gone`, `left` or `refused`.
    func delete(_ record: PendingRecord, _ context: UpContext) async throws -> RecordOutcome
    /// Says whether a record may be sent where the service must not have a newer one. Asked just before it is sent.
    func verdict(on record: PendingRecord, _ context: UpContext) async throws -> FreshnessVerdict
}

extension RecordUpTarget {
    /// Asks the service for the date of the record, as the target `single` does. A record without a type is sent.
    ///
    /// - Throws: what ends the run: a failure of the transport, `malformedAnswer`.
    public func verdict(on record: PendingRecord, _ context: UpContext) async throws -> FreshnessVerdict {
        try await SingleQuestion(context).verdict(record)
    }
}

/// Sends several records at a time, and decides by itself what it does where the service has newer ones.
public protocol BatchUpTarget: UpTarget {
    /// The most records of a batch.
    var maxBatchSize: Int { get }
    /// Sends records and returns what became of each, in their order. Another number of outcomes ends the run with
    /// `malformedAnswer`.
    func push(
        _ records: [PendingRecord], mode: SyncMergeMode, _ context: UpContext
    ) async throws -> [RecordOutcome]
}

/// Sends by a target of the app.
struct CustomSender: BatchSender {
    private let target: any UpTarget

    init(_ target: any UpTarget) { self.target = target }

    var batchSize: Int { (target as? any BatchUpTarget).map { max($0.maxBatchSize, 1) } ?? 1 }
    var asksSingly: Bool { true }
    var hasIdempotentCreates: Bool { target.hasIdempotentCreates }
    var refusesGone: Bool { false }
    var isCustom: Bool { true }
    var isAsked: Bool { target is any RecordUpTarget }

    func dirtyIds(_ context: UpContext) throws -> [Int64]? { try target.dirtyIds(context) }

    func send(_ records: [PendingRecord], _ context: UpContext) async throws -> [RecordResult] {
        if let target = target as? any BatchUpTarget {
            return try await target.push(records, mode: context.mergeMode, context).map { RecordResult($0) }
        }
        guard let target = target as? any RecordUpTarget else {
            throw Fault(.unknownTarget, "a target of a sync up sends records one by one, or in batches")
        }
        var results: [RecordResult] = []
        for record in records {
            let outcome: RecordOutcome =
                switch record.operation {
                case .create: try await target.create(record, fields: record.fields, context)
                case .update: try await target.update(record, fields: record.fields, context)
                case .delete: try await target.delete(record, context)
                }
            results.append(RecordResult(outcome))
        }
        return results
    }

    func verdict(_ record: PendingRecord, _ context: UpContext) async throws -> FreshnessVerdict {
        guard let target = target as? any RecordUpTarget else { return .push }
        return try await target.verdict(on: record, context)
    }
}
