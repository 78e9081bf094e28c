import SQLiteAccess
import SmartSQL
import Soups

extension SmartExecution {
    /// The numbers of the tables with entries in files of their own; empty if the text reads no such entry.
    ///
    /// Looked up before the text runs: while it does, nothing but soup tables can be read.
    func externalTables(_ session: StoreSession) throws(Fault) -> Set<Int64> {
        guard query.readsExternalEntries else {
            return []
        }
        _ = try session.elements()
        return Set(try SoupReading.externalTables(session.connection))
    }

    /// The entry in a file of its own; nil for an id that no entry has.
    func entry(_ reference: ExternalReference, _ session: StoreSession) throws(Fault) -> [UInt8]? {
        let version = try session.connection.integer(
            "SELECT lastModified FROM \(reference.table) WHERE id = ?", .integer(reference.id))
        guard let version else {
            return nil
        }
        return try session.element(ElementVersion(table: reference.table.id, id: reference.id, version: version))
    }
}
