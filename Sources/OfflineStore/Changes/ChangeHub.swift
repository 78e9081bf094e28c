import Platform
import Soups
import Synchronization

/// Brings the commits of all store objects on one file of this process to those who watch it.
///
/// docs/decisions/observation.md says by which steps, and why no order of two threads loses a commit; the steps are
/// named there as here.
///
/// `@unchecked Sendable`: every access to the state below holds `lock`.
final class ChangeHub: @unchecked Sendable {
    /// The number of watchers.
    private let count = Atomic(0)
    let lock = Lock()
    @exclusivity(unchecked) private var everything: [ObjectIdentifier: ChangeWatcher] = [:]
    @exclusivity(unchecked) private var bySoup: [ByteKey: [ObjectIdentifier: ChangeWatcher]] = [:]
    @exclusivity(unchecked) private var all: [ObjectIdentifier: ChangeWatcher] = [:]
    /// Asks whether other processes have committed.
    let others: OtherProcessWatch

    /// - Parameter path: That of the database file.
    init(path: String) { others = OtherProcessWatch(path: path) }

    // MARK: - Writers

    /// W1: whether there is a watcher, so that ids are worth keeping.
    var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

    /// W4 and W5: delivers what a transaction has committed.
    func publish(_ parts: [ChangePart]) {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard count.load(ordering: .relaxed) > 0 else { return }
        let tickets = lock.locked {
            var tickets: [WatchTicket] = []
            for part in parts {
                let soup = ByteKey(part.soup)
                for watcher in everything.values {
                    watcher.record(soup, part.kinds, part.ids, .thisProcess)
                }
                for watcher in (bySoup[soup] ?? [:]).values {
                    watcher.record(soup, part.kinds, part.ids, .thisProcess)
                }
            }
            // A unit is delivered as a whole: the tasks that wait are resumed when all of it is recorded.
            for watcher in everything.values {
                tickets += watcher.takeReadyTickets()
            }
            for part in parts {
                for watcher in (bySoup[ByteKey(part.soup)] ?? [:]).values {
                    tickets += watcher.takeReadyTickets()
                }
            }
            return tickets
        }
        resume(tickets)
    }

    /// Tells some of the watchers that anything may have changed.
    ///
    /// - Parameters:
    ///   - registered: All soups of the store, for watchers that do not name soups.
    ///   - isMeant: Chooses the watchers.
    func publishAnything(
        _ origin: StoreChange.Origin, registered: [String], to isMeant: (ChangeWatcher) -> Bool
    ) {
        let names = registered.map { ByteKey($0) }
        resume(
            lock.locked {
                var tickets: [WatchTicket] = []
                for watcher in all.values where isMeant(watcher) {
                    watcher.recordAnything(in: names, origin)
                    tickets += watcher.takeReadyTickets()
                }
                return tickets
            })
    }

    /// Ends the watchers of a store that is closed. Changes that they have not taken yet can still be taken.
    func end(owner: ObjectIdentifier) {
        resume(
            lock.locked {
                var tickets: [WatchTicket] = []
                for watcher in all.values where watcher.owner == owner {
                    watcher.isEnded = true
                    tickets += watcher.takeReadyTickets()
                }
                return tickets
            })
    }

    private func resume(_ tickets: [WatchTicket]) {
        for ticket in tickets {
            ticket.continuation?.resume()
        }
    }

    // MARK: - Watchers

    /// S1: registers a watcher.
    func add(_ watcher: ChangeWatcher) {
        lock.locked {
            all[ObjectIdentifier(watcher)] = watcher
            file(watcher)
            count.add(1, ordering: .relaxed)
        }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    func remove(_ watcher: ChangeWatcher) {
        lock.locked {
            guard all.removeValue(forKey: ObjectIdentifier(watcher)) != nil else { return }
            unfile(watcher)
            count.subtract(1, ordering: .relaxed)
        }
        others.remove(watcher)
    }

    /// Takes the changes of a watcher.
    func take(_ watcher: ChangeWatcher) -> [StoreChange] { lock.locked { watcher.pending.take() } }

    /// Whether the store of a watcher was closed.
    func hasEnded(_ watcher: ChangeWatcher) -> Bool { lock.locked { watcher.isEnded } }

    /// Whether a value must be read again.
    func isDue(_ watcher: ChangeWatcher) -> Bool { lock.locked { watcher.isDue } }

    /// S3, before a read: forgets the changes so far, and keeps every commit from now on.
    func beginRead(_ watcher: ChangeWatcher) {
        lock.locked {
            unfile(watcher)
            watcher.touched = nil
            watcher.isDue = false
            watcher.pending.removeAll()
            watcher.interest = .everything
            file(watcher)
        }
    }

    /// S3, after a read: compares what it touched with what came since.
    func settle(_ watcher: ChangeWatcher, _ touched: TouchedSoups) {
        lock.locked {
            unfile(watcher)
            watcher.isDue = watcher.isDue || watcher.pending.concerns(touched)
            watcher.pending.removeAll()
            watcher.touched = touched
            watcher.interest = touched.isEverything ? .everything : .soups(Array(touched.soups.keys))
            file(watcher)
        }
    }

    /// The number of watchers and of those who wait: for tests.
    var numbers: (watchers: Int, waiting: Int) {
        lock.locked { (all.count, all.values.reduce(0) { $0 + $1.tickets.count }) }
    }

    private func file(_ watcher: ChangeWatcher) {
        guard all[ObjectIdentifier(watcher)] != nil else { return }
        switch watcher.interest {
        case .everything: everything[ObjectIdentifier(watcher)] = watcher
        case .soups(let soups):
            for soup in soups {
                bySoup[soup, default: [:]][ObjectIdentifier(watcher)] = watcher
            }
        }
    }

    private func unfile(_ watcher: ChangeWatcher) {
        switch watcher.interest {
        case .everything: everything[ObjectIdentifier(watcher)] = nil
        case .soups(let soups):
            for soup in soups {
                bySoup[soup]?[ObjectIdentifier(watcher)] = nil
                if bySoup[soup]?.isEmpty == true {
                    bySoup[soup] = nil
                }
            }
        }
    }
}

// MARK: - Waiting
extension ChangeHub {
    /// Waits until a watcher has something, its store is closed, or the task is cancelled.
    func wait(_ watcher: ChangeWatcher) async {
        let ticket = WatchTicket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.locked {
                    if watcher.isReady || ticket.isCancelled {
                        return true
                    }
                    ticket.continuation = continuation
                    watcher.tickets.append(ticket)
                    return false
                }
                if isOver {
                    continuation.resume()
                }
            }
        } onCancel: {
            let waiting = lock.locked { () -> CheckedContinuation<Void, Never>? in
                ticket.isCancelled = true
                guard let index = watcher.tickets.firstIndex(where: { $0 === ticket }) else { return nil }
                watcher.tickets.remove(at: index)
                return ticket.continuation
            }
            waiting?.resume()
        }
    }
}
