import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import SQLiteAccess

/// A data race on purpose: `ci/thread-sanitizer --self-test` must find it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SOUP_PLANTED_RACE"] == "1", "for ci/thread-sanitizer only"))
struct PlantedRaceTests {
    /// A handle belongs to one thread at a time; here two use one.
    @Test func `two threads use one handle`() async throws {
        // The sanitizer misses the race where one thread has ended before the other one has begun.
        for _ in 0..<10 {
            let connection = try Connection(inMemory: BackEnd.plain.library())
            nonisolated(unsafe) let handle = connection.handle
            // Relaxed, so that it orders nothing.
            let arrived = Atomic(0)
            try await Threads.run(2) { thread in
                arrived.add(1, ordering: .relaxed)
                _ = Waiting.block { arrived.load(ordering: .relaxed) == 2 }
                for number in 0..<100_000 {
                    handle.busyTimeout = Int32(thread + number)
                }
            }
            withExtendedLifetime(connection) {}
        }
    }
}
