import SQLiteAccess
package import Soups

/// Reads what can be read of a damaged soup, by the ids of its entries.
///
/// The table is walked in the order of ids. Where a page cannot be read the walk goes on at the next id that can be
/// looked up: each look-up goes down the tree by itself, so it passes damaged pages by.
package struct Salvage {
    /// The number of entries that were read.
    package private(set) var read = 0
    /// The number of entries that the soup had and that could not be read.
    package private(set) var missing = 0
    /// Whether `missing` counts entries; otherwise ids, some of which may have had no entry.
    package private(set) var isExact = true

    private let session: StoreSession
    private let soup: SoupPlace
    private let systemFields: Bool

    /// How many ids are looked up after a damaged page: what says which id was the last may be damaged too.
    private static let reach: Int64 = 200_000

    fileprivate init(_ session: StoreSession, _ name: String, systemFields: Bool) throws(Fault) {
        self.session = session
        self.systemFields = systemFields
        soup = try SoupPlace(ofSoup: name, session.connection)
    }

    fileprivate mutating func run(_ body: ([UInt8]) throws(Fault) -> Void) throws(Fault) {
        let last = lastID()
        let count = try attempt { (connection) throws(Fault) in
            try connection.integer("SELECT count(*) FROM \(soup.table)")
        }
        var position = Int64.min
        var lost = 0
        while try !walk(from: &position, &lost, body) {
            // Entry by entry, until one can be read again: a walk would begin on the damaged page.
            guard try leap(from: &position, to: last, &lost, body) else { break }
        }
        if let count = count ?? nil {
            missing = max(0, Int(count) - read)
        } else {
            missing = lost
            isExact = lost == 0
        }
    }

    /// Reads entries after a position until the end, or until a page cannot be read. Returns whether it came to the end.
    private mutating func walk(
        from position: inout Int64, _ lost: inout Int, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) -> Bool {
        var fault: Fault?
        do throws(Fault) {
            let rows = try session.connection.prepare(
                "SELECT id, \(column) FROM \(soup.table) WHERE id > ? ORDER BY id")
            try rows.bind(integer: position, at: 1)
            while try rows.step() {
                let id = rows.integer(at: 0)
                // A damaged tree may lead back to a page that was read: the walk would begin again and again.
                guard id > position else { return false }
                position = id
                guard let line = line(rows) else {
                    lost += 1
                    continue
                }
                do throws(Fault) {
                    try body(line)
                } catch {
                    fault = error
                    break
                }
                read += 1
            }
        } catch {
            guard Self.isDamage(error) else {
                throw error
            }
            return false
        }
        if let fault {
            throw fault
        }
        return true
    }

    /// What a row has of its entry: the text, or the version of its file.
    private var column: String { soup.storesExternally ? "lastModified" : "soup" }

    /// Looks the ids after a position up until an entry can be read. Returns whether there was one.
    private mutating func leap(
        from position: inout Int64, to last: Int64?, _ lost: inout Int, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) -> Bool {
        let first = position == .min ? 0 : position &+ 1
        let end = min(last ?? .max, first + Self.reach)
        guard first <= end else { return false }
        let statement = try attempt { (connection) throws(Fault) in
            try connection.prepare("SELECT id, \(column) FROM \(soup.table) WHERE id = ?")
        }
        guard let rows = statement else {
            lost += Int(end - first) + 1
            return false
        }
        for id in first...end {
            // Prepared once: behind a damaged root there may be hundreds of thousands of ids to be tried.
            let found = try attempt { (_) throws(Fault) -> (isThere: Bool, line: [UInt8]?) in
                rows.clear()
                try rows.bind(integer: id, at: 1)
                return try rows.step() && rows.integer(at: 0) == id ? (true, line(rows)) : (false, nil)
            }
            guard let line = found?.line else {
                lost += found?.isThere == false ? 0 : 1
                continue
            }
            try body(line)
            read += 1
            position = id
            return true
        }
        return false
    }

    /// The entry of a row as a line; nil if it is damaged.
    private func line(_ row: Statement) -> [UInt8]? {
        var text: [UInt8]?
        if soup.storesExternally {
            let place = ElementPlace(table: soup.table.id, id: row.integer(at: 0), version: row.integer(at: 1))
            text = try? session.elements().read(place)
        } else {
            text = row.bytes(at: 1)
        }
        guard let text, (try? EntryEdit.object(text)) != nil else { return nil }
        return try? LineExport.line(text, systemFields: systemFields)
    }

    /// The highest id that the soup may have; nil if nothing says so.
    private func lastID() -> Int64? {
        let asked = [
            "SELECT max(id) FROM \(soup.table)", "SELECT seq FROM sqlite_sequence WHERE name = '\(soup.table)'",
        ]
        return asked.lazy.compactMap { sql in (try? session.connection.integer(sql)) ?? nil }.first
    }

    /// Does some reading; nil if a page that it needs is damaged.
    private func attempt<R>(_ work: (Connection) throws(Fault) -> R) throws(Fault) -> R? {
        do throws(Fault) {
            return try work(session.connection)
        } catch {
            guard Self.isDamage(error) else {
                throw error
            }
            return nil
        }
    }

    static func isDamage(_ fault: Fault) -> Bool {
        [.corrupt, .inputOutput, .notADatabase, .sqlError].contains(fault.code)
    }
}

extension SmartStore {
    /// Gives the lines of a damaged soup that can be read, each with its line feed. Where the list of soups is damaged
    /// the name of a table, such as `TABLE_1`, will do.
    ///
    /// - Throws: `soupNotFound`; `corrupt` if the list is damaged and the name is not that of a table; what `body` throws. Damage is not thrown: the result counts it.
    package func salvage(
        soup name: String, systemFields: Bool, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) -> Salvage {
        try connections.read { (session) throws(Fault) in
            var salvage = try Salvage(session, name, systemFields: systemFields)
            try salvage.run(body)
            return salvage
        }
    }
}
