import SQLiteAccess
import Soups

/// Writes entries into one soup: decides between insert and update, binds the index columns, and updates the full-text
/// table.
///
/// Belongs to a session and is dropped when the session forgets the schema. Every call must run inside a transaction of
/// the caller.
final class EntryWriter {
    let soup: RegisteredSoup
    private unowned let session: StoreSession
    private let entry: EntryColumns
    private let table: SoupTable
    private let columnCount: Int
    /// Indexes of the full-text columns among the columns.
    private let fullTextColumns: [Int]
    private let insertEntry: Statement
    private let updateEntry: Statement
    private let insertText: Statement?
    private let replaceText: Statement?
    private let ids: IdCounter
    private var ownFiles = OwnFiles()
    /// One thread at a time, and no call comes back while it is accessed: a check in each access would cost as much as
    /// binding a value.
    @exclusivity(unchecked) private var image: [UInt8] = []

    init(soup: RegisteredSoup, session: StoreSession) throws(Fault) {
        self.soup = soup
        self.session = session
        let table = SoupTable(soup)
        self.table = table
        let columns = table.columnSpecs.compactMap(\.columnName)
        columnCount = table.columnSpecs.count
        ids = session.idCounter(of: soup.id)
        entry = EntryColumns(specs: soup.indexSpecs)
        let fullTextColumns = table.columnSpecs.indices.filter { table.columnSpecs[$0].type == .fullText }
        self.fullTextColumns = fullTextColumns

        let fixed =
            soup.storesExternally ? ["id", "created", "lastModified"] : ["id", "created", "lastModified", "soup"]
        let marks = Array(repeating: "?", count: fixed.count + columns.count).joined(separator: ", ")
        insertEntry = try session.connection.prepare(
            "INSERT INTO \(table.name) (\((fixed + columns).joined(separator: ", "))) VALUES (\(marks))")
        let changed = fixed.dropFirst(2) + columns
        updateEntry = try session.connection.prepare(
            "UPDATE \(table.name) SET \(changed.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?")

        let texts = fullTextColumns.map { columns[$0] }
        if soup.fullTextVersion != nil {
            let marks = Array(repeating: "?", count: texts.count + 1).joined(separator: ", ")
            let rest = "INTO \(table.name.fullText) (rowid, \(texts.joined(separator: ", "))) VALUES (\(marks))"
            insertText = try session.connection.prepare("INSERT \(rest)")
            replaceText = try session.connection.prepare("INSERT OR REPLACE \(rest)")
        } else {
            insertText = nil
            replaceText = nil
        }
    }

    /// Stores one entry and returns it as stored.
    ///
    /// - Throws: `invalidEntry`, `pathNotIndexed`, `externalIdMissing`, `externalIdNotUnique`, and faults of SQLite.
    func upsert(_ text: UnsafeRawBufferPointer, externalIdPath: String?, at now: Int64) throws(Fault) -> [UInt8] {
        try entry.scan(text)
        let target = if let externalIdPath { try lookUp(externalIdPath) } else { entry.entryId }
        if let target, try update(target, at: now) {
            return image
        }
        let id = try nextId()
        try insert(id, at: now)
        return image
    }

    /// Stores one entry and returns its id.
    ///
    /// - Throws: as `upsert`.
    func store(_ text: UnsafeRawBufferPointer, externalIdPath: String?, at now: Int64) throws(Fault) -> Int64 {
        try entry.scan(text)
        let target = if let externalIdPath { try lookUp(externalIdPath) } else { entry.entryId }
        if let target, try update(target, at: now) {
            return target
        }
        let id = try nextId()
        try insert(id, at: now)
        return id
    }

    /// Replaces the entry of an id, whatever id the text has.
    ///
    /// - Throws: `entryNotFound`; as `upsert`.
    func replace(_ id: Int64, by text: UnsafeRawBufferPointer, at now: Int64) throws(Fault) {
        try entry.scan(text)
        guard try update(id, at: now) else {
            throw Fault(
                .entryNotFound, "the soup has no entry \(id): store the value as a new one", context: [.soup(soup.name)]
            )
        }
    }

    func upsert(_ text: some Lendable, externalIdPath: String?, at now: Int64) throws(Fault) -> [UInt8] {
        try text.lend { (bytes) throws(Fault) in try upsert(bytes, externalIdPath: externalIdPath, at: now) }
    }

    /// Replaces the text of the entry with an id, at a date that may be the one it has.
    func rewrite(_ text: [UInt8], id: Int64, at date: Int64) throws(Fault) {
        try text.lend { (bytes) throws(Fault) in
            try entry.scan(bytes)
            _ = try update(id, at: date)
        }
    }

    // MARK: - Insert and update

    private func insert(_ id: Int64, at now: Int64) throws(Fault) {
        entry.store(id: id, lastModified: now, into: &image)
        let statement = insertEntry
        try statement.bind(integer: id, at: 1)
        try statement.bind(integer: now, at: 2)
        try statement.bind(integer: now, at: 3)
        var next = 4
        var imageIndex: Int?
        if !soup.storesExternally {
            imageIndex = 4
            next = 5
        }
        try bindColumns(to: statement, from: next)
        try run(statement, imageAt: imageIndex)
        if let insertText {
            try writeText(insertText, id)
        }
        if soup.storesExternally {
            try writeElement(ElementVersion(table: soup.id, id: id, version: now))
        }
        ids.set(id == .max ? nil : id + 1, in: session.transactionNumber)
        session.changes.note(.inserted, of: id, in: soup)
    }

    /// Returns false if there is no such entry.
    private func update(_ id: Int64, at time: Int64) throws(Fault) -> Bool {
        var now = time
        var former: Int64?
        if soup.storesExternally {
            guard
                let version = try session.connection.integer(
                    "SELECT lastModified FROM \(table.name) WHERE id = ?", .integer(id))
            else {
                return false
            }
            if ownFiles.contain(ElementVersion(table: soup.id, id: id, version: version), ofCall: session.callNumber) {
                now = version
            } else {
                former = version
                // The date is part of the file's name, so another call in the same millisecond uses the next one.
                now = version == .max ? time : max(time, version + 1)
            }
        }
        entry.store(id: id, lastModified: now, into: &image)
        let statement = updateEntry
        try statement.bind(integer: now, at: 1)
        var next = 2
        var imageIndex: Int?
        if !soup.storesExternally {
            imageIndex = 2
            next = 3
        }
        try bindColumns(to: statement, from: next)
        try statement.bind(integer: id, at: next + columnCount)
        try run(statement, imageAt: imageIndex)
        guard session.connection.changes == 1 else { return false }
        if let replaceText {
            try writeText(replaceText, id)
        }
        if soup.storesExternally {
            try writeElement(ElementVersion(table: soup.id, id: id, version: now))
        }
        if let former {
            try session.removeElementAfterCommit(ElementVersion(table: soup.id, id: id, version: former))
        }
        session.changes.note(.updated, of: id, in: soup)
        return true
    }

    /// Runs a statement with values that are lent to SQLite instead of copied, and clears them afterwards.
    private func run(_ statement: Statement, imageAt index: Int?) throws(Fault) {
        defer { statement.clear() }
        guard let index else {
            return try statement.run()
        }
        try image.lend { (bytes) throws(Fault) in
            try statement.bind(borrowedText: bytes, at: index)
            try statement.run()
        }
    }

    private func bindColumns(to statement: Statement, from first: Int) throws(Fault) {
        for column in 0..<columnCount {
            try entry.bindColumn(column, to: statement, at: first + column)
        }
    }

    private func writeText(_ statement: Statement, _ id: Int64) throws(Fault) {
        try statement.bind(integer: id, at: 1)
        for (index, column) in fullTextColumns.enumerated() {
            try entry.bindColumn(column, to: statement, at: index + 2)
        }
        try run(statement, imageAt: nil)
    }

    private func writeElement(_ element: ElementVersion) throws(Fault) {
        let files = try session.elements()
        session.pending.afterRollback { files.remove(element) }
        try files.write(image, to: element)
        ownFiles.add(element, ofCall: session.callNumber)
    }

    // MARK: - Ids

    /// The id after the last one that was ever given, known for the transaction, because this connection holds the
    /// writer's lock.
    private func nextId() throws(Fault) -> Int64 {
        if let next = ids.next(in: session.transactionNumber) {
            return next
        }
        let last =
            try session.connection.integer(
                "SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table.name.description)) ?? 0
        // As in SQLite: a table whose sequence has reached its end takes no more rows.
        guard last < .max else {
            throw Fault(.diskFull, "the soup has no ids left", context: [.soup(soup.name)])
        }
        return last + 1
    }

    /// Checks that entries can be looked up by an external id at this path, so that a call without entries says so too.
    ///
    /// - Throws: `pathNotIndexed`.
    func requireExternalId(at path: String) throws(Fault) {
        if ByteKey(path) != Self.idPath {
            _ = try specIndex(ofExternalId: path)
        }
    }

    private func specIndex(ofExternalId path: String) throws(Fault) -> Int {
        guard let specIndex = soup.indexSpecs.firstIndex(where: { ByteKey($0.path) == ByteKey(path) }) else {
            throw Fault(
                .pathNotIndexed, "an external id needs an index on its path", context: [.soup(soup.name), .path(path)])
        }
        return specIndex
    }

    /// The id of the one entry with this entry's value at the path; `nil` if no entry has it.
    private func lookUp(_ path: String) throws(Fault) -> Int64? {
        if ByteKey(path) == Self.idPath {
            return entry.entryId
        }
        let specIndex = try specIndex(ofExternalId: path)
        let value = try externalId(at: specIndex)
        guard value != .null else {
            throw Fault(
                .externalIdMissing, "an entry has no value at the path of the external id",
                context: [.soup(soup.name), .path(path)])
        }
        let ids = try EntryLookup.ids(
            where: soup.indexSpecs[specIndex], equals: value, in: soup, session: session, limit: 2
        ).value
        guard ids.count < 2 else {
            throw Fault(
                .externalIdNotUnique, "more than one entry has this external id",
                context: [.soup(soup.name), .path(path)])
        }
        return ids.first
    }

    /// The value for the spec of an external id, exactly as the spec's column or expression has it for a stored entry.
    private func externalId(at position: Int) throws(Fault) -> SQLValue {
        let spec = soup.indexSpecs[position]
        guard !spec.type.hasColumn, let expression = spec.columnName, !entry.hasPlainValue(ofSpec: position) else {
            return entry.value(ofSpec: position)
        }
        // SQLite does not look into arrays and writes other values in its own way, so it is asked for its reading of
        // this entry.
        entry.store(id: 0, lastModified: 0, into: &image)
        let statement = try session.connection.statement("SELECT \(expression) FROM (SELECT ? AS soup)")
        defer { statement.clear() }
        return try image.lend { (bytes) throws(Fault) in
            try statement.bind(borrowedText: bytes, at: 1)
            return try statement.step() ? statement.value(at: 0) : .null
        }
    }

    private static let idPath = ByteKey("_soupEntryId")
}
