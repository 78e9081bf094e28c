/// Gives a value read from a store, and a new one each time that a commit has changed it.
///
/// ```swift
/// let adults = store.liveQuery(.range(path: "age", from: 18), in: "contacts")
/// for try await entries in adults {
///     show(entries)
/// }
/// ```
///
/// The first value is read at the first `next()`. Then `next()` waits until a commit touches what the last read has
/// touched, reads again, and returns only what differs. Nothing is read while no `next()` waits, so a burst of commits
/// causes one read. Each iterator has its own state.
///
/// The sequence throws what reading throws, and ends with it: `soupNotFound` once the soup is removed, `closed` once
/// the store is closed; `CancellationError` for a task that is cancelled. While the store is suspended it waits. While
/// it is iterated it keeps the store open.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    let makeReading: @Sendable () -> LiveReading<Value>
    /// A reading that has given its first value, for the first iterator.
    private var begun: FirstTaker<LiveReading<Value>>?
    private var firstGiven: Value?
    private var interval: Duration?
    private var isSame: (@Sendable (Value, Value) -> Bool)?

    init(makeReading: @escaping @Sendable () -> LiveReading<Value>) { self.makeReading = makeReading }

    /// Returns only values that differ from the one before.
    ///
    /// `liveQuery`, `liveRows`, `liveCount` and values that are `Equatable` do so already: lists by their bytes, before
    /// anything is decoded.
    public func removingDuplicates(by same: @escaping @Sendable (Value, Value) -> Bool) -> Self {
        var values = self
        if let others = isSame {
            values.isSame = { others($0, $1) || same($0, $1) }
        } else {
            values.isSame = same
        }
        return values
    }

    /// Reads at most once in each interval: the first change at once, and the last one is never left out.
    public func throttled(to interval: Duration) -> Self {
        var values = self
        values.interval = Swift.max(interval, self.interval ?? .zero)
        return values
    }

    /// Reads the first value now, on the calling thread, and returns it with the values after it: for a first frame
    /// without a gap.
    ///
    /// - Throws: what reading throws; `busy` inside a transaction of this thread, since it would see what is not
    ///   committed.
    public func start() throws -> (initial: Value, updates: Self) {
        let reading = makeReading()
        guard !reading.store.connections.gate.isWriter else {
            throw LiveReading<Value>.isInTransaction
        }
        return try started(reading, try reading.read())
    }

    /// Reads the first value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func start() async throws -> (initial: Value, updates: Self) {
        let reading = makeReading()
        return try started(reading, try await reading.store.connections.perform(.reading) { try reading.read() })
    }

    private func started(_ reading: LiveReading<Value>, _ first: Value?) throws -> (initial: Value, updates: Self) {
        guard let first else {
            throw LiveReading<Value>.hasNoValue
        }
        var updates = self
        updates.begun = FirstTaker(reading)
        updates.firstGiven = first
        return (first, updates)
    }

    /// Waits for values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What one step gives.
        public typealias Element = Value
        public typealias Failure = any Error

        /// Nil once the iteration has ended.
        var reading: LiveReading<Value>?
        private let interval: Duration?
        private let isSame: (@Sendable (Value, Value) -> Bool)?
        private var last: Value?

        init(
            _ reading: LiveReading<Value>, _ interval: Duration?, _ isSame: (@Sendable (Value, Value) -> Bool)?,
            last: Value?
        ) {
            self.reading = reading
            self.interval = interval
            self.isSame = isSame
            self.last = last
        }

        /// Returns the first value, or waits for one that differs.
        ///
        /// - Throws: what reading throws, `closed`, `CancellationError`; nil follows.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            guard let reading else { return nil }
            do {
                while true {
                    let value = try await reading.next(every: interval)
                    if let isSame {
                        if let last, isSame(last, value) {
                            continue
                        }
                        last = value
                    }
                    return value
                }
            } catch {
                self.reading = nil
                throw error
            }
        }

        /// Waits as the other form does.
        public mutating func next() async throws -> Value? { try await next(isolation: nil) }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        if let begun = begun?.take() {
            return AsyncIterator(begun, interval, isSame, last: firstGiven)
        }
        return AsyncIterator(makeReading(), interval, isSame, last: nil)
    }
}
