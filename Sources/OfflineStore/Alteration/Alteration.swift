import SQLiteAccess
import Soups

/// Performs the steps of an alteration. Each step is one transaction together with its status row, so the row is always
/// exact.
///
/// The next step is determined inside the transaction: two processes that resume the same operation share its steps and
/// never repeat one.
struct Alteration {
    let session: StoreSession
    let id: Int64
    let progress: ((AlterationProgress) -> Void)?

    /// Entries handled between two progress reports; also the number of entries that re-indexing holds in memory.
    static let chunk = 500

    /// Runs the remaining steps. `until` ends after that step, as an interruption would; for tests.
    ///
    /// Returns false if another process that opened the store has ended the operation: it was finished or undone.
    @discardableResult
    func run(at now: Int64, until last: AlterationStep? = nil) throws(Fault) -> Bool {
        while let done = try session.transaction({ () throws(Fault) in try performNext(at: now) }) {
            // The last step makes no more checks: a call that is cancelled then has done its work.
            if done == last || done == .dropOldTable {
                return true
            }
        }
        return false
    }

    /// Checks that the soup is what the alteration makes of it, after another process has ended the operation.
    ///
    /// - Throws: `busy` if it was undone.
    func requireDone(_ details: AlterationDetails) throws(Fault) {
        let soup = try session.reading { () throws(Fault) in
            try session.soup(named: details.soupName, whileAltering: true)
        }
        let wanted = details.newTable.indexSpecs
        guard let soup, soup.indexSpecs == wanted, soup.storesExternally == details.becomesExternal,
            soup.hasFullTextIndexes == details.newSoup.hasFullTextIndexes || details.newTable.fullTextSpecs.isEmpty
        else {
            throw Fault(
                .busy, "another process could not finish this alteration and undid it: try again",
                context: [.soup(details.soupName)])
        }
    }

    /// Performs the step after the recorded one and returns it; nil if the operation is over.
    private func performNext(at now: Int64) throws(Fault) -> AlterationStep? {
        guard let operation = try LongOperation.all(session.connection).first(where: { $0.id == id }),
            let step = operation.status.next(reIndexData: operation.details.reIndexData)
        else {
            return nil
        }
        report(step, 0, 0)
        try perform(step, operation.details)
        try operation.finish(step, at: now, in: session.connection)
        return step
    }

    private func perform(_ step: AlterationStep, _ details: AlterationDetails) throws(Fault) {
        switch step {
        case .starting: break
        case .renameOldSoupTable: try rename(details)
        case .dropOldIndexes: try dropIndexes(details)
        case .registerSoupUsingTableName: try register(details)
        case .copyTable: try AlterationCopy(alteration: self, details: details).run()
        case .reIndexSoup:
            let reIndexing = try ReIndexing(session: session, soup: details.newSoup, specs: details.reIndexedSpecs)
            try reIndexing.run { done, total in report(.reIndexSoup, done, total) }
        case .dropOldTable: try dropOld(details)
        }
    }

    func report(_ step: AlterationStep, _ done: Int, _ total: Int) {
        progress?(AlterationProgress(step: step, entriesDone: done, entriesTotal: total))
    }

    private func rename(_ details: AlterationDetails) throws(Fault) {
        try session.connection.execute("ALTER TABLE \(details.table) RENAME TO \(details.table.old)")
        if details.hadFullText {
            try session.connection.execute(
                "ALTER TABLE \(details.table.fullText) RENAME TO \(details.table.oldFullText)")
        }
    }

    private func dropIndexes(_ details: AlterationDetails) throws(Fault) {
        for sql in details.oldTable.dropIndexes {
            try session.connection.execute(sql)
        }
        try session.connection.run("DELETE FROM soup_index_map WHERE soupName = ?", .text(details.soupName))
    }

    private func register(_ details: AlterationDetails) throws(Fault) {
        let connection = session.connection
        try SoupRegistration.createTables(details.newTable, soupName: details.soupName, session: session)
        try connection.run(
            "UPDATE soup_attrs SET externalStorage = ? WHERE id = ?", .boolean(details.becomesExternal),
            .integer(details.table.id))
        if details.becomesExternal {
            // Committed with this step: the files that a cut copy leaves must be readable with the key of the next one.
            _ = try session.elements()
        }
        // Without the old sequence the new table would give ids of removed entries to new ones.
        try connection.run(
            "INSERT INTO sqlite_sequence (name, seq) SELECT ?, seq FROM sqlite_sequence WHERE name = ?",
            .text(details.table.description), .text(details.table.old))
    }

    private func dropOld(_ details: AlterationDetails) throws(Fault) {
        if details.hadFullText {
            try session.connection.execute("DROP TABLE \(details.table.oldFullText)")
        }
        try session.connection.execute("DROP TABLE \(details.table.old)")
        if details.wasExternal, !details.becomesExternal {
            session.collectElementsAfterCommit(ofTable: details.table.id)
        }
        // This is the last step: no change is reported between the others.
        session.changes.note(.altered, table: details.table.id, soup: details.soupName)
    }

    // MARK: - Undoing

    /// Restores the soup as it was, in one transaction. That is possible until the old table is dropped, because
    /// nothing in it was changed.
    ///
    /// - Parameter keepingSteps: Keeps the steps that are done, to be resumed later, and undoes only an alteration
    ///   without one.
    func undo(keepingSteps: Bool = false) throws(Fault) {
        try session.transaction { () throws(Fault) in
            guard let operation = try LongOperation.all(session.connection).first(where: { $0.id == id }) else {
                return
            }
            if keepingSteps, operation.status != .starting {
                return
            }
            let details = operation.details
            if operation.status != .starting {
                try restore(details, hasNewTable: operation.status.isAtLeast(.registerSoupUsingTableName))
            }
            try session.connection.run("DELETE FROM long_operations_status WHERE id = ?", .integer(id))
        }
    }

    private func restore(_ details: AlterationDetails, hasNewTable: Bool) throws(Fault) {
        let connection = session.connection
        if hasNewTable {
            if !details.newTable.fullTextSpecs.isEmpty {
                try connection.execute("DROP TABLE \(details.newTable.name.fullText)")
            }
            try connection.execute("DROP TABLE \(details.table)")
        }
        try connection.execute("ALTER TABLE \(details.table.old) RENAME TO \(details.table)")
        if details.hadFullText {
            try connection.execute("ALTER TABLE \(details.table.oldFullText) RENAME TO \(details.table.fullText)")
        }
        let old = details.oldTable
        for sql in old.dropIndexes + old.createIndexes {
            try connection.execute(sql)
        }
        try connection.run("DELETE FROM soup_index_map WHERE soupName = ?", .text(details.soupName))
        try SoupRegistration.noteSpecs(of: old, soupName: details.soupName, in: connection)
        try connection.run(
            "UPDATE soup_attrs SET externalStorage = ? WHERE id = ?", .boolean(details.wasExternal),
            .integer(details.table.id))
        if details.becomesExternal, !details.wasExternal {
            session.collectElementsAfterCommit(ofTable: details.table.id)
        }
    }
}
