import SQLiteAccess
import Soups

extension StoreSession {
    /// Reads entries by id, in the order of the ids.
    func retrieve(_ ids: [Int64], from name: String) throws(Fault) -> [[UInt8]] {
        if ids.count == 1 {
            return try retrieve(ids[0], from: name).map { [$0] } ?? []
        }
        return try reading { () throws(Fault) in try retrieval(of: name).entries(of: ids) }
    }

    /// Reads one entry; `nil` if the soup has no entry with this id.
    ///
    /// Runs one statement without reading the schema: table numbers are never reused, so the statement either finds the
    /// soup's own table or fails. If SQLite had to prepare it again, the schema has changed, and the work is repeated.
    func retrieve(_ id: Int64, from name: String) throws(Fault) -> [UInt8]? {
        if let known = schema.lastRetrieval, known.reads(name), !connection.isInTransaction {
            do throws(Fault) {
                let entry = try known.read(id)
                if !known.isStale {
                    return entry
                }
            } catch {
                // The real reason is found below, where the schema is read.
            }
            if attempt.missingElement == nil {
                forget()
            }
        }
        return try reading { () throws(Fault) in try retrieval(of: name).read(id) }
    }

    func retrieval(of name: String) throws(Fault) -> EntryRetrieval {
        let soup = try soup(name)
        let key = ByteKey(name)
        let retrieval: EntryRetrieval
        if let known = schema.retrievals[key], !known.isStale {
            retrieval = known
        } else {
            retrieval = try EntryRetrieval(soup: soup, session: self)
        }
        schema.retrievals[key] = retrieval
        schema.lastRetrieval = retrieval
        return retrieval
    }
}
