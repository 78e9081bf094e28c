import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Commits of other processes: APP-32.
@Suite(.serialized) struct OtherProcessChangesTests {
    /// Stores one entry from another process.
    private func writeElsewhere(_ setup: StoreFolder) async {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = setup.path as String, name = setup.backEnd.rawValue as String] in
            OtherProcessTests.finish {
                let store = try OtherProcessTests.open(path, name, patience: 300_000)
                return try store.upsert(["{}".bytes], into: "s").count == 1
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a commit of another process is told as anything in the soups that were named`(_ backEnd: BackEnd) async throws
    {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.opened("s", "t")
        let hub = store.connections.hub
        var named = store.changes(in: ["s"], otherProcesses: .within(.milliseconds(50))).makeAsyncIterator()
        var all = store.changes(otherProcesses: .within(.seconds(600))).makeAsyncIterator()
        let ignoring = store.changes()
        var count = store.liveCount(.all(), in: "s", otherProcesses: .within(.milliseconds(50))).makeAsyncIterator()
        #expect(try await count.next() == 0)
        // A commit of this process is not reported as one of another process.
        try await store.upsert(["{}".bytes], into: "t")
        #expect(await all.next()?.map(\.origin) == [.thisProcess])
        await writeElsewhere(setup)
        let told = try #require(await named.next())
        #expect(told == [StoreChange(soup: "s", kinds: .every, ids: .all, origin: .otherProcess)])
        // A watcher that allows a longer time gets the change with the others.
        #expect(await all.next()?.map(\.soup) == ["s", "t"])
        #expect(try await count.next() == 1)
        #expect(ignoring.takeKnown().map(\.origin) == [.thisProcess])
        #expect(hub.isWatched)
    }

    @Test func `own commits and reads are never told as those of others`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        let changes = store.changes(otherProcesses: .within(.milliseconds(20)))
        for _ in 0..<20 {
            try await store.upsert(["{}".bytes], into: "s")
            _ = try await store.count(.all(), soup: "s")
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(changes.takeKnown().map(\.origin) == [.thisProcess])
    }

    @Test func `a watch that begins inside a transaction is told nothing of its own commit twice`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        let changes = try blocking {
            try store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                return store.changes(otherProcesses: .within(.milliseconds(20)))
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        #expect(changes.takeKnown().map(\.origin) == [.thisProcess])
    }

    @Test func `another library in this process counts as another process`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        var changes = store.changes(in: ["s"], otherProcesses: .within(.milliseconds(50))).makeAsyncIterator()
        // A bare connection, which the hub does not know.
        try setup.look { try $0.execute("INSERT INTO TABLE_1 (created, lastModified, soup) VALUES (1, 1, '{}')") }
        #expect(await changes.next()?.map(\.origin) == [.otherProcess])
    }

    @Test func `the thread that asks ends with the last who wants to know, and begins again`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        for _ in 0..<3 {
            var changes: StoreChanges? = store.changes(otherProcesses: .within(.milliseconds(20)))
            #expect(store.connections.hub.others.isAsking)
            _ = changes?.takeKnown()
            changes = nil
            try await Waiting.suspend { !store.connections.hub.others.isAsking }
        }
    }

    @Test func `what another process wrote is in the last value of every consumer`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("changes of two processes: seed \(seed)")
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        let consumers = (0..<4).map { _ in
            Task {
                var last = -1
                for try await count in store.liveCount(.all(), in: "s", otherProcesses: .within(.milliseconds(20))) {
                    // Entries are never removed: a smaller count would be no committed state after the last one.
                    #expect(count >= last && count % 2 == 0)
                    last = count
                    if count == 400 {
                        break
                    }
                }
                return last
            }
        }
        async let elsewhere: Void = {
            await #expect(processExitsWith: .exitCode(0)) {
                [path = setup.path as String, seed = seed as UInt64] in
                OtherProcessTests.finish {
                    let store = try OtherProcessTests.open(path, "plain", patience: 300_000)
                    return try OtherProcessChangesTests.write(100, store, seed)
                }
            }
        }()
        try await Threads.run(1) { _ in _ = try Self.write(100, store, seed &+ 1) }
        await elsewhere
        for consumer in consumers {
            #expect(try await consumer.value == 400)
        }
    }

    /// Commits pairs of entries, with transactions that are rolled back in between.
    static func write(_ pairs: Int, _ store: SmartStore, _ seed: UInt64) throws -> Bool {
        struct Stop: Error {}
        var random = SeededRandom(seed: seed)
        for _ in 0..<pairs {
            if Bool.random(using: &random) {
                try? store.transaction { _ in
                    try store.upsert(["{}".bytes], into: "s")
                    throw Stop()
                }
            }
            try store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                try store.upsert(["{}".bytes], into: "s")
            }
        }
        return true
    }
}
