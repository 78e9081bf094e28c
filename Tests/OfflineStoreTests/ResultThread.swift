import Foundation
import Libc

/// Runs work on a thread of its own, because a test that waits for a child process would block a thread of the
/// cooperative pool.
final class ResultThread<R>: @unchecked Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private var outcome: Result<R, any Error>?

    init(_ work: @escaping @Sendable () throws -> R) {
        let thread = Thread { [self] in
            outcome = Result { try work() }
            ended.signal()
        }
        thread.start()
    }

    /// Waits for the end of the work. Must be called once.
    func result() throws -> R {
        ended.wait()
        return try outcome!.get()
    }
}

/// Waits for a file with which another process signals its progress; false after half a minute.
func waitForFile(_ path: String) -> Bool {
    for _ in 0..<15_000 {
        if FileManager.default.fileExists(atPath: path) {
            return true
        }
        usleep(2000)
    }
    return false
}
