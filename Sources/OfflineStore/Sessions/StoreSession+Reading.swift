import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs reading work that sees one state of the database and knows its schema.
    ///
    /// The file of an external entry is removed when a newer version is committed, so a reader of an older state may
    /// not find it: the work then runs again in a newer state. If the version is also missing in a state that began
    /// after it was first missed, the file is lost, and that is `corrupt`. Work that is overtaken again and again ends
    /// with `wasOvertaken` set; `SmartStore.reading` then keeps writers out.
    func reading<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        if connection.isInTransaction {
            try refresh()
            return try body()
        }
        return try waitingForAlterations { () throws(Fault) in try readingAgain(body) }
    }

    /// Runs reading work, again in a newer state if the file of an entry was removed in the meantime.
    private func readingAgain<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        defer { attempt.missingElement = nil }
        attempt.wasOvertaken = false
        var attempts = 0
        var end: ContinuousClock.Instant?
        while true {
            let missed = attempt.missingElement
            attempt.missingElement = nil
            attempt.commit = commits.current
            attempt.lacksCommit = false
            do throws(Fault) {
                let result = try connection.transaction(.deferred) { () throws(Fault) in
                    try refresh()
                    return try body()
                }
                // The work may have caught the fault, and gone on without the entry.
                guard let missing = attempt.missingElement, missing != missed else {
                    return result
                }
                throw ElementFiles.missing
            } catch {
                guard let missing = attempt.missingElement, missing != missed else {
                    throw error
                }
                attempts += 1
                let limit = end ?? .now + patience
                end = limit
                attempt.wasOvertaken = attempts >= 4 && .now >= limit
                if attempt.wasOvertaken {
                    throw error
                }
            }
        }
    }

    /// How long reading work is repeated before writers are kept out. It is long enough that only very large pages need
    /// the lock, which is hard to get while writers follow each other closely. In a store that is opened for reading
    /// only, no lock can keep writers out.
    private var patience: Duration {
        let patience = options.settings.busyTimeout
        return .milliseconds(options.access == .readOnly ? patience : min(max(patience / 2, 500), 2500))
    }
}
