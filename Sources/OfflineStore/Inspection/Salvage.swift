import SQLiteAccess
package import Soups

/// Reads what can be read of a damaged soup, by the ids of its entries.
///
/// The table is walked in the order of ids. Where a page cannot be read the walk goes on at the next id that can be
/// looked up: each look-up goes down the tree by itself, so it passes damaged pages by. A soup that is being altered is
/// read from its old table, which has all entries until it is dropped.
package struct Salvage {
    /// The number of entries that were read.
    package private(set) var read = 0
    /// The number of entries that the soup had and that could not be read.
    package private(set) var missing = 0
    /// Whether `missing` counts entries; otherwise ids, some of which may have had no entry.
    package private(set) var isExact = true

    private let session: StoreSession
    private let soup: SoupLocation
    private let systemFields: Bool

    /// How many ids are looked up after a damaged page: what says which id was the last may be damaged too.
    private static let reach: Int64 = 200_000

    fileprivate init(_ session: StoreSession, _ name: String, systemFields: Bool) throws(Fault) {
        self.session = session
        self.systemFields = systemFields
        soup = try SoupLocation(ofSoup: name, session.connection)
    }

    fileprivate mutating func run(_ body: ([UInt8]) throws(Fault) -> Void) throws(Fault) {
        let last = lastID()
        let count = try attempt { (connection) throws(Fault) in
            try connection.integer("SELECT count(*) FROM \(soup.tableName)")
        }
        var lost = 0
        var next: Int64? = .min
        while let first = next {
            if let damaged = try walk(from: first, &lost, body) {
                // Entry by entry, until one can be read again: a walk would begin on the damaged page.
                next = try leap(from: damaged, to: last, &lost, body)
            } else {
                next = nil
            }
        }
        if let count = count ?? nil {
            missing = max(0, Int(count) - read)
        } else {
            missing = lost
            isExact = lost == 0
        }
    }

    /// Reads entries from an id on until the end, or until a page cannot be read. Returns the id after the last one
    /// that was read; nil at the end.
    private mutating func walk(
        from first: Int64, _ lost: inout Int, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) -> Int64? {
        var next = first
        var fault: Fault?
        do throws(Fault) {
            let rows = try session.connection.prepare(
                "SELECT id, \(column) FROM \(soup.tableName) WHERE id >= ? ORDER BY id")
            try rows.bind(integer: first, at: 1)
            while try rows.step() {
                let id = rows.integer(at: 0)
                // A damaged tree may lead back to a page that was read: the walk would begin again and again.
                guard id >= next else { return next }
                if let line = line(rows) {
                    do throws(Fault) {
                        try body(line)
                    } catch {
                        fault = error
                        break
                    }
                    read += 1
                } else {
                    lost += 1
                }
                guard id < .max else { return nil }
                next = id + 1
            }
        } catch {
            guard Self.isDamage(error) else {
                throw error
            }
            return next
        }
        if let fault {
            throw fault
        }
        return nil
    }

    /// What a row has of its entry: the text, or the version of its file.
    private var column: String { soup.storesExternally ? "lastModified" : "soup" }

    /// Looks the ids from one on up until an entry can be read. Returns the id after it; nil at the end.
    private mutating func leap(
        from damaged: Int64, to last: Int64?, _ lost: inout Int, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) -> Int64? {
        let statements = try attempt { (connection) throws(Fault) in
            (
                try connection.prepare("SELECT id FROM \(soup.tableName) WHERE id >= ? ORDER BY id LIMIT 1"),
                try connection.prepare("SELECT id, \(column) FROM \(soup.tableName) WHERE id = ?")
            )
        }
        guard let (ids, rows) = statements else {
            lost += 1
            return nil
        }
        // If the first page is damaged, the first id is unknown: this library gives ids from 1 on.
        var id = damaged
        if damaged == .min {
            id = try firstID(ids) ?? 0
        }
        let end = last ?? .max
        for _ in 0...Self.reach {
            guard id <= end else { return nil }
            let found = try attempt { (_) throws(Fault) in try Self.find(id, ids) }
            if let found {
                // No id is left.
                guard let found else { return nil }
                id = found
                if let line = try attempt({ (_) throws(Fault) in try self.line(ofEntry: id, rows) }) ?? nil {
                    try body(line)
                    read += 1
                    return id < .max ? id + 1 : nil
                }
            }
            lost += 1
            guard id < .max else { return nil }
            id += 1
        }
        return nil
    }

    /// The least id of the soup; nil for an empty soup, or if the page that has it is damaged.
    private func firstID(_ ids: Statement) throws(Fault) -> Int64? {
        try attempt { (_) throws(Fault) in try Self.find(.min, ids) } ?? nil
    }

    /// The first id that is at least the given one.
    private static func find(_ id: Int64, _ ids: Statement) throws(Fault) -> Int64? {
        // Prepared once: a damaged root can leave hundreds of thousands of ids to try.
        ids.clear()
        try ids.bind(integer: id, at: 1)
        guard try ids.step(), ids.integer(at: 0) >= id else { return nil }
        return ids.integer(at: 0)
    }

    /// The line of an entry; nil if it is damaged.
    private func line(ofEntry id: Int64, _ rows: Statement) throws(Fault) -> [UInt8]? {
        rows.clear()
        try rows.bind(integer: id, at: 1)
        return try rows.step() && rows.integer(at: 0) == id ? line(rows) : nil
    }

    /// The entry of a row as a line; nil if it is damaged.
    private func line(_ row: Statement) -> [UInt8]? {
        var text: [UInt8]?
        if soup.storesExternally {
            let element = ElementVersion(table: soup.table.id, id: row.integer(at: 0), version: row.integer(at: 1))
            text = try? session.elements().read(element)
        } else {
            text = row.bytes(at: 1)
        }
        guard let text, (try? EntryEdit.object(text)) != nil else { return nil }
        return try? LineExport.line(text, systemFields: systemFields)
    }

    /// The highest id that the soup may have; nil if nothing says so.
    private func lastID() -> Int64? {
        let asked = [
            "SELECT max(id) FROM \(soup.tableName)",
            "SELECT seq FROM sqlite_sequence WHERE name = '\(soup.tableName)'",
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
    /// - Throws: `soupNotFound`; `corrupt` if the list is damaged and the name is not that of a table; what `body`
    ///   throws. Damage is not thrown: the result counts it.
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
