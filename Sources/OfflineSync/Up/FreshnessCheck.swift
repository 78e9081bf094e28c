import JSONText
import LocalChanges
import Soups

/// Whether a record may be sent, where the service must not have a newer one.
public enum FreshnessVerdict: Sendable {
    /// The record of the service is not newer.
    case push
    /// The row stays as it is.
    case leave(LeaveReason)
    /// The service has the change already; with the date that it gives the record, as JSON text.
    case applied(date: [UInt8])
    /// The service refused to say, with this status.
    case unknown(status: Int)
}

/// Why a row was left as it is.
public enum LeaveReason: String, Sendable, Hashable {
    /// The record of the service is newer.
    case newer
    /// The service has no such record any more.
    case gone
    /// The service gives the record no date that can be read.
    case unreadableDate
    /// The target says so.
    case target
    /// Another part of its tree was left.
    case tree
}

/// What a row says that is asked about.
struct AskedRow: Sendable {
    let entryId: Int64
    let id: RecordId
    /// The id as it is written in the row.
    let idText: [UInt8]
    let objectType: String
    let operation: LocalFlags.Operation
    /// The date of the record when it came from the service; nil if there is none that can be read.
    let modified: Int64?

    /// - Returns: nil for a row that is sent without a question: a creation, or one without a type.
    init?(_ record: PendingRecord, _ part: UpPart) {
        guard record.operation != .create, let type = record.objectType, let id = record.recordId,
            let idText = record.text[part.idField]
        else { return nil }
        entryId = record.entryId
        self.id = id
        self.idText = Array(idText)
        objectType = type
        operation = record.operation
        modified = record.text.value(part.modificationField)?.string.flatMap(ServiceDate.milliseconds)
    }

    /// What the answer to the question for the date means; nil if the record is newer on the service.
    ///
    /// - Parameter answer: The record of the service; nil if it is gone.
    func verdict(_ answer: JSONObject?, _ modificationField: String) -> FreshnessVerdict? {
        guard let modified else { return .push }
        guard let answer else { return operation == .delete ? .push : .leave(.gone) }
        guard let date = answer[modificationField]?.string.flatMap(ServiceDate.milliseconds) else {
            return .leave(.unreadableDate)
        }
        return modified >= date ? .push : nil
    }
}

/// Compares what would be sent of a row with what the service has.
struct AppliedChange {
    private let record: PendingRecord
    private let part: UpPart

    init(_ record: PendingRecord, _ part: UpPart) {
        self.record = record
        self.part = part
    }

    /// The names of the fields of the question; nil if nothing would be sent of the row.
    var names: [String]? {
        guard record.operation == .update, record.body.count > 2, let names = part.names(.update, record.text) else {
            return nil
        }
        // A child of a parent that goes keeps its parent's id to itself.
        let parentId = part.parentIdField.flatMap { record.fields[$0] == nil ? nil : $0 }
        return [part.modificationField] + names + (parentId.map { [$0] } ?? [])
    }

    /// The verdict by the record of the service; nil if it is gone.
    ///
    /// - Parameter first: The answer to the question for the date, which counts where this one has none that can be
    ///   read.
    func verdict(_ answer: JSONObject?, after first: JSONObject?) -> FreshnessVerdict {
        guard let answer else { return .leave(.gone) }
        for (name, value) in record.fields.members {
            guard Self.isEqual(value, answer.value(at: name) ?? .null) else { return .leave(.newer) }
        }
        let dates = [answer, first].compactMap { $0?[part.modificationField] }
        let date = dates.first { $0.string.flatMap(ServiceDate.milliseconds) != nil }
        return .applied(date: (date ?? .null).bytes())
    }

    /// Whether two values are the same; dates are compared as moments.
    private static func isEqual(_ own: JSONValue, _ other: JSONValue) -> Bool {
        if let a = own.string.flatMap(ServiceDate.milliseconds), let b = other.string.flatMap(ServiceDate.milliseconds)
        {
            return a == b
        }
        return own == other
    }
}
