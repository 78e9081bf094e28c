public import JSONText

/// What became of one record that was sent.
public enum RecordOutcome: Sendable {
    /// The record was created, or found by its external id and updated; with its id on the service.
    case created(id: String)
    /// The record was updated or deleted.
    case done
    /// There is no such record.
    case gone
    /// The record was not changed because the service has a newer one.
    case left
    /// The service refused, with its error.
    case refused(JSONObject)
    /// The service did not say. A creation is in doubt then.
    case noAnswer
}

/// What became of one record, with the error of the service where a record is gone.
struct RecordResult: Sendable {
    let outcome: RecordOutcome
    var error: JSONObject?
    /// Whether the service refused the record because one that it refers to is gone.
    var isRelatedGone = false
    /// Why it is not known what became of the record: the run ends with it when the other outcomes of the call are
    /// saved.
    var failure: (any Error)?

    init(_ outcome: RecordOutcome, error: JSONObject? = nil) {
        self.outcome = outcome
        self.error = error
    }

    static let noAnswer = RecordResult(.noAnswer)
    static let done = RecordResult(.done)
    static func failed(_ error: any Error) -> RecordResult {
        var result = RecordResult(.noAnswer)
        result.failure = error
        return result
    }
    static func created(_ id: String) -> RecordResult { RecordResult(.created(id: id)) }
    static func refused(_ error: JSONObject) -> RecordResult { RecordResult(.refused(error)) }
    static func gone(_ error: JSONObject) -> RecordResult { RecordResult(.gone, error: error) }
}
