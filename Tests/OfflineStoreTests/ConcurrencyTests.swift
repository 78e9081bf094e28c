import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

/// Many callers.
@Suite(.serialized)
struct ConcurrencyTests {
    @Test(arguments: BackEnd.allCases)
    func `readers and writers at once: no batch is torn, none is lost`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open {
            $0.clock = .system
            $0.settings.durability = .relaxed
        }
        try await store.registerSoup("s", indexSpecs: [.string("key"), .string("value")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    try await store.transaction { _ in
                        for n in 0..<50 {
                            try store.upsert(["{\"key\":\"writer-\(writer)\",\"value\":\"\(n)\"}".bytes], into: "s")
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<10 {
                        let all = try await store.query(
                            .all(orderPath: "key", pageSize: 10_000, selectPaths: ["key"]), soup: "s")
                        // A writer's fifty entries appear at once or not at all.
                        #expect(all.currentPage.count % 50 == 0)
                        #expect(try all.totalEntries == all.currentPage.count)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.count(.all(), soup: "s") == 400)
        for writer in 0..<8 {
            #expect(try await store.count(.exact(path: "key", matchKey: .string("writer-\(writer)")), soup: "s") == 50)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `while a soup is altered, readers wait and never see anything between`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        try await store.upsert((1...300).map { "{\"k\":\"\($0)\",\"n\":\($0)}".bytes }, into: "s")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<4 {
                    try await store.alterSoup(
                        "s", indexSpecs: round % 2 == 0 ? [.integer("n"), .string("k")] : [.string("k")])
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for n in 0..<40 {
                        let all = try await store.count(.all(), soup: "s")
                        let two = try await store.retrieve(ids: [Int64(n + 1), 300], from: "s")
                        let one = try await store.count(.exact(path: "k", matchKey: "7"), soup: "s")
                        #expect(all == 300 && two.count == 2 && one == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an observer gets statements, rows and times, and never a value`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let log = EventLog()
        let store = try setup.open { $0.events = { log.add($0) } }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"top secret"}"#.bytes, "{}".bytes], into: "s")
        _ = try store.query(.exact(path: "k", matchKey: "top secret"), soup: "s")
        _ = try store.retrieve(ids: [1], from: "s")
        try store.remove(ids: [1], from: "s")
        let events = log.events
        #expect(events.map(\.operation) == [.open, .registerSoup, .upsert, .query, .retrieve, .remove])
        #expect(events.map(\.rows) == [0, 0, 2, 1, 1, 1])
        #expect(events.allSatisfy { $0.nanoseconds > 0 && !($0.statement ?? "").contains("secret") })
        #expect(events[3].statement?.contains("TABLE_1_0 = ?") == true && (events[3].counters?.machineSteps ?? 0) > 0)
    }
}

private final class EventLog: Sendable {
    private let log = Mutex<[StoreEvent]>([])
    var events: [StoreEvent] { log.withLock { $0 } }
    func add(_ event: StoreEvent) { log.withLock { $0.append(event) } }
}
