import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// The gaps between the steps by which a commit reaches a watcher: docs/decisions/observation.md.
@Suite(.serialized) struct ChangeProtocolTests {
    @Test(arguments: BackEnd.allCases)
    func `W1 to W3: a watcher that registers and reads before the commit is told of it`(_ backEnd: BackEnd) async throws
    {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("s")
        let count = store.liveCount(.all(), in: "s")
        let begun = Signal()
        let registered = Signal()
        let writer = OwnThread {
            try store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                begun.raise()
                registered.block()
            }
        }
        try await writer.reaches(begun)
        var values = count.makeAsyncIterator()
        let changes = store.changes()
        #expect(try await values.next() == 0)
        registered.raise()
        try await writer.value()
        #expect(try await values.next() == 1)
        // It began before the watching, so no ids were kept.
        #expect(changes.takeKnown().map(\.ids) == [.all])
    }

    @Test func `W3 to W4: a watcher that registers after the commit and before it is told`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let committed = Signal()
        let over = Signal()
        let writer = OwnThread {
            try store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                try store.connections.write { (session, _) throws(Fault) in
                    session.pending.afterCommit {
                        committed.raise()
                        over.block()
                    }
                }
            }
        }
        try await writer.reaches(committed)
        var values = store.liveCount(.all(), in: "s").makeAsyncIterator()
        #expect(try await values.next() == 1)
        over.raise()
        try await writer.value()
        // The commit is in the first value and is reported too: one more read, no second value.
        #expect(store.connections.hub.numbers.watchers == 1)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await values.next() == 2)
    }

    @Test func `S1 to the state: what is committed while the read waits is in the value and causes no second one`()
        async throws
    {
        let store = try StoreFolder(.plain).opened("s") { $0.maximumReaders = 1 }
        let reads = Atomic(0)
        let values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.count(.all(), in: "s")
        }
        let held = Signal()
        let over = Signal()
        let holder = OwnThread {
            try store.read { _ in
                held.raise()
                over.block()
            }
        }
        try await holder.reaches(held)
        let first = Signal()
        let task = Task {
            var iterator = values.makeAsyncIterator()
            let one = try await iterator.next()
            first.raise()
            return [one, try await iterator.next()]
        }
        try await Waiting.suspend { store.connections.gate.waitingCount(.reading) == 1 }
        try await store.upsert(["{}".bytes], into: "s")
        over.raise()
        try await holder.value()
        try await first.wait()
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await task.value == [1, 2])
        #expect(reads.load(ordering: .relaxed) <= 3)
    }

    @Test func `the state to S3: what is committed during a read causes another one`() async throws {
        let store = try StoreFolder(.plain).opened("s", "t")
        let isFirst = Atomic(true)
        let values = store.live { reader in
            let count = try reader.count(.all(), in: "s")
            if isFirst.exchange(false, ordering: .relaxed) {
                // Another connection commits while this state is read.
                try OwnThread { _ = try store.upsert(["{}".bytes], into: "s") }.join()
            }
            return count
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        #expect(try await iterator.next() == 1)
    }

    @Test func `random threads: what a watcher knows in the end is what the store has`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("changes, random threads: seed \(seed)")
        let store = try StoreFolder(.plain).opened("s")
        let watcher = Task {
            var last = 0
            for try await count in store.liveCount(.all(), in: "s") {
                #expect(count >= last)
                last = count
                if count == 600 {
                    break
                }
            }
            return last
        }
        let collected = store.changes()
        try await Threads.run(3) { thread in
            var random = SeededRandom(seed: seed &+ UInt64(thread))
            for _ in 0..<200 {
                struct Stop: Error {}
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    try? store.transaction { _ in
                        try store.upsert(["{}".bytes, "{}".bytes], into: "s")
                        throw Stop()
                    }
                default: break
                }
                try store.upsert(["{}".bytes], into: "s")
            }
        }
        #expect(try await store.count(.all(), soup: "s") == 600)
        #expect(try await watcher.value == 600)
        #expect(collected.takeKnown().map(\.ids) == [.some(Array(1...600))])
    }
}

extension OwnThread {
    /// Waits for the end of the work on a thread that may block.
    func join() throws { _ = Waiting.block { hasEnded } }
}
