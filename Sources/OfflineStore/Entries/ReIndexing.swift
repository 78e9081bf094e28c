import SQLiteAccess
import Soups

/// Computes index columns from the stored entries, a few at a time. Dates are not changed, and entries whose text is
/// not JSON are passed over. Source: guide, Reindex a Soup.
struct ReIndexing {
    let session: StoreSession
    let soup: RegisteredSoup
    /// The specs to compute, without json1 specs, which have no column.
    let specs: [IndexSpec]
    /// Whether the full-text table is updated too; false if it is filled afterwards.
    let keepsFullText: Bool

    init(
        session: StoreSession, soup: RegisteredSoup, specs: [IndexSpec], keepsFullText: Bool = true
    ) throws(Fault) {
        self.session = session
        self.soup = soup
        self.specs = specs.filter(\.type.hasColumn)
        self.keepsFullText = keepsFullText
    }

    /// Goes through all entries inside the caller's transaction; `progress` is called with the number of entries done
    /// and of all.
    @discardableResult
    func run(_ progress: (_ done: Int, _ total: Int) -> Void) throws(Fault) -> Int {
        let columns = specs.compactMap(\.columnName)
        guard !columns.isEmpty else { return 0 }
        let connection = session.connection
        let total = Int(try connection.number("SELECT count(*) FROM \(soup.tableName)"))
        let entry = EntryColumns(specs: specs)
        let assignments = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let update = try connection.statement("UPDATE \(soup.tableName) SET \(assignments) WHERE id = ?")
        let texts = specs.indices.filter { specs[$0].type == .fullText && keepsFullText }
        let textAssignments = texts.map { "\(columns[$0]) = ?" }.joined(separator: ", ")
        let updateText =
            texts.isEmpty
            ? nil : try connection.statement("UPDATE \(soup.fullTextTableName) SET \(textAssignments) WHERE rowid = ?")

        var done = 0
        var first: Int64 = .min
        while true {
            let entries = try chunk(from: first)
            guard let last = entries.last else { break }
            for (id, text) in entries {
                // The statements borrow the columns from the text.
                try text.lend { (bytes) throws(Fault) in
                    defer {
                        update.clear()
                        updateText?.clear()
                    }
                    guard try scan(bytes, ofEntry: id, entry) else { return }
                    for column in columns.indices {
                        try entry.bindColumn(column, to: update, at: column + 1)
                    }
                    try update.bind(integer: id, at: columns.count + 1)
                    try update.run()
                    guard let updateText else { return }
                    for (index, column) in texts.enumerated() {
                        try entry.bindColumn(column, to: updateText, at: index + 1)
                    }
                    try updateText.bind(integer: id, at: texts.count + 1)
                    try updateText.run()
                }
            }
            done += entries.count
            progress(done, total)
            guard last.id < .max else { break }
            first = last.id + 1
        }
        return done
    }

    /// Scans an entry; false if its text is damaged: the row keeps what it has, and a check of the store finds it.
    private func scan(_ text: UnsafeRawBufferPointer, ofEntry id: Int64, _ entry: EntryColumns) throws(Fault) -> Bool {
        do throws(Fault) {
            try entry.scan(text, ofEntry: id)
            return true
        } catch {
            guard (try? StoredEntry.check(Array(text))) != nil else { return false }
            throw error
        }
    }

    /// The next entries from an id on, with their full text.
    private func chunk(from first: Int64) throws(Fault) -> [(id: Int64, text: [UInt8])] {
        let source = soup.storesExternally ? "lastModified" : "soup"
        let limit = soup.storesExternally ? 1 : Alteration.chunk
        let rows = try session.connection.statement(
            "SELECT id, \(source) FROM \(soup.tableName) WHERE id >= ? ORDER BY id LIMIT \(limit)")
        defer { rows.reset() }
        try rows.bind(integer: first, at: 1)
        var entries: [(id: Int64, text: [UInt8])] = []
        while try rows.step() {
            let id = rows.integer(at: 0)
            if soup.storesExternally {
                let element = ElementVersion(table: soup.id, id: id, version: rows.integer(at: 1))
                entries.append((id, try session.elements().readExisting(element)))
            } else {
                entries.append((id, rows.bytes(at: 1)))
            }
        }
        return entries
    }
}
