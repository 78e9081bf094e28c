import Foundation
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// What `changes` delivers: APP-30 and APP-31. The vectors of `store/observation.json` have the rest.
@Suite struct ChangesTests {
    @Test(arguments: BackEnd.allCases)
    func `a transaction is one delivery, sorted by name, and awaited by a task`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("b", "a")
        let changes = store.changes()
        let delivery = Task { await changes.first { _ in true } }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        try await store.transaction { _ in
            try store.upsert(["{}".bytes, "{}".bytes], into: "b")
            try store.upsert(["{}".bytes], into: "a")
        }
        let told = try #require(await delivery.value)
        #expect(told.map(\.soup) == ["a", "b"])
        #expect(told.map(\.ids) == [.some([1]), .some([1, 2])])
        #expect(told.allSatisfy { $0.origin == .thisProcess && $0.kinds == .inserted })
    }

    @Test func `each commit of 200 is told once, in the order of the commits`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let changes = store.changes()
        let writer = Task {
            for _ in 0..<200 {
                try await store.upsert(["{}".bytes], into: "s")
            }
        }
        var ids: [Int64] = []
        for await delivery in changes {
            for change in delivery {
                guard case .some(let new) = change.ids else {
                    Issue.record("ids are all")
                    continue
                }
                ids += new
            }
            if ids.count >= 200 {
                break
            }
        }
        try await writer.value
        #expect(ids == Array(1...200))
    }

    @Test func `a transaction that throws, and one that was lost, tell nothing`() async throws {
        struct Stop: Error {}
        let store = try StoreFolder(.plain).opened("s")
        let changes = store.changes()
        await #expect(throws: Stop.self) {
            try await store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                try store.clearSoup("s")
                throw Stop()
            }
        }
        try await store.transaction { _ in
            try store.upsert(["{}".bytes], into: "s")
            try? store.transaction { _ in
                try store.upsert(["{}".bytes], into: "s")
                throw Stop()
            }
        }
        #expect(changes.takeKnown().map(\.ids) == [.some([1])])
    }

    @Test func `the first iterator takes over what was told, a second one begins on its own`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let changes = store.changes()
        try await store.upsert(["{}".bytes], into: "s")
        var first = changes.makeAsyncIterator()
        var second = changes.makeAsyncIterator()
        try await store.upsert(["{}".bytes], into: "s")
        #expect(await first.next()?.first?.ids == .some([1, 2]))
        #expect(await second.next()?.first?.ids == .some([2]))
    }

    @Test func `watchers end with the iterator and with the unused sequence`() throws {
        let store = try StoreFolder(.plain).opened("s")
        let hub = store.connections.hub
        do {
            let changes = store.changes()
            #expect(hub.numbers.watchers == 1)
            _ = changes
        }
        #expect(hub.numbers.watchers == 0 && !hub.isWatched)
        do {
            let iterator = store.changes().makeAsyncIterator()
            #expect(hub.numbers.watchers == 1)
            _ = iterator
        }
        #expect(hub.numbers.watchers == 0 && !hub.isWatched)
    }

    @Test func `10,000 watchers made and dropped leave nothing`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        weak var last: ChangeWatcher?
        for round in 0..<10_000 {
            let registration = store.connections.register(.collecting, .everything, .ignored)
            last = registration.watcher
            if round % 1000 == 0 {
                try await store.upsert(["{}".bytes], into: "s")
            }
        }
        #expect(store.connections.hub.numbers.watchers == 0)
        #expect(last == nil)
    }

    @Test func `closing ends the changes after what is known, and so does the end of the store object`() async throws {
        let folder = try StoreFolder(.plain)
        let store = try folder.opened("s")
        var closed = store.changes().makeAsyncIterator()
        try await store.upsert(["{}".bytes], into: "s")
        try blocking { try store.close() }
        #expect(await closed.next()?.map(\.soup) == ["s"])
        #expect(await closed.next() == nil)
        #expect(await closed.next() == nil)
        var late = store.changes().makeAsyncIterator()
        #expect(await late.next() == nil)

        var other: SmartStore? = try blocking { try folder.open() }
        var released = try #require(other).changes().makeAsyncIterator()
        other = nil
        #expect(await released.next() == nil)
    }

    @Test func `a task that waits ends when the store is closed`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let changes = store.changes()
        let waiting = Task { await changes.first { _ in true } }
        try await Waiting.suspend { store.connections.hub.numbers.waiting == 1 }
        try blocking { try store.close() }
        #expect(await waiting.value == nil)
    }

    @Test func `a cancelled task gets nil and frees its watcher`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let hub = store.connections.hub
        let waiting = Task {
            var iterator = store.changes().makeAsyncIterator()
            let first = await iterator.next()
            let second = await iterator.next()
            return first == nil && second == nil
        }
        try await Waiting.suspend { hub.numbers.waiting == 1 }
        waiting.cancel()
        #expect(await waiting.value)
        try await Waiting.suspend { hub.numbers == (0, 0) }
    }

    @Test func `two store objects on one file tell each other`() async throws {
        let folder = try StoreFolder(.plain)
        let one = try folder.opened("s")
        let two = try blocking { try folder.open() }
        let changes = one.changes()
        try await two.upsert(["{}".bytes], into: "s")
        #expect(changes.takeKnown().map(\.origin) == [.thisProcess])
        try blocking { try two.close() }
        try await one.upsert(["{}".bytes], into: "s")
        #expect(changes.takeKnown().map(\.ids) == [.some([2])])
    }

    @Test func `each transaction of a load is a unit, and a load inside a transaction is part of it`() async throws {
        let folder = try StoreFolder(.plain)
        let store = try folder.opened("s")
        let file = folder.folder.file("entries.jsonl")
        try Data(String(repeating: "{\"n\":1}\n", count: 25).utf8).write(to: URL(filePath: file))
        let changes = store.changes()
        let known = try blocking {
            var known: [[StoreChange]] = []
            try store.load(jsonLines: file, into: "s", entriesPerTransaction: 10) { _ in
                known.append(changes.takeKnown())
            }
            try store.transaction { _ in try store.load(jsonLines: file, into: "s", entriesPerTransaction: 10) }
            known.append(changes.takeKnown())
            return known
        }
        #expect(
            known.map { $0.map(\.ids) } == [
                [.some(Array(1...10))], [.some(Array(11...20))], [.some(Array(21...25))], [.some(Array(26...50))],
            ])
    }

    @Test func `an alteration that is finished later tells at its end`() async throws {
        let folder = try StoreFolder(.plain)
        let store = try folder.opened("s")
        let changes = store.changes()
        try blocking {
            try store.upsert(["{}".bytes], into: "s")
            _ = changes.takeKnown()
            try store.alterSoup("s", indexSpecs: [.integer("n")], reIndexData: true, until: .copyTable)
        }
        #expect(changes.takeKnown() == [])
        try blocking { try store.resumeAlterations() }
        #expect(changes.takeKnown().map(\.kinds) == [.altered])
    }

    @Test func `a watcher that takes nothing keeps one record for each soup`() async throws {
        let store = try StoreFolder(.plain).opened("a", "b")
        let registration = store.connections.register(.collecting, .everything, .ignored)
        try blocking {
            for _ in 0..<50 {
                try store.upsert((0..<100).map { _ in "{}".bytes }, into: "a")
                try store.upsert(["{}".bytes], into: "b")
            }
        }
        let told = registration.hub.take(registration.watcher)
        #expect(told.map(\.ids) == [.all, .some(Array(1...50))])
    }
}

extension StoreFolder {
    /// A store with these soups, each with an index on `n`.
    func opened(_ soups: String..., change: (inout StoreOptions) -> Void = { _ in }) throws -> SmartStore {
        let store = try open {
            $0.settings.durability = .relaxed
            change(&$0)
        }
        for soup in soups {
            try store.registerSoup(soup, indexSpecs: [.integer("n")])
        }
        return store
    }
}
