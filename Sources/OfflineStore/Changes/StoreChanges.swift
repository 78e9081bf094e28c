/// Gives what the commits of a store have changed, for as long as the store is open.
///
/// Watching begins when ``SmartStore/changes(in:otherProcesses:)`` is called, and ends with the iterator, or with a
/// sequence that was never iterated. The first iterator takes over the changes since that call; a further one begins
/// on its own. What is not taken is merged: one record for each soup and origin, so a slow consumer loses nothing but
/// the boundaries of commits, and never keeps a writer waiting.
///
/// The sequence ends when the store is closed, and for a task that is cancelled. It keeps no store open.
public struct StoreChanges: AsyncSequence, Sendable {
    public typealias Element = [StoreChange]
    public typealias Failure = Never

    let register: @Sendable () -> ChangeRegistration
    let first: FirstTaker<ChangeRegistration>

    init(register: @escaping @Sendable () -> ChangeRegistration) {
        self.register = register
        first = FirstTaker(register())
    }

    /// Waits for changes, and takes them.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What one step gives.
        public typealias Element = [StoreChange]
        public typealias Failure = Never

        private var registration: ChangeRegistration?

        init(_ registration: ChangeRegistration) { self.registration = registration }

        /// Waits until something was committed, and returns all that is known: sorted by the bytes of the soup's name,
        /// this process first. Nil once the store is closed or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [StoreChange]? {
            guard let registration else { return nil }
            while !Task.isCancelled {
                let changes = registration.hub.take(registration.watcher)
                if !changes.isEmpty {
                    return changes
                }
                if registration.hub.hasEnded(registration.watcher) {
                    break
                }
                await registration.hub.wait(registration.watcher)
            }
            self.registration = nil
            return nil
        }

        /// Waits as the other form does.
        public mutating func next() async -> [StoreChange]? { await next(isolation: nil) }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first.take() ?? register()) }

    /// Takes what is known now, without waiting, if no iterator has been made.
    package func takeKnown() -> [StoreChange] { first.look { $0.hub.take($0.watcher) } ?? [] }
}
