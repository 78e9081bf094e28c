import OfflineStore
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

/// Rows without a cursor, and the look-up of many keys. What they return is shown by `Corpora/query/batch-reads.json`.
@Suite struct RowsTests {
    private static let walk = "SELECT {notes:_soupEntryId} FROM {notes} WHERE {notes:_soupEntryId} > ? ORDER BY 1"

    /// The events of a store, in order.
    private final class Events: Sendable {
        private let all = Mutex<[StoreEvent]>([])
        func add(_ event: StoreEvent) { all.withLock { $0.append(event) } }
        var last: StoreEvent? { all.withLock { $0.last } }
        var count: Int { all.withLock { $0.count } }
    }

    private func filled(_ count: Int, _ events: Events) throws -> SmartStore {
        let store = try StoreFolder(.plain).open { $0.events = { events.add($0) } }
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        try store.upsert((0..<count).map { #"{"k":"\#($0)"}"#.bytes }, into: "notes")
        return store
    }

    @Test func `a page of rows costs the same in a small soup and in a large one`() throws {
        let steps = try [100, 10_000].map { count in
            let events = Events()
            let store = try filled(count, events)
            #expect(try store.rows(Self.walk, arguments: [.integer(10)], limit: 20).count == 20)
            return try #require(events.last?.counters)
        }
        #expect(steps[0].machineSteps == steps[1].machineSteps)
        #expect(steps.map(\.sorts) == [0, 0])
    }

    @Test func `a look-up is one call that searches the index for each key`() throws {
        let events = Events()
        let store = try filled(10_000, events)
        let before = events.count
        let keys = stride(from: 0, to: 10_000, by: 10).map { SQLValue.text(String($0)) }
        #expect(try store.lookUp(keys, path: "k", in: "notes", selecting: ["_soupEntryId"]).count == 1000)
        #expect(events.count == before + 1)
        #expect(events.last?.operation == .lookup && events.last?.rows == 1000)
        #expect(events.last?.counters?.scanSteps == 0)
    }

    @Test func `reading calls of both kinds have a form that waits suspended`() async throws {
        let store = try filled(3, Events())
        #expect(try await store.rows(Self.walk, arguments: [.integer(1)], limit: 9).count == 2)
        let found = try await store.lookUp([.text("2")], path: "k", in: "notes", selecting: ["k"])
        #expect(found == [[.value(.text("2"))]])
    }

    @Test func `a closed store says so`() throws {
        let store = try filled(1, Events())
        try store.close()
        #expect(faultCode { _ = try store.rows("SELECT 1", limit: 1) } == .closed)
        #expect(faultCode { _ = try store.lookUp([], path: "k", in: "notes", selecting: ["k"]) } == .closed)
    }

    @Test func `a text key that is no UTF-8 finds nothing and breaks nothing`() throws {
        let store = try filled(2, Events())
        let keys: [SQLValue] = [.text([0xFF, 0xFE]), .blob([0x31]), .real(.nan), .text("1")]
        let found = try store.lookUp(keys, path: "k", in: "notes", selecting: ["k"])
        #expect(found == [[.value(.text("1"))]])
    }
}
