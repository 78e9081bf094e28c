package import Soups
import Synchronization

/// Ends the statements of several connections from another thread, and refuses further ones until it is lifted.
///
/// Unlike a `Cancellation` it belongs to connections, not to a call: every call that uses one of them ends.
package final class Suspension: Sendable {
    private let requested = Atomic(false)

    package init() {}

    /// Ends what runs at its next check. May be called from any thread, more than once.
    package func request() { requested.store(true, ordering: .releasing) }

    /// Lets statements run again.
    package func lift() { requested.store(false, ordering: .releasing) }

    /// Read before every step, so it is a single load. The gate of the store orders what follows from it.
    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Throws `suspended` while it is requested.
    package func check() throws(Fault) {
        guard !isRequested else {
            throw Self.fault
        }
    }

    /// What refused calls throw.
    package static let fault = Fault(.suspended, "the store is suspended: resume it first")
}

extension Connection {
    /// Ends and refuses statements of this connection while a suspension is requested. A transaction that meets it is
    /// rolled back, whatever the work does with the fault; a COMMIT that has begun is not interrupted.
    package func heed(_ suspension: Suspension) { handle.watch.heed(suspension, handle) }
}
