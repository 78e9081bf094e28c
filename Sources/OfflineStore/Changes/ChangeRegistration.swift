import Synchronization

/// Keeps a watcher registered at its hub, for as long as this object exists.
final class ChangeRegistration: Sendable {
    let hub: ChangeHub
    let watcher: ChangeWatcher

    init(_ watcher: ChangeWatcher, at hub: ChangeHub) {
        self.hub = hub
        self.watcher = watcher
        hub.add(watcher)
    }

    deinit { hub.remove(watcher) }
}

/// Holds something for the first iterator of a sequence, which takes it over.
final class FirstTaker<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// Gives the value once.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }

    /// Looks at the value, if it was not taken yet.
    func look<R: Sendable>(_ body: (Value) -> R) -> R? { value.withLock { $0 }.map(body) }
}
