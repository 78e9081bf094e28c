import SQLiteAccess
import SmartSQL
import Soups

/// Holds one connection and what is known through it: the soups, as of one schema version, and the prepared work of
/// each.
///
/// Owned by one thread at a time. What it knows is dropped whenever SQLite reports that any connection has changed the
/// schema.
final class StoreSession {
    let connection: Connection
    let options: StoreOptions
    var schema = KnownSchema()
    /// The counter of each soup's table that was written to.
    private var idCounters: [Int64: IdCounter] = [:]
    /// Changes with each outermost transaction, when work is undone inside one, and when the schema is forgotten: what
    /// is known of ids is valid for one number. Each insert asks, on the thread that owns the session.
    @exclusivity(unchecked) private(set) var transactionNumber = 0
    /// Changes with each transaction, also with one inside another: each call that writes has a number of its own.
    private(set) var callNumber = 0
    /// How many transactions are open inside each other.
    var level = 0
    var pending = PendingActions()
    /// What the transaction has changed.
    @exclusivity(unchecked) var changes = ChangeNotes()
    let hub: ChangeHub
    /// Numbers the commits of the store object.
    let commits: CommitNumbers
    private(set) var elementFiles: ElementFiles?
    /// Folders that the transaction has written external entries to, through objects that are no longer held.
    private(set) var touchedFolders: Set<String> = []
    var attempt = ReadingAttempt()
    /// The soup that an alteration kept from being used, and the fault for it.
    var alterationInTheWay: (soup: String, fault: Fault)?

    /// The opening of the store that the connection is of.
    private let opening: Int

    init(
        connection: Connection, options: StoreOptions, hub: ChangeHub, commits: CommitNumbers, opening: Int
    ) {
        self.connection = connection
        self.commits = commits
        self.opening = opening
        self.hub = hub
        self.options = options
    }

    /// Reads the schema version and drops what is known of an older one. Must be called inside a transaction, because
    /// otherwise the version may change at once.
    func refresh() throws(Fault) {
        let current = try connection.schemaVersion()
        if current != schema.version {
            forget()
            schema.unfinished = try LongOperation.soupsUnderway(connection)
            schema.version = current
        }
    }

    /// The version of the schema that is known, after `refresh`.
    var knownSchemaVersion: SchemaVersion { SchemaVersion(opening: opening, number: schema.version ?? -1) }

    /// Forgets everything read from the schema.
    func forget() {
        schema = KnownSchema(unfinished: schema.unfinished)
        forgetIds()
        if let elementFiles {
            touchedFolders.formUnion(elementFiles.touched)
        }
        elementFiles = nil
    }
}

// MARK: - Soups
extension StoreSession: SoupCatalogue {
    func soup(named name: String) throws(Fault) -> RegisteredSoup? { try soup(named: name, whileAltering: false) }

    /// The soup of that name; `nil` if the store has no such soup. Throws `busy` while an alteration of it is
    /// unfinished, unless the caller is the alteration.
    func soup(named name: String, whileAltering: Bool) throws(Fault) -> RegisteredSoup? {
        let key = ByteKey(name)
        // An alteration that never left its first step and was undone has not changed the schema, so the status rows
        // are read.
        if !whileAltering, schema.unfinished.contains(key) {
            schema.unfinished = try LongOperation.soupsUnderway(connection)
        }
        if !whileAltering, schema.unfinished.contains(key) {
            throw blockedByAlteration(name)
        }
        if let known = schema.soups[key] {
            return known
        }
        guard let found = try SoupReading.soup(named: name, in: connection) else { return nil }
        // The rows are in the renamed table, also if the status row of its alteration is gone.
        if connection.hasTable(SoupTableName(found.id).old) {
            guard whileAltering else { throw blockedByAlteration(name) }
            // It is not kept: other calls are still to be refused.
            return found
        }
        guard try connection.hasTableOrView(found.tableName) else {
            guard whileAltering else { throw SoupRules.withoutTable(name) }
            return found
        }
        schema.soups[key] = found
        return found
    }

    /// The soup of that name, or `soupNotFound`.
    func soup(_ name: String) throws(Fault) -> RegisteredSoup {
        guard let soup = try soup(named: name, whileAltering: false) else {
            throw SoupRules.missing(name)
        }
        return soup
    }

    /// The soup of that name; nil if there is none. Without its index specs if it is damaged: what is left of it is
    /// removed too. Throws `busy` as `soup(named:)` does.
    func soupToRemove(_ name: String) throws(Fault) -> RegisteredSoup? {
        do throws(Fault) {
            return try soup(named: name)
        } catch {
            guard error.code == .corrupt, let found = try SoupReading.location(ofSoup: name, in: connection) else {
                throw error
            }
            guard !connection.hasTable(found.table.old) else { throw blockedByAlteration(name) }
            let spec = SoupSpec(name: name, features: found.storesExternally ? [.externalStorage] : [])
            let version = try SoupReading.fullTextVersion(of: found.table.id, in: connection)
            return RegisteredSoup(spec: spec, id: found.table.id, indexSpecs: [], fullTextVersion: version)
        }
    }

    /// The counter of ids of a soup's table.
    func idCounter(of table: Int64) -> IdCounter {
        if let known = idCounters[table] {
            return known
        }
        let counter = IdCounter()
        idCounters[table] = counter
        return counter
    }

    /// Drops what is known of ids: another transaction begins, work is undone, or the schema is forgotten.
    func forgetIds() { transactionNumber += 1 }

    /// Begins the work of a call that writes.
    func beginCall() { callNumber += 1 }

    /// The prepared work of writing entries into a soup.
    func writer(of soup: RegisteredSoup) throws(Fault) -> EntryWriter {
        if let known = schema.writers[soup.id] {
            return known
        }
        let writer = try EntryWriter(soup: soup, session: self)
        schema.writers[soup.id] = writer
        return writer
    }

    /// The prepared work of writing entries that may have an external id.
    ///
    /// - Throws: `pathNotIndexed` if the path of the external id has no index.
    func writer(of soup: RegisteredSoup, externalIdPath: String?) throws(Fault) -> EntryWriter {
        let writer = try writer(of: soup)
        if let externalIdPath {
            try writer.requireExternalId(at: externalIdPath)
        }
        return writer
    }
}

// MARK: - Files of external entries
extension StoreSession {
    /// The files of external entries. In a store opened for writing their folder is recorded when it is first asked for
    /// inside a transaction.
    func elements() throws(Fault) -> ElementFiles {
        if let known = elementFiles {
            return known
        }
        if options.access != .readOnly, level > 0 {
            try ElementVault.establish(connection, keyed: options.key != nil)
        }
        let files = try ElementVault.open(connection)
        elementFiles = files
        return files
    }

    /// Forgets the folders of the last transaction: the next one begins.
    func beginElements() { touchedFolders.removeAll() }

    /// Brings to the disk what the transaction has written.
    func synchronizeElements() throws(Fault) {
        try elementFiles?.synchronize()
        guard !touchedFolders.isEmpty else { return }
        try ElementFiles.synchronize(touchedFolders)
        touchedFolders.removeAll()
    }
}
