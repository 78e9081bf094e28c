import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct ThreadTests {
    /// A number under a lock, and a condition to wait for it. `@unchecked Sendable`: the lock is held.
    private final class Counter: @unchecked Sendable {
        let lock = Lock()
        let changed = Condition()
        var value = 0

        func add() {
            lock.locked {
                value += 1
                changed.broadcast()
            }
        }

        func wait(for wanted: Int) {
            lock.locked {
                while value < wanted {
                    changed.wait(lock)
                }
            }
        }
    }

    @Test
    func `a lock keeps threads apart`() async throws {
        let counter = Counter()
        try await Threads.run(4) { _ in
            for _ in 0..<10_000 {
                counter.add()
            }
        }
        #expect(counter.value == 40_000)
    }

    @Test
    func `threads that wait go on when what they wait for is there`() async throws {
        let counter = Counter()
        try await Threads.run(4) { thread in
            // Each after the one before it.
            counter.wait(for: thread)
            counter.add()
        }
        #expect(counter.value == 4)
    }

    @Test
    func `waiting ends when the time is over, with the lock held`() async throws {
        try await Threads.run {
            let counter = Counter()
            let isSignalled = counter.lock.locked { counter.changed.wait(counter.lock, seconds: 0) }
            #expect(!isSignalled)
            counter.add()
            #expect(counter.value == 1)
        }
    }

    @Test
    func `an error leaves the lock open`() throws {
        let counter = Counter()
        #expect(throws: SystemError.self) {
            try counter.lock.locked { () throws(SystemError) in throw SystemError("try", 1) }
        }
        counter.add()
    }

    @Test
    func `a detached thread is another thread`() async throws {
        let here = ThreadID.current
        #expect(here == ThreadID.current)
        let counter = Counter()
        let there = Mutex<ThreadID?>(nil)
        try await Threads.run {
            let me = ThreadID.current
            #expect(me != here)
            try DetachedThread.start {
                there.withLock { $0 = .current }
                counter.add()
            }
            counter.wait(for: 1)
            #expect(there.withLock { $0 } != nil && there.withLock { $0 } != me)
        }
    }

    @Test
    func `sleeping takes its time`() async throws {
        try await Threads.run {
            let start = SystemClock.monotonicNanoseconds
            CurrentThread.sleep(.milliseconds(20))
            #expect(SystemClock.monotonicNanoseconds - start >= 19_000_000)
            CurrentThread.sleep(.zero)
        }
    }
}
