public import JSONText
public import OfflineStore
public import Soups

extension LocalEdits {
    /// Takes back a local deletion, and returns the row: still created or updated if it was that before, else clean,
    /// and as the service has it now where a sync has passed over the row. A row that is not deleted stays as it is.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if there is no such row; as `upsert`.
    @discardableResult
    public func undelete(_ entryId: Int64) throws(Fault) -> JSONObject {
        try store.atomically { () throws(Fault) in
            var row = try self.row(entryId)
            var flags = LocalFlags(of: row)
            guard flags.isDeleted else {
                return row
            }
            flags.isDeleted = false
            flags.isLocal = false
            flags.write(to: &row)
            guard flags.isDirty else {
                // No later sync would bring the record that was passed over.
                return try writeClean(originals.skippedRecord(of: entryId) ?? row, entryId)
            }
            return try rows.write(row)
        }
    }

    /// Takes back all local changes of a row, and returns it clean: as it was before, or as the service has it now
    /// where a sync has passed over the changed row. A row that was created locally is removed, and nil is returned. A
    /// clean row stays as it is.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if there is no such row, or no original of it was kept; as `upsert`.
    @discardableResult
    public func discard(_ entryId: Int64) throws(Fault) -> JSONObject? {
        try store.atomically { () throws(Fault) in
            let row = try self.row(entryId)
            let flags = LocalFlags(of: row)
            guard !flags.isCreated else {
                try remove(entryId)
                return nil
            }
            guard flags.isDirty else {
                return row
            }
            guard let clean = try originals.newest(of: entryId) else {
                throw invalid("no original of the row was kept")
            }
            return try writeClean(clean, entryId)
        }
    }

    /// Stores a record in a row that has no local changes any more.
    private func writeClean(_ record: JSONObject, _ entryId: Int64) throws(Fault) -> JSONObject {
        var row = record
        row["_soupEntryId"] = .number(JSONNumber(entryId))
        LocalFlags().write(to: &row)
        try originals.remove([entryId])
        return try rows.write(row)
    }

    /// Finds the rows with local changes, in the order of their entry ids, page by page. Pages are found by key, so
    /// rows that have become clean do not move the rest.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed` if the soup has no index on `__local__`, `invalidPageSize`.
    public func pending(pageSize: Int = 100) throws(Fault) -> StoreCursor {
        try store.query(
            .exact(path: ReservedField.local, matchKey: true, orderPath: "_soupEntryId", pageSize: pageSize),
            soup: soup)
    }
}
