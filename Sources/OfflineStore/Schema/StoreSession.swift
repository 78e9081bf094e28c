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
    /// Whether there is an observer; read at each call.
    let isObserved: Bool
    private var schemaVersion: Int64?
    private var soups: [ByteKey: RegisteredSoup] = [:]
    private var unfinished: Set<ByteKey> = []
    private var writers: [Int64: EntryWriter] = [:]
    var retrievals: [ByteKey: EntryRetrieval] = [:]
    /// The one used last, because most callers read the same soup again.
    var lastRetrieval: EntryRetrieval?
    /// The next id of each soup's table, valid for the transaction that read it.
    var nextIds: [Int64: Int64] = [:]
    /// Work for after the commit, and work for after a rollback.
    var afterCommit: [() -> Void] = []
    var afterRollback: [() -> Void] = []
    /// How many transactions are open inside each other.
    var level = 0
    var elementFiles: ElementFiles?
    /// Folders to which the transaction has written external entries, through objects that are no longer held.
    var touchedFolders: Set<String> = []
    /// The version for which the running reading call has found no file.
    var missingElement: ElementPlace?
    /// Whether the last reading call ended because entries were changed faster than it could read them.
    var wasOvertaken = false
    let translations = TranslationCache()
    var knownReach: Connection.Reach?
    /// The soup that an alteration kept from being used, and the fault for it.
    var alterationInTheWay: (soup: String, fault: Fault)?
    /// The number of rows that the running call reports to an observer.
    var rows = 0
    var statementText: String?
    var counters: Statement.Counters?

    init(connection: Connection, options: StoreOptions) {
        self.connection = connection
        self.options = options
        isObserved = options.events != nil
    }

    /// Reads the schema version and drops what is known of an older one. Must be called inside a transaction, because
    /// otherwise the version may change at once.
    func refresh() throws(Fault) {
        let current = try connection.schemaVersion()
        if current != schemaVersion {
            try reload(current)
        }
    }

    /// The version of the schema that is known, after `refresh`.
    var knownSchemaVersion: Int64 { schemaVersion ?? -1 }

    /// Forgets everything read from the schema.
    func forget() {
        schemaVersion = nil
        soups.removeAll()
        writers.removeAll()
        retrievals.removeAll()
        lastRetrieval = nil
        nextIds.removeAll()
        if let elementFiles {
            touchedFolders.formUnion(elementFiles.touched)
        }
        elementFiles = nil
        translations.removeAll()
        knownReach = nil
    }

    private func reload(_ current: Int64) throws(Fault) {
        forget()
        unfinished = try LongOperation.soupsUnderway(connection)
        schemaVersion = current
    }

    /// The soup of that name; nil if there is none. Throws `busy` while an alteration of it is unfinished, unless the
    /// caller is the alteration.
    func soup(named name: String, whileAltering: Bool) throws(Fault) -> RegisteredSoup? {
        let key = ByteKey(name)
        // An alteration that never left its first step and was undone has not changed the schema, so the status rows
        // are read.
        if !whileAltering, unfinished.contains(key) {
            unfinished = try LongOperation.soupsUnderway(connection)
        }
        if !whileAltering, unfinished.contains(key) {
            throw blockedByAlteration(name)
        }
        if let known = soups[key] {
            return known
        }
        guard let found = try SoupReading.soup(named: name, in: connection) else { return nil }
        soups[key] = found
        return found
    }

    /// The soup of that name, or `soupNotFound`.
    func soup(_ name: String) throws(Fault) -> RegisteredSoup {
        guard let soup = try soup(named: name, whileAltering: false) else {
            throw SoupRules.missing(name)
        }
        return soup
    }

    /// The prepared work of writing entries into a soup.
    func writer(of soup: RegisteredSoup) throws(Fault) -> EntryWriter {
        if let known = writers[soup.id] {
            return known
        }
        let writer = try EntryWriter(soup: soup, session: self)
        writers[soup.id] = writer
        return writer
    }
}

extension StoreSession: SoupCatalogue {
    func soup(named name: String) throws(Fault) -> RegisteredSoup? { try soup(named: name, whileAltering: false) }
}
