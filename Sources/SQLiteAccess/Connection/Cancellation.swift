import Synchronization

/// Ends the statements of one call from another thread.
///
/// Unlike `Connection.interrupt` it belongs to a call, not to the connection, so it cannot end the statements of the
/// next call.
package final class Cancellation: Sendable {
    private let cancelled = Atomic(false)
    private let noticed = Atomic(false)

    package init() {}

    /// Ends the call at its next check. May be called from any thread, more than once.
    package func cancel() { cancelled.store(true, ordering: .releasing) }

    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether work was ended because of it. False if the work finished before; then its result counts.
    package var wasNoticed: Bool { noticed.load(ordering: .acquiring) }

    func notice() { noticed.store(true, ordering: .releasing) }
}
