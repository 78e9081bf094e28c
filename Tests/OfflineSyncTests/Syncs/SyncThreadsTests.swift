import Dispatch
import Foundation
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import SyncInvariants
import Synchronization
import TestSupport
import Testing

/// Eight threads that ask everything of one manager while rows are edited. `SOUP_SYNC_SECONDS` says for how long.
@Suite struct SyncThreadsTests {
    private static let seconds = ProcessInfo.processInfo.environment["SOUP_SYNC_SECONDS"].flatMap(Double.init) ?? 1
    private static let names = ["down", "other", "up"]
    private static let allowed: Set<Fault.Code> = [
        .syncRunning, .syncManagerStopped, .syncManagerRunning, .syncNotFound, .syncNameTaken, .wrongSyncType,
        .invalidEntry,
    ]

    /// How many requests are under way at the same time: a run has one, and runs wait for each other.
    private final class InFlight: Sendable {
        private let counts = Mutex((now: 0, most: 0, all: 0))
        var most: Int { counts.withLock { $0.most } }
        var all: Int { counts.withLock { $0.all } }

        func begin() {
            counts.withLock { counts in
                counts.now += 1
                counts.all += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    /// The names of the rows that were created locally.
    private final class Created: Sendable {
        private let all = Mutex<Set<String>>([])
        var names: Set<String> { all.withLock { $0 } }
        func add(_ name: String) { all.withLock { _ = $0.insert(name) } }
    }

    @Test func `whatever eight threads ask of one manager, one run is under way and no local change is lost`()
        async throws
    {
        let seed = UInt64.random(in: 0...UInt64.max)
        let setup = try SyncSetup()
        try setup.register("accounts", [.fullText("Name")])
        for number in 1...300 {
            try setup.mock.create("Account", ["Name": .string("n\(number)")])
        }
        setup.mock.clock.now += 60_000
        let (mock, requests) = (setup.mock, InFlight())
        let manager = try setup.manager(
            FunctionTransport { request in
                requests.begin()
                defer { requests.end() }
                await Task.yield()
                return try await mock.transport.send(request)
            }
        ) { $0.events = nil }
        try await Self.createSyncs(manager)
        let calls = Mutex<[Fault.Code: Int]>([:])
        let created = Created()
        let end = ContinuousClock.now + .seconds(Self.seconds)
        try await Threads.run(8) { thread in
            var random = SeededRandom(seed: seed &+ UInt64(thread))
            var round = 0
            while round < 10 || ContinuousClock.now < end {
                round += 1
                do {
                    try Self.call(manager, setup.store, "t\(thread)-\(round)", created, &random)
                } catch let fault as Fault {
                    calls.withLock { $0[fault.code, default: 0] += 1 }
                }
            }
        }
        #expect(Set(calls.withLock { $0 }.keys).isSubset(of: Self.allowed), "\(calls.withLock { $0 }), seed \(seed)")
        #expect(requests.most == 1 && requests.all > 0, "seed \(seed)")
        print("sync threads: \(requests.all) requests, refusals \(calls.withLock { $0 }), seed \(seed)")

        // Nothing is left under way, and the changes are all sent in the end.
        _ = try? await manager.restart()
        try await Self.createSyncs(manager)
        var work = LocalWork(soup: "accounts", type: "Account", field: "Name")
        work.created = created.names
        let invariants = SyncInvariants(setup.store, mock, [work])
        let found = try await invariants.findings(manager)
        #expect(found.isEmpty, "\(found.prefix(5)), seed \(seed)")
        for name in ["up", "down", "other"] {
            try await manager.reSync(.name(name)).requireDone()
        }
        #expect(try await manager.cleanResyncGhosts("down") >= 0)
        let names = mock.records(of: "Account").compactMap { $0["Name"]?.string }
        let lost = work.created.subtracting(names)
        #expect(lost.isEmpty, "\(lost.count) lost, seed \(seed)")
        let left = try await invariants.findingsAtEnd(manager, names: ["accounts": names])
        #expect(left.isEmpty, "\(left.prefix(5)), seed \(seed)")
    }

    private static func createSyncs(_ manager: SyncManager) async throws {
        for name in names where try await !manager.hasSync(named: name) {
            let target: JSONObject =
                name == "up"
                ? ["createFieldlist": ["Name", "Industry"], "updateFieldlist": ["Industry"]]
                : ["type": "soql", "query": "select Name, Industry from Account", "maxBatchSize": 200]
            try await manager.createSync(
                name == "up" ? .up : .down, target: target, soup: "accounts",
                options: SyncOptions(mergeMode: name == "up" ? .overwrite : .leaveIfChanged), name: name)
        }
    }

    /// Makes one call, drawn by chance.
    private static func call(
        _ manager: SyncManager, _ store: SmartStore, _ word: String, _ created: Created,
        _ random: inout SeededRandom
    ) throws {
        let name = names[Int(random.next() % 3)]
        let edits = LocalEdits(store, soup: "accounts")
        let row = Int64(1 + random.next() % 300)
        switch random.next() % 16 {
        case 0...3: _ = try waiting { try await manager.reSync(.name(name)) }
        case 4 where random.next() % 8 == 0: manager.stop()
        case 5, 6: _ = try waiting { try await manager.restart(restartStoppedSyncs: true) }
        case 7 where random.next() % 4 == 0: manager.cancel(row % 4)
        case 8: _ = try waiting { try await manager.status(of: .name(name)) }
        case 9: _ = try waiting { try await manager.syncs(with: .running) }
        case 10: _ = try waiting { try await manager.cleanResyncGhosts("down") }
        case 11: _ = try waiting { try await manager.pendingDoubts(inSoup: "accounts") }
        case 12: try waiting { try await createSyncs(manager) }
        case 13 where random.next() % 4 == 0: try waiting { try await manager.deleteSync("other") }
        case 13, 14:
            _ = try edits.create(["Name": .string(word), "attributes": ["type": "Account"]])
            created.add(word)
        default: _ = try edits.update(row, changes: ["Industry": .string(word)])
        }
    }

    /// Runs asynchronous work and blocks the calling thread meanwhile.
    private static func waiting<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) throws -> R {
        let result = Mutex<Result<R, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        return try #require(result.withLock { $0 }).get()
    }
}
