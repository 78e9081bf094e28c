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

    /// Reads one entry; nil if there is none with that id.
    ///
    /// Runs one statement without reading the schema: table numbers are never reused, so the statement either finds the
    /// soup's own table or fails. If SQLite had to prepare it again, the schema has changed, and the work is repeated.
    func retrieve(_ id: Int64, from name: String) throws(Fault) -> [UInt8]? {
        if let known = lastRetrieval, known.reads(name), !connection.isInTransaction {
            do throws(Fault) {
                let entry = try known.read(id)
                if !known.isStale {
                    return entry
                }
            } catch {
                // The real reason is found below, where the schema is read.
            }
            if missingElement == nil {
                forget()
            }
        }
        return try reading { () throws(Fault) in try retrieval(of: name).read(id) }
    }

    private func retrieval(of name: String) throws(Fault) -> EntryRetrieval {
        let soup = try soup(name)
        let key = ByteKey(name)
        let retrieval: EntryRetrieval
        if let known = retrievals[key], !known.isStale {
            retrieval = known
        } else {
            retrieval = try EntryRetrieval(soup: soup, session: self)
        }
        retrievals[key] = retrieval
        lastRetrieval = retrieval
        return retrieval
    }
}

/// Reads single entries of one soup by id, with one prepared statement.
final class EntryRetrieval {
    private let soup: RegisteredSoup
    private let storesExternally: Bool
    private unowned let session: StoreSession
    private let statement: Statement
    private let key: ByteKey

    init(soup: RegisteredSoup, session: StoreSession) throws(Fault) {
        self.soup = soup
        storesExternally = soup.storesExternally
        self.session = session
        key = ByteKey(soup.name)
        statement = try session.connection.prepare(
            "SELECT \(storesExternally ? "lastModified" : "soup") FROM \(soup.tableName) WHERE id = ?")
    }

    /// Whether this object reads the soup of that name.
    func reads(_ name: String) -> Bool { key == ByteKey(name) }

    /// Whether SQLite found another schema than the one the statement was prepared for.
    var isStale: Bool { statement.wasPreparedAgain }

    /// The entries in the order of their ids; missing ones are left out, and an id that is given twice gives its entry
    /// once.
    func entries(of ids: [Int64]) throws(Fault) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        entries.reserveCapacity(ids.count)
        var seen: Set<Int64> = []
        for id in ids where ids.count == 1 || seen.insert(id).inserted {
            if let entry = try read(id) {
                entries.append(entry)
            }
        }
        return entries
    }

    /// Nil if there is no such entry.
    func read(_ id: Int64) throws(Fault) -> [UInt8]? {
        try statement.bind(integer: id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        guard storesExternally else {
            return statement.bytes(at: 0)
        }
        return try session.element(ElementPlace(table: soup.id, id: id, version: statement.integer(at: 0)))
    }
}
