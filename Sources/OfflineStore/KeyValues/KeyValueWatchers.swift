import Synchronization

/// Tells those who watch a key-value store what was committed.
final class KeyValueWatchers: Sendable {
    private struct Entry: @unchecked Sendable {
        // Weak references may be read from any thread; the list itself is protected by the lock.
        weak var watch: KeyValueWatch?
    }

    private struct State {
        var entries: [Entry] = []
        /// What was committed and is not reported yet.
        var committed: KeyValueChange?
        var isOver = false
    }

    private let state = Mutex(State())

    /// Begins to watch.
    func add() -> KeyValueWatch {
        let watch = KeyValueWatch()
        let isOver = state.withLock { state in
            state.entries.removeAll { $0.watch == nil }
            state.entries.append(Entry(watch: watch))
            return state.isOver
        }
        if isOver {
            watch.end()
        }
        return watch
    }

    /// Notes a change for the end of the outermost transaction of the session; what is rolled back is forgotten. Who
    /// watches then hears of it, also if that began after the write.
    func note(_ change: KeyValueChange, in session: StoreSession) {
        session.pending.afterCommit { [self] in
            state.withLock { state in
                guard !state.entries.isEmpty else { return }
                state.committed = state.committed?.merged(with: change) ?? change
            }
        }
    }

    /// Tells what the transaction that has just ended committed, as one change.
    func tellCommitted() {
        state.withLock { state in
            guard let committed = state.committed else { return }
            state.committed = nil
            for entry in state.entries {
                entry.watch?.tell(committed)
            }
        }
    }

    /// Ends every watch, because the store was closed.
    func end() {
        let watches = state.withLock { state in
            state.isOver = true
            return state.entries.compactMap(\.watch)
        }
        for watch in watches {
            watch.end()
        }
    }
}
