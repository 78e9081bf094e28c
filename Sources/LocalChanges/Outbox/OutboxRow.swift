public import JSONText
import Soups

/// A record that is being created on a service, as it was sent.
public struct OutboxRow: Sendable, Hashable {
    /// The soup of the row that was sent.
    public var soupName: String
    /// The id of the row that was sent.
    public var entryId: Int64
    /// The id of the sync that sent it; `nil` if another call than a sync did.
    public var syncId: Int64?
    /// The type of the record on the service.
    public var objectType: String
    /// The fields as they were sent.
    public var sent: JSONObject
    /// When it was sent, in milliseconds since 1970.
    public var sentAt: Int64
    /// The member of the row that gets the id of the service; nil for `Id`, and in rows of former versions.
    package var keyField: String?

    /// Creates a row.
    public init(
        soupName: String, entryId: Int64, syncId: Int64?, objectType: String, sent: JSONObject, sentAt: Int64
    ) {
        self.soupName = soupName
        self.entryId = entryId
        self.syncId = syncId
        self.objectType = objectType
        self.sent = sent
        self.sentAt = sentAt
    }

    /// The row with the name of the member that gets the id of the service.
    package func naming(keyField: String) -> OutboxRow {
        var row = self
        row.keyField = ByteKey(keyField) == ByteKey("Id") ? nil : keyField
        return row
    }

    /// Reads a stored row; nil if it has another form.
    init?(stored row: JSONObject) {
        guard let soupName = row["soupName"]?.string, let entryId = row["entryId"]?.int64 else { return nil }
        self.init(
            soupName: soupName, entryId: entryId, syncId: row["syncId"]?.int64,
            objectType: row["objectType"]?.string ?? "", sent: KeptRecord.record(row["sent"]) ?? JSONObject(),
            sentAt: row["sentAt"]?.int64 ?? 0)
        keyField = row["keyField"]?.string
    }

    /// The row as it is stored.
    var json: JSONObject {
        JSONObject(
            [
                ("soupName", .string(soupName)), ("entryId", .number(JSONNumber(entryId))),
                ("syncId", syncId.map { .number(JSONNumber($0)) } ?? .null), ("objectType", .string(objectType)),
                ("sent", KeptRecord.json(sent)), ("sentAt", .number(JSONNumber(sentAt))),
            ] + (keyField.map { [("keyField", .string($0))] } ?? []))
    }

    public static func == (a: OutboxRow, b: OutboxRow) -> Bool { JSONValue.object(a.json) == JSONValue.object(b.json) }

    public func hash(into hasher: inout Hasher) { hasher.combine(entryId) }
}
