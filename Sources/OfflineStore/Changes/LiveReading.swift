import Soups

/// Reads one value again and again: what an iterator of live values does between two waits.
///
/// `@unchecked Sendable`: used by one read at a time; an iterator that is copied must not be used by two tasks at once.
final class LiveReading<Value: Sendable>: @unchecked Sendable {
    /// Reads, and returns nil if the value is the same as the last one.
    typealias Step = (borrowing StoreReader) throws -> Value?

    let store: SmartStore
    let registration: ChangeRegistration
    private let step: Step
    /// When the last read began; nil before the first.
    private(set) var lastRead: ContinuousClock.Instant?

    init(store: SmartStore, otherProcesses: OtherProcesses, step: @escaping Step) {
        self.store = store
        self.step = step
        registration = store.connections.register(.reading, .everything, otherProcesses)
    }

    var hub: ChangeHub { registration.hub }
    var watcher: ChangeWatcher { registration.watcher }

    /// Reads now; nil if the value is the same as the last one. Every commit from the beginning of the read on is
    /// either in the value, or causes another read.
    func read() throws -> Value? {
        lastRead = .now
        let recorder = TouchRecorder()
        hub.beginRead(watcher)
        let value = try store.read(recorder, step)
        hub.settle(watcher, recorder.touched)
        return value
    }

    /// Waits until the value must be read again, then reads it, until it differs. In a suspended store it waits for
    /// `resume`.
    ///
    /// - Throws: what the read throws; `closed`; `CancellationError`.
    func next(every interval: Duration?) async throws -> Value {
        while true {
            if lastRead != nil {
                await hub.wait(watcher)
                // A store that was closed and opened again has ended what waited for it.
                guard !hub.hasEnded(watcher) else {
                    try Task.checkCancellation()
                    throw Fault(.closed, "the store was closed")
                }
            }
            try Task.checkCancellation()
            if let interval, let lastRead, .now < lastRead + interval, !hub.hasEnded(watcher) {
                try await Task.sleep(until: lastRead + interval, clock: .continuous)
            }
            do {
                if let value = try await store.connections.perform(.reading, { try self.read() }) {
                    return value
                }
            } catch let fault as Fault where fault.code == .suspended {
                waitForResume()
            }
        }
    }

    /// Notes that the last read gave nothing: whatever comes next concerns the value, and `resume` says that anything
    /// may have changed.
    private func waitForResume() {
        var touched = TouchedSoups()
        touched.touchEverything()
        hub.settle(watcher, touched)
    }
}
