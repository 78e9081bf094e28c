/// Protects a state with a lock, and lets threads wait for changes of it.
///
/// `@unchecked Sendable`: every access to the state holds the lock.
package final class Monitor<State>: @unchecked Sendable {
    private let lock = Lock()
    private let changed = Condition()
    private var state: State

    package init(_ state: State) {
        self.state = state
    }

    /// Runs a short piece of work that no other thread waits for.
    package func locked<R, E: Error>(_ work: (inout State) throws(E) -> R) throws(E) -> R {
        try lock.locked { () throws(E) in try work(&state) }
    }

    /// Runs a short piece of work that other threads may be waiting for, and wakes them.
    package func change<R, E: Error>(_ work: (inout State) throws(E) -> R) throws(E) -> R {
        try lock.locked { () throws(E) in
            defer { changed.broadcast() }
            return try work(&state)
        }
    }

    /// Runs work now, and again after each change, until it returns a value. Other threads have the lock in between.
    package func wait<R, E: Error>(until work: (inout State) throws(E) -> R?) throws(E) -> R {
        try lock.locked { () throws(E) in
            while true {
                if let result = try work(&state) {
                    return result
                }
                changed.wait(lock)
            }
        }
    }
}
