public import JSONText
import OfflineStore
public import Soups

extension Outbox {
    /// Decides about a creation whose answer was lost, and returns the row as it is then.
    ///
    /// A row that was created gets the id of the service. It is clean if nothing of it was changed since it was sent;
    /// otherwise it stays to be sent, as an update or a deletion. A clean row with the same id, which a sync has
    /// brought, is removed; where that row was changed locally, the row that was created is removed if it is clean, and
    /// else both stay, this one with an error `DUPLICATE_ID`. A row that was not created stays to be sent, unless it
    /// was deleted locally: then it is removed.
    ///
    /// - Parameter fields: The fields that would be sent now, those of a creation; nil for all fields of the row but
    ///   its key.
    /// - Returns: The row; nil if it was removed.
    /// - Throws: `soupNotFound`; `invalidEntry` if there is no doubt about this row; `invalidArguments` for an id that
    ///   is empty or local; `pathNotIndexed` without an index on the key field; as `upsert`.
    @discardableResult
    public func resolve(
        soup: String, entryId: Int64, _ doubt: Doubt, keyField: String = "Id", fields: [String]? = nil
    ) throws(Fault) -> JSONObject? {
        try resolve(soup: soup, entryId: entryId, doubt, keyField: keyField, fields: fields, sent: nil)
    }

    /// Decides about a creation as `resolve` does.
    ///
    /// - Parameter sent: What of the fields that were sent can be compared with the row; nil for all of them.
    package func resolve(
        soup: String, entryId: Int64, _ doubt: Doubt, keyField: String, fields: [String]?, sent: JSONObject?
    ) throws(Fault) -> JSONObject? {
        try store.atomically { () throws(Fault) in
            guard let note = try row(soup: soup, entryId: entryId) else {
                throw Fault(.invalidEntry, "nothing that was sent of this row is in doubt", context: [.soup(soup)])
            }
            let owner = SoupRows(store, soup: soup)
            try remove(soup: soup, entryId: entryId)
            guard var row = try owner.row(entryId) else {
                return nil
            }
            row[ReservedField.lastError] = nil
            switch doubt {
            case .wasNotCreated:
                guard !LocalFlags(of: row).isDeleted else {
                    try store.remove(ids: [entryId], from: soup)
                    try Originals(store, soup: soup).remove([entryId])
                    return nil
                }
                return try owner.write(row)
            case .wasCreated(let id):
                guard !id.isEmpty, !LocalId.isLocal(id) else {
                    throw Fault(.invalidArguments, "the id of a record on the service must not be empty or local")
                }
                return try CreatedRow(owner, keyField: keyField, id: id).save(
                    row, sent: sent ?? note.sent, fields: fields)
            }
        }
    }
}
