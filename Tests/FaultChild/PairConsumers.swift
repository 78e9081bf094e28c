import OfflineStore
import Platform
import Soups
import Synchronization

/// Watches a store while two processes write to it: a live value of a whole state, a live count, and the changes. Each
/// value that is delivered must be one commit's, and none older than the one before.
final class PairConsumers: Sendable {
    /// What a consumer was given last.
    struct Last: Sendable {
        /// The commit of the state, and after the last delivery of changes.
        var state = -1
        var changes = -1
        var count = -1
        /// How many values were delivered.
        var values = 0
        var faults: [String] = []
    }

    private let last = Mutex(Last())
    private let model: Mutex<WritersModel>
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// - Parameter isDeaf: To plant a fault: nothing is heard of the other process.
    init(_ store: SmartStore, seed: UInt64, isDeaf: Bool) {
        model = Mutex(WritersModel(seed: seed))
        let others = isDeaf ? OtherProcesses.ignored : .within(.milliseconds(50))
        let states = store.live(otherProcesses: others) { try WritersContent($0) }
        let counts = store.liveCount(.all(), in: "s", otherProcesses: .within(.milliseconds(50)))
        let changes = store.changes(otherProcesses: .within(.milliseconds(100)))
        tasks.withLock { tasks in
            tasks.append(watching { for try await state in states { self.take(state) { $0.state = state.number } } })
            tasks.append(
                watching {
                    for try await count in counts {
                        self.last.withLock { ($0.count, $0.values) = (count, $0.values + 1) }
                    }
                })
            tasks.append(
                watching {
                    for await delivery in changes {
                        let state = try WritersContent(store)
                        self.take(state) { $0.changes = state.number }
                        if delivery.isEmpty {
                            self.note("an empty delivery of changes")
                        }
                    }
                })
        }
    }

    var current: Last { last.withLock { $0 } }

    /// Ends the consumers. The store may be closed then.
    func end() {
        for task in tasks.withLock({ $0 }) {
            task.cancel()
        }
    }

    /// Waits until every consumer was given the state after a commit. Returns what differs in the end.
    func wait(for number: Int, count: Int) -> [String] {
        let end = ContinuousClock.now + .seconds(30)
        while .now < end {
            let last = current
            if last.state == number, last.changes == number, last.count == count {
                break
            }
            CurrentThread.sleep(.milliseconds(10))
        }
        let last = current
        var wrong = last.faults
        if last.state != number {
            wrong.append("the live value is of commit \(last.state) after commit \(number)")
        }
        if last.changes != number {
            wrong.append("changes were told up to commit \(last.changes) of \(number)")
        }
        if last.count != count {
            wrong.append("the live count is \(last.count) and should be \(count)")
        }
        return wrong
    }

    private func take(_ state: WritersContent, _ set: (inout Last) -> Void) {
        // Two consumers may come with states in another order: the model goes on from the start for an older one.
        let difference = model.withLock { model in
            if state.number < model.number {
                model = WritersModel(seed: model.seed)
            }
            model.advance(to: state.number)
            return model.difference(from: state)
        }
        last.withLock { last in
            let before = last
            set(&last)
            last.values += 1
            if last.state < before.state || last.changes < before.changes {
                last.faults.append("a state of commit \(state.number) came after a later one")
            }
            last.faults += difference.map { ["a value was no commit: \($0)"] } ?? []
        }
    }

    private func note(_ fault: String) { last.withLock { $0.faults.append(fault) } }

    private func watching(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
        Task {
            do {
                try await body()
            } catch let fault as Fault where fault.code == .closed {
                // The process has closed its store.
            } catch is CancellationError {
            } catch {
                self.note("a consumer ended: \(error)")
            }
        }
    }
}
