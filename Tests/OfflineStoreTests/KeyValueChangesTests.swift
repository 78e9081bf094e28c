import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

@Suite struct KeyValueChangesTests {
    private static func open() throws -> KeyValueStore {
        let folder = try StoreFolder(.plain)
        return try KeyValueStore(path: folder.path, options: folder.options())
    }

    @Test func `keys that are set and removed are told, commit by commit`() async throws {
        let store = try Self.open()
        var changes = store.changes().makeAsyncIterator()
        try await store.set("x", for: "b")
        #expect(await changes.next() == .keys(["b"]))
        try await store.transaction {
            try store.set("x", for: "z")
            try store.set("x", for: "a")
            try store.remove("b")
        }
        #expect(await changes.next() == .keys(["a", "b", "z"]))
        try await store.removeAll()
        #expect(await changes.next() == .all)
    }

    @Test func `several commits are one change for a slow consumer`() async throws {
        let store = try Self.open()
        var changes = store.changes().makeAsyncIterator()
        for key in ["c", "a", "b", "a"] {
            try await store.set("x", for: key)
        }
        #expect(await changes.next() == .keys(["a", "b", "c"]))
    }

    @Test func `a commit reaches those who began to watch after its write`() async throws {
        let store = try Self.open()
        let watched = try await store.transaction {
            try store.set("x", for: "a")
            return store.changes()
        }
        try await store.set("x", for: "b")
        var changes = watched.makeAsyncIterator()
        #expect(await changes.next() == .keys(["a", "b"]))
    }

    @Test func `more than a thousand keys are told as all`() async throws {
        let store = try Self.open()
        var changes = store.changes().makeAsyncIterator()
        try await store.transaction {
            for number in 0...1000 {
                try store.set("x", for: "key \(number)")
            }
        }
        #expect(await changes.next() == .all)
    }

    @Test func `what is rolled back, and what changes nothing, is not told`() async throws {
        struct Stop: Error {}
        let store = try Self.open()
        var changes = store.changes().makeAsyncIterator()
        try? await store.transaction {
            try store.set("x", for: "undone")
            throw Stop()
        }
        try await store.transaction {
            try? store.transaction {
                try store.set("x", for: "undone")
                throw Stop()
            }
            try store.set("x", for: "kept")
        }
        try await store.remove("none")
        #expect(await changes.next() == .keys(["kept"]))
        try await store.close()
        #expect(await changes.next() == nil)
    }

    @Test func `a consumer that is cancelled ends, and others go on`() async throws {
        let store = try Self.open()
        let changes = store.changes()
        let waiting = Task {
            var found: [KeyValueChange] = []
            for await change in changes {
                found.append(change)
            }
            return found
        }
        waiting.cancel()
        #expect(await waiting.value == [])
        var others = store.changes().makeAsyncIterator()
        try await store.set("x", for: "a")
        #expect(await others.next() == .keys(["a"]))
    }

    @Test func `a second iterator begins its own`() async throws {
        let store = try Self.open()
        let changes = store.changes()
        try await store.set("x", for: "a")
        var first = changes.makeAsyncIterator()
        var second = changes.makeAsyncIterator()
        try await store.set("x", for: "b")
        #expect(await first.next() == .keys(["a", "b"]))
        #expect(await second.next() == .keys(["b"]))
    }
}
