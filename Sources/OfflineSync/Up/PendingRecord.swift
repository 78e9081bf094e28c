public import JSONText
public import LocalChanges
import Soups

/// A row with local changes that is about to be sent.
public struct PendingRecord: Sendable {
    /// The id of the row in its soup.
    public let entryId: Int64
    /// What the service has to do.
    public let operation: LocalFlags.Operation
    /// The type of the record; nil if the row names none.
    public let objectType: String?
    /// The fields to send, as the JSON text of an object; empty for a deletion.
    public internal(set) var body: [UInt8]
    let recordId: RecordId?
    /// The row as it was read, with the key that was generated for it.
    let text: RowText
    /// By what the service finds or creates the record; nil for a plain creation, and for other operations.
    let key: UpsertKey?
    /// Whether the service had the record before and it is gone.
    var isRecreation = false
    /// Whether a creation of it is noted in the outbox.
    var isNoted = false

    init(
        entryId: Int64, operation: LocalFlags.Operation, recordId: RecordId?, objectType: String?, body: [UInt8],
        text: RowText, key: UpsertKey?
    ) {
        self.entryId = entryId
        self.operation = operation
        self.recordId = recordId
        self.objectType = objectType
        self.body = body
        self.text = text
        self.key = key
    }

    /// The id on the service; nil for a creation.
    public var id: String? { recordId?.text }
    /// The row as it is stored, as JSON text.
    public var row: [UInt8] { text.bytes }
    /// The row as it is stored. Reads the JSON text at each call.
    public var value: JSONObject { (try? text.object) ?? JSONObject() }
    /// The fields to send. Reads the JSON text at each call.
    public var fields: JSONObject { (try? JSONValue(parsing: body))?.object ?? JSONObject() }
}

/// The field and the value by which a service finds the record to update, or creates it.
struct UpsertKey: Sendable {
    let field: String
    let text: String
    /// The value as it is written in the row.
    let value: [UInt8]
}

extension PendingRecord {
    /// The type as it is sent: a record without one is refused by the service under this name.
    var sentType: String { objectType ?? "null" }

    /// What the record adds to the body of a call, at most.
    var weight: Int {
        body.count + 6 * (key?.value.count ?? 0) + 3 * (id?.utf8.count ?? 0) + 3 * sentType.utf8.count + 256
    }

    /// Whether a service may take a text of the fields for a reference to another part of a composite call, such as
    /// `@{r1.id}`. Nothing can say that it is none, but the first part has no other before it that it could refer to:
    /// the service then refuses the record, and does not store another text.
    var namesReference: Bool {
        guard body.contains(UInt8(ascii: "{")) || body.contains(UInt8(ascii: "\\")) else { return false }
        return ["@{", "\\u0040", "\\u007b", "\\u007B"].contains { body.firstRange(of: Array($0.utf8)) != nil }
    }
}
