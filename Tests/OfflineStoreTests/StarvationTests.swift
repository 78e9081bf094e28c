import OfflineStore
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

/// Asynchronous calls that wait must not occupy the threads of Swift's cooperative pool.
///
/// In a process of its own, because other tests block the pool themselves.
@Suite(.serialized)
struct StarvationTests {
    @Test(arguments: [1, 4, 40])
    func `a ticking task goes on while asynchronous calls wait for a transaction`(_ waiting: Int) async throws {
        let output = [\ExitTest.Result.standardOutputContent]
        let result = await #expect(processExitsWith: .exitCode(0), observing: output) { [waiting = waiting as Int] in
            do {
                // 390 ticks of 390 on a quiet machine; 4 when dispatch queues shared their threads with the pool. What
                // else the machine does may differ between the two measurements, so one good pair of several will do.
                for _ in 0..<6 {
                    let ticks = try await StarvationTests.ticks(whileWaiting: waiting)
                    print("\(waiting) waiting calls: \(ticks.waiting) ticks in 2 s, \(ticks.idle) where none waits")
                    if ticks.waiting * 10 >= ticks.idle * 6, ticks.waiting > 0 {
                        leave(0)
                    }
                }
                leave(1)
            } catch {
                print(error)
                leave(2)
            }
        }
        let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        for line in lines where line.contains("waiting calls") {
            print("starvation: \(line)")
        }
    }

    static func ticks(whileWaiting waiting: Int) async throws -> (idle: Int, waiting: Int) {
        let store = try StoreFolder(.plain).open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        let idle = try await count { try await Task.sleep(for: .seconds(2)) }
        let isHeld = Signal()
        let over = Signal()
        let holder = OwnThread {
            try store.transaction { _ in
                isHeld.raise()
                over.block()
            }
        }
        try await holder.reaches(isHeld)
        let busy = try await withThrowingTaskGroup(of: Void.self) { group in
            for n in 0..<waiting {
                group.addTask { _ = try await store.upsert(["{\"k\":\"\(n)\"}".bytes], into: "s") }
            }
            let ticks = try await count { try await Task.sleep(for: .seconds(2)) }
            over.raise()
            try await group.waitForAll()
            return ticks
        }
        try await holder.value()
        guard try await store.count(.all(), soup: "s") == waiting else {
            throw CancellationError()
        }
        return (idle, busy)
    }

    /// How often a task wakes, every 5 ms, while the work runs.
    private static func count(_ work: () async throws -> Void) async throws -> Int {
        let ticks = Atomics()
        let ticking = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(5))
                ticks.add()
            }
        }
        try await work()
        ticking.cancel()
        return ticks.value
    }

    private final class Atomics: Sendable {
        private let count = Atomic(0)
        func add() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }
}
