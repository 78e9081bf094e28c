import Foundation
import Platform
import Soups
import Synchronization
import TestSupport
import Testing

@testable import Benchmarking

/// Waiting for a worker that is silent.
@Suite(.serialized)
struct LineChannelTests {
    private static let isSignalled = Atomic<Bool>(false)

    /// A signal ends the wait for the other side, however long that side is silent.
    @Test func `a signal while a worker is silent asks whether to stop`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        let stopped: Bool = await withCheckedContinuation { continuation in
            Thread {
                signal(SIGUSR1) { _ in LineChannelTests.isSignalled.store(true, ordering: .relaxed) }
                var taken = sigset_t()
                sigemptyset(&taken)
                sigaddset(&taken, SIGUSR1)
                pthread_sigmask(SIG_UNBLOCK, &taken, nil)
                let waiting = pthread_self()
                let hasStopped = Signal()
                let signalling = OwnThread {
                    // Again and again, for the first may come before the wait.
                    _ = Waiting.block {
                        pthread_kill(waiting, SIGUSR1)
                        usleep(20_000)
                        return hasStopped.isRaised
                    }
                    // A reader that did not see it gets the end of the input.
                    close(output)
                }
                var fault: Fault?
                do throws(Fault) {
                    _ = try LineChannel(input: OpenFile(borrowing: input), output: .standardOutput).receive {
                        Self.isSignalled.load(ordering: .relaxed)
                    }
                } catch { fault = error }
                hasStopped.raise()
                // A signal may only be sent to a thread that lives.
                _ = Waiting.block { signalling.hasEnded }
                continuation.resume(returning: fault?.code == .closed)
            }.start()
        }
        close(input)
        #expect(stopped)
    }
}
