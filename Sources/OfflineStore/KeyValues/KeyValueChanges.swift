/// The changes of a key-value store, as they are committed by this store object.
///
/// Never slows a writer and never grows: a slow consumer gets the changes of several commits as one.
public struct KeyValueChanges: AsyncSequence, Sendable {
    public typealias Element = KeyValueChange
    public typealias Failure = Never

    private let watchers: KeyValueWatchers
    private let first: FirstTaker<KeyValueWatch>

    init(_ watchers: KeyValueWatchers) {
        self.watchers = watchers
        first = FirstTaker(watchers.add())
    }

    /// Gives the first iterator what was recorded since `changes` was called; a further one begins its own.
    public func makeAsyncIterator() -> Iterator { Iterator(watch: first.take() ?? watchers.add()) }

    /// Takes what is known now, without waiting, if no iterator has been made. Nil if that is nothing.
    package func takeKnown() -> KeyValueChange? { first.look { $0.take() } ?? nil }

    /// Waits for the changes one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let watch: KeyValueWatch

        /// Waits for the next change; nil when the store is closed, or the task is cancelled.
        public mutating func next() async -> KeyValueChange? { await watch.next() }

        /// Waits for the next change as `next` does.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> KeyValueChange? {
            await watch.next()
        }
    }
}

extension KeyValueStore {
    /// Begins to watch which keys are set and removed through this store object, from now on.
    ///
    /// ```swift
    /// for await change in values.changes() {
    ///     if case .keys(let keys) = change, !keys.contains("appearance") { continue }
    ///     show(try await values.string(for: "appearance"))
    /// }
    /// ```
    ///
    /// Only committed changes are reported, in the order of the commits, those of a transaction as one. What other
    /// processes and other store objects write is not. The sequence ends when the store is closed or the task is
    /// cancelled.
    public func changes() -> KeyValueChanges { KeyValueChanges(watchers) }
}
