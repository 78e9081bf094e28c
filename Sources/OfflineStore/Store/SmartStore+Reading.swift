import SQLiteAccess
import Soups

extension SmartStore {
    /// Runs one reading call, which sees one state of the store.
    ///
    /// The work may run several times, because an external entry may be changed while it is read. If it is
    /// overtaken each time, it runs once more with the writer's lock held, so that nothing can change.
    func reading<R>(_ body: (_ session: StoreSession) throws(Fault) -> R) throws(Fault) -> R {
        try retrying { (session) throws(Fault) in
            try session.reading { () throws(Fault) in try body(session) }
        }
    }

    /// Runs one reading call and reports it to the observer.
    func reading<R>(
        _ operation: StoreEvent.Operation, _ body: (_ session: StoreSession) throws(Fault) -> Reported<R>
    ) throws(Fault) -> R {
        try retrying { (session) throws(Fault) in
            try session.observe(operation) { () throws(Fault) in
                try session.reading { () throws(Fault) in try body(session) }
            }
        }
    }

    /// Runs one reading call that chooses its state itself, by `StoreSession.reading` or by a single statement.
    func retrying<R>(_ call: (_ session: StoreSession) throws(Fault) -> R) throws(Fault) -> R {
        var wasOvertaken = false
        do throws(Fault) {
            return try connections.read { (session) throws(Fault) in
                do throws(Fault) {
                    return try call(session)
                } catch {
                    wasOvertaken = session.attempt.wasOvertaken
                    session.attempt.wasOvertaken = false
                    throw error
                }
            }
        } catch {
            guard wasOvertaken else {
                throw error
            }
        }
        return try withoutWriters(call)
    }

    /// Runs a reading call while no other thread and no other process can write.
    private func withoutWriters<R>(_ call: (_ session: StoreSession) throws(Fault) -> R) throws(Fault) -> R {
        try connections.write { (session, _) throws(Fault) in
            guard session.options.access != .readOnly else {
                throw Fault(
                    .busy, "external entries change faster than they can be read; read fewer at once, or try again")
            }
            return try session.transaction { () throws(Fault) in try call(session) }
        }
    }
}
