import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Values that are read again when they have changed: APP-31.
@Suite struct LiveValuesTests {
    @Test(arguments: BackEnd.allCases)
    func `a live query gives its first value, and a new one when it differs`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("s", "t")
        try await store.upsert([#"{"n":1}"#.bytes, #"{"n":2}"#.bytes], into: "s")
        var values = store.liveQuery(.exact(path: "n", matchKey: 2), in: "s").makeAsyncIterator()
        #expect(try await values.next()?.count == 1)
        // Neither another soup nor an entry that does not match gives a value.
        try await store.upsert([#"{"n":2}"#.bytes], into: "t")
        try await store.upsert([#"{"n":3}"#.bytes], into: "s")
        try await store.upsert([#"{"n":2}"#.bytes], into: "s")
        let next = try #require(try await values.next())
        #expect(next.count == 2)
        #expect(next.text(at: 1).contains("\"_soupEntryId\":4"))
    }

    @Test func `nothing is read while nobody awaits, and a burst causes one more read`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let reads = Atomic(0)
        var values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.count(.all(), in: "s")
        }.makeAsyncIterator()
        #expect(try await values.next() == 0)
        for _ in 0..<1000 {
            try blocking { _ = try store.upsert(["{}".bytes], into: "s") }
        }
        #expect(reads.load(ordering: .relaxed) == 1)
        #expect(try await values.next() == 1000)
        #expect(reads.load(ordering: .relaxed) == 2)
    }

    @Test func `writes to other soups cause no read`() async throws {
        let store = try StoreFolder(.plain).opened("s", "t")
        let reads = Atomic(0)
        let task = Task {
            for try await count in store.live({ reader in
                reads.add(1, ordering: .relaxed)
                return try reader.count(.all(), in: "s")
            }) where count == 1 {
                break
            }
        }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        for _ in 0..<100 {
            try await store.upsert(["{}".bytes], into: "t")
        }
        try await store.upsert(["{}".bytes], into: "s")
        try await task.value
        #expect(reads.load(ordering: .relaxed) == 2)
    }

    @Test func `entries read by id are told from others`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        try await store.upsert([#"{"n":1}"#.bytes, #"{"n":2}"#.bytes], into: "s")
        let reads = Atomic(0)
        var values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.retrieve(id: 2, from: "s").map { $0.string }
        }.makeAsyncIterator()
        #expect(try await values.next() != nil)
        try await store.upsert([#"{"_soupEntryId":1,"n":7}"#.bytes], into: "s")
        #expect(values.isDue == false)
        try await store.remove(ids: [2], from: "s")
        #expect(values.isDue == true)
        let gone = try #require(try await values.next())
        #expect(gone == nil)
        #expect(reads.load(ordering: .relaxed) == 2)
    }

    @Test func `a smart query is read again when any soup that it names has changed`() async throws {
        let store = try StoreFolder(.plain).opened("s", "t", "u")
        let text = "SELECT count(*) AS all_of_them FROM {s} WHERE {s:n} IN (SELECT {t:n} FROM {t})"
        var values = store.liveRows(text).makeAsyncIterator()
        let first = try #require(try await values.next())
        #expect(first.columns == ["all_of_them"] && first[0][0].int64 == 0)
        try await store.upsert([#"{"n":1}"#.bytes], into: "u")
        #expect(values.isDue == false)
        try await store.upsert([#"{"n":1}"#.bytes], into: "t")
        #expect(values.isDue == true)
        try await store.upsert([#"{"n":1}"#.bytes], into: "s")
        #expect(try await values.next()?.first?.first?.int64 == 1)
    }

    @Test func `values that are not comparable come with each change, unless a comparison is given`() async throws {
        struct Answer: Sendable { let count: Int }
        let store = try StoreFolder(.plain).opened("s")
        let values = store.live { Answer(count: min(1, try $0.count(.all(), in: "s"))) }
        var every = values.makeAsyncIterator()
        var different = values.removingDuplicates { $0.count == $1.count }.makeAsyncIterator()
        #expect(try await every.next()?.count == 0)
        #expect(try await different.next()?.count == 0)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await every.next()?.count == 1)
        #expect(try await different.next()?.count == 1)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await every.next()?.count == 1)
        try await store.clearSoup("s")
        #expect(try await different.next()?.count == 0)
    }

    @Test func `start gives the first value now, and what comes after it without a gap`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let (initial, updates) = try blocking { try store.liveCount(.all(), in: "s").start() }
        #expect(initial == 0)
        try await store.upsert(["{}".bytes], into: "s")
        var first = updates.makeAsyncIterator()
        #expect(try await first.next() == 1)
        // A further iterator begins on its own.
        var second = updates.makeAsyncIterator()
        #expect(try await second.next() == 1)
        let (later, _) = try await store.liveCount(.all(), in: "s").start()
        #expect(later == 1)
    }

    @Test func `start inside a transaction of the same thread is busy`() throws {
        let store = try StoreFolder(.plain).opened("s")
        let code = faultCode {
            try store.transaction { _ in _ = try store.liveCount(.all(), in: "s").start() }
        }
        #expect(code == .busy)
        #expect(store.connections.hub.numbers.watchers == 0)
    }

    @Test func `removing the soup throws, and ends the values`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        var values = store.liveQuery(.all(), in: "s").makeAsyncIterator()
        _ = try await values.next()
        try await store.removeSoup("s")
        let fault = await #expect(throws: Fault.self) { try await values.next() }
        #expect(fault?.code == .soupNotFound)
        #expect(try await values.next() == nil)
        // The thread that read last may hold the watcher a moment longer than the task.
        try await Waiting.suspend { store.connections.hub.numbers.watchers == 0 }
    }

    @Test func `a soup that does not exist yet is noticed when it is registered`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        var values = store.live { (try? $0.count(.all(), in: "later")) ?? -1 }.makeAsyncIterator()
        #expect(try await values.next() == -1)
        try await store.registerSoup("later", indexSpecs: [.integer("n")])
        #expect(try await values.next() == 0)
    }

    @Test func `an altered soup is read with its new specs`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        try await store.upsert([#"{"n":1,"m":2}"#.bytes], into: "s")
        var values = store.live { (try? $0.count(.exact(path: "m", matchKey: 2), in: "s")) ?? -1 }.makeAsyncIterator()
        #expect(try await values.next() == -1)
        try await store.alterSoup("s", indexSpecs: [.integer("m")])
        #expect(try await values.next() == 1)
    }

    @Test func `close throws closed, reopening reads again`() async throws {
        let folder = try StoreFolder(.plain)
        let store = try folder.opened("s")
        let reads = Atomic(0)
        var values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.count(.all(), in: "s")
        }.makeAsyncIterator()
        _ = try await values.next()
        try blocking { try store.reopen() }
        #expect(values.isDue == true)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await values.next() == 1)
        try blocking { try store.close() }
        let fault = await #expect(throws: Fault.self) { try await values.next() }
        #expect(fault?.code == .closed)
    }

    @Test func `a value that waits has ended with the store, also if the store is opened again`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        var values = store.liveCount(.all(), in: "s").makeAsyncIterator()
        #expect(try await values.next() == 0)
        try blocking {
            try store.close()
            try store.reopen()
        }
        let fault = await #expect(throws: Fault.self) { try await values.next() }
        #expect(fault?.code == .closed)
    }

    @Test func `a cancelled task gets CancellationError and frees the reader`() async throws {
        let store = try StoreFolder(.plain).opened("s") { $0.maximumReaders = 1 }
        let waiting = Task {
            for try await _ in store.liveCount(.all(), in: "s") {}
        }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        // The thread that read last may hold the watcher a moment longer than the task.
        try await Waiting.suspend { store.connections.hub.numbers == (0, 0) }

        // Cancelled while it reads: a count that takes minutes is interrupted.
        let counts = "SELECT count(*) FROM {s} a, {s} b, {s} c, {s} d, {s} e"
        try await store.upsert((0..<300).map { _ in "{}".bytes }, into: "s")
        let reading = Task { try await store.liveRows(counts).first { _ in true } }
        try await Waiting.suspend { store.connections.hub.numbers.watchers == 1 }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(try await store.count(.all(), soup: "s") == 300)
    }

    @Test func `throttled values leave the last change in`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let reads = Atomic(0)
        let values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.count(.all(), in: "s")
        }.throttled(to: .milliseconds(200))
        let last = Task {
            for try await count in values where count == 50 {
                return count
            }
            return 0
        }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        let start = ContinuousClock.now
        for _ in 0..<50 {
            try await store.upsert(["{}".bytes], into: "s")
        }
        #expect(try await last.value == 50)
        let windows = Int((ContinuousClock.now - start) / .milliseconds(200)) + 2
        #expect(reads.load(ordering: .relaxed) <= windows)
    }

    @Test func `what is rolled back is in no value`() async throws {
        struct Stop: Error {}
        let store = try StoreFolder(.plain).opened("s")
        let reads = Atomic(0)
        var values = store.live { reader in
            reads.add(1, ordering: .relaxed)
            return try reader.count(.all(), in: "s")
        }.makeAsyncIterator()
        #expect(try await values.next() == 0)
        await #expect(throws: Stop.self) {
            try await store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                throw Stop()
            }
        }
        #expect(values.isDue == false)
        try await store.upsert(["{}".bytes], into: "s")
        #expect(try await values.next() == 1)
        #expect(reads.load(ordering: .relaxed) == 2)
    }

    @Test func `a value may be read from inside a handler, and written`() async throws {
        let store = try StoreFolder(.plain).opened("s", "log")
        let task = Task {
            for await delivery in store.changes(in: ["s"]) {
                let count = try await store.count(.all(), soup: "s")
                try await store.upsert(["{\"n\":\(count)}".bytes], into: "log")
                if count == 3 {
                    return delivery.count
                }
            }
            return 0
        }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        for _ in 0..<3 {
            try await store.upsert(["{}".bytes], into: "s")
        }
        #expect(try await task.value == 1)
    }
}

extension LiveValues.AsyncIterator {
    /// Whether a change came since the last read.
    var isDue: Bool? { reading.map { $0.hub.isDue($0.watcher) } }
}
