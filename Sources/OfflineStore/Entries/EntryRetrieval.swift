import SQLiteAccess
import Soups

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

    /// The same entries, in one block of memory.
    func list(of ids: [Int64]) throws(Fault) -> EntryList {
        var entries = EntryList()
        var seen: Set<Int64> = []
        for id in ids where ids.count == 1 || seen.insert(id).inserted {
            _ = try lend(id) { entries.append($0) }
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
        return try session.element(ElementVersion(table: soup.id, id: id, version: statement.integer(at: 0)))
    }

    /// Lends the text of an entry to a closure; nil if there is no such entry.
    func lend<R>(_ id: Int64, _ body: (UnsafeRawBufferPointer) throws(Fault) -> R) throws(Fault) -> R? {
        try statement.bind(integer: id, at: 1)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        guard storesExternally else {
            return try body(statement.lentBytes(at: 0))
        }
        let element = ElementVersion(table: soup.id, id: id, version: statement.integer(at: 0))
        let text = try session.element(element)
        return try text.withUnsafeBufferPointer { (buffer) throws(Fault) in try body(UnsafeRawBufferPointer(buffer)) }
    }
}
