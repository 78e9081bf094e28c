import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Makes the requests of planned changes from their rows, as these are when they are sent. Every call is inside a
/// transaction of the caller.
struct ChangePreparation: Sendable {
    private let client: ODataClient
    /// The names of all sets that are pushed. A row waits for a new entity of another set.
    private let sets: Set<ByteKey>
    private let progress: PushProgress

    init(_ client: ODataClient, _ sets: [MappedEntitySet], _ progress: PushProgress) {
        self.client = client
        self.sets = Set(sets.map { ByteKey($0.name) })
        self.progress = progress
    }

    private var saving: PushSaving { PushSaving(client: client) }

    /// Reads the row of a change and makes its request. An insert that the service could do twice is noted in the
    /// outbox in the same transaction.
    ///
    /// Nil if there is nothing to send, or if no request can be written for the row. The outcome is noted then.
    ///
    /// - Parameter rows: Rows that were read ahead. They are forgotten if others than that of the change are written.
    func prepare(
        _ given: PlannedChange, at position: Int, in rows: inout ChangedRowPage, contentID: String? = nil,
        contentIDs: [(reference: EntityReference, id: String)] = [], isRelative: Bool = false
    ) throws(Fault) -> PreparedChange? {
        guard let found = try unsentRow(given, at: position, in: rows) else { return nil }
        let row = given.isInsert ? try takingKnownKey(found, given.set, &rows) : found
        let changed = try rows.changedRow(row, of: given.set)
        let change = Self.change(given, as: changed)
        var builder = try ChangeRequestBuilder(client, change, changed, isRelative: isRelative)
        builder.contentIDs = contentIDs
        guard let request = try request(of: builder, contentID: contentID, at: position, in: &rows) else {
            return nil
        }
        var isUnresolved = builder.isUnresolved(request)
        if isUnresolved, let name = try builder.brokenReference(request) {
            try refuse(change, Self.brokenReference(name, of: change.set), at: position)
            return nil
        }
        if !isUnresolved {
            isUnresolved = try builder.namesUnsentEntity(request, besides: sets)
        }
        let mayDouble =
            change.isInsert && LocalId.isLocal(row.keyText) && change.set.settings.doubt == .hold && !isUnresolved
        if mayDouble {
            try noteInsert(change, sent: request.sent)
        }
        return PreparedChange(
            sent: SentChange(
                change: change, image: row, base: changed.base, sent: request.sent, mayDouble: mayDouble,
                soupId: try client.store.soupId(change.set.soup)),
            request: request, isUnresolved: isUnresolved,
            isIncomplete: change.operation == .update && changed.isIncomplete)
    }

    /// The row of a change, if the change is still to be sent. Otherwise nil, and the outcome is noted.
    private func unsentRow(
        _ change: PlannedChange, at position: Int, in rows: ChangedRowPage
    ) throws(Fault) -> JSONObject? {
        if let soupId = change.soupId, try client.store.soupId(change.set.soup) != soupId {
            // What is known of the entity is about a row of a former soup.
            progress.note(position, .waits)
            return nil
        }
        guard let row = try rows.row(change.entryId, of: change.set), KeptConflict(of: row) == nil,
            let operation = LocalFlags(of: row).pushed, operation == change.operation
        else {
            try noteUnsent(change, at: position)
            return nil
        }
        return row
    }

    /// The request of a change. Nil if there is nothing to send, or if no request can be written for the row: the
    /// outcome is noted then, and the other rows are sent all the same.
    private func request(
        of builder: ChangeRequestBuilder, contentID: String?, at position: Int, in rows: inout ChangedRowPage
    ) throws(Fault) -> ChangeRequestBuilder.Request? {
        let written: ChangeRequestBuilder.Request?
        do throws(Fault) {
            written = try builder.request(contentID: contentID)
        } catch {
            try refuse(builder.change, error, at: position)
            return nil
        }
        if written == nil {
            try saveUnsent(builder.change, builder.row, at: position, in: &rows)
        }
        return written
    }

    private static func brokenReference(_ name: String, of set: MappedEntitySet) -> Fault {
        Fault(
            .invalidEntry,
            "the new entity that this foreign key names is not here any more; name another one, or null",
            context: [.soup(set.soup), .path(name)])
    }

    /// A planned change with the key that its row has now. Links may have been bound since the plan was made: an insert
    /// does not leave out their foreign keys.
    private static func change(_ planned: PlannedChange, as row: ChangedRow) -> PlannedChange {
        let bound = row.boundReferences
        return PlannedChange(
            set: planned.set, entryId: planned.entryId, operation: planned.operation, key: row.row.keyText,
            principals: planned.principals, namedInserts: planned.namedInserts,
            leftOut: planned.leftOut.filter { !bound.contains($0) },
            isCompletion: planned.isCompletion, partner: planned.partner, soupId: planned.soupId,
            keepsRow: planned.keepsRow)
    }

    /// Saves that a change has nothing to send: the service has the values of the row, which becomes clean.
    private func saveUnsent(
        _ change: PlannedChange, _ changed: ChangedRow, at position: Int, in rows: inout ChangedRowPage
    ) throws(Fault) {
        if let partner = change.partner {
            // The row takes the key of its partner alone.
            let same = SentChange(
                change: change, image: changed.row, base: changed.base, sent: JSONObject(), mayDouble: false)
            rows.forget()
            try saving.done(same, nil, key: partner.keyText, etag: partner.etag)
        } else {
            try saving.settle(changed.row, change.set)
        }
        try noteUnsent(change, at: position)
    }

    /// Notes a change that needs no request any more: its row is clean or gone. One whose row has got another change
    /// or a conflict since the plan was made waits for the next push.
    private func noteUnsent(_ change: PlannedChange, at position: Int) throws(Fault) {
        guard !progress.isMet(position) else { return }
        let row = try saving.rows(change.set).row(change.entryId)
        let isDirty = row.map { LocalFlags(of: $0).isDirty } ?? false
        progress.note(position, isDirty ? .waits : .done)
    }

    /// Saves that no request can be written for a change.
    private func refuse(_ change: PlannedChange, _ fault: Fault, at position: Int) throws(Fault) {
        let error = ServiceRefusal.json(unwritable: fault)
        try saving.note(error, change)
        progress.noteRefusal(of: change, error, at: position)
    }

    /// A new row with the key that its properties make, if all parts are known by now: an entity that it refers to may
    /// have got its key since the row was created. A key that another row has is left to the service, and one that does
    /// not fit its type to the writing of the request. The store is asked only if all parts are known.
    private func takingKnownKey(
        _ row: JSONObject, _ set: MappedEntitySet, _ rows: inout ChangedRowPage
    ) throws(Fault) -> JSONObject {
        guard LocalId.isLocal(row.keyText), let key = try? client.clientKey(of: row, set),
            try client.isFree(key, set)
        else { return row }
        progress.note(key: key, of: set, for: row.keyText)
        // The rows that refer to it are written too.
        rows.forget()
        return try client.giving(key, to: row, set)
    }

    /// Notes in the outbox that an insert is sent which the service could do twice.
    func noteInsert(_ change: PlannedChange, sent: JSONObject) throws(Fault) {
        try Outbox(client.store).keep([
            OutboxRow(
                soupName: change.set.soup, entryId: change.entryId, syncId: nil, objectType: change.set.name,
                sent: sent, sentAt: client.options.clock.now())
        ])
    }
}

/// A change with its request.
struct PreparedChange: Sendable {
    let sent: SentChange
    let request: ChangeRequestBuilder.Request
    /// Whether a foreign key names an entity that has no key yet, or is not on the service.
    let isUnresolved: Bool
    /// Whether the whole entity would be replaced by a row that lacks properties.
    let isIncomplete: Bool
    /// Whether the entity is to be read before the change is sent. That of a partner was just read.
    var asksFirst: Bool { sent.change.partner == nil && (isStale || isIncomplete) }
    /// Whether the ETag of the entity is not known any more.
    private var isStale: Bool { sent.base?.control["stale"]?.bool == true }
}
