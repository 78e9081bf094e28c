import Platform

/// The file from which SQLite undoes a transaction that was cut off.
enum RollbackJournal {
    /// Whether the journal of a database holds a transaction that is to be undone; one that ended begins with zeros, if
    /// it is left at all. The database is not opened.
    static func isHot(besides database: String) -> Bool {
        let path = database + "-journal"
        guard File.size(path) > 0 else { return false }
        return (try? File.prefix(of: path, count: 1)) != [0]
    }
}
