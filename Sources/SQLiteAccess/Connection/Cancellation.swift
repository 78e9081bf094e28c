import Synchronization

/// Ends the statements of one call from another thread.
///
/// Unlike `Connection.interrupt` it belongs to a call, not to the connection: it cannot hit the statements of the next
/// one.
package final class Cancellation: Sendable {
    private let cancelled = Atomic(false)
    private let noticed = Atomic(false)

    package init() {}

    /// Makes the call end as soon as it looks. May be called from any thread, more than once.
    package func cancel() { cancelled.store(true, ordering: .releasing) }

    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// Whether work was ended because of it. False where the work was done before it could be: then the result counts.
    package var wasNoticed: Bool { noticed.load(ordering: .acquiring) }

    func notice() { noticed.store(true, ordering: .releasing) }
}
