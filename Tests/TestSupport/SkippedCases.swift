import Libc
import Synchronization

/// Counts and names the cases that could not run because a library is missing.
enum SkippedCases {
    private static let total = Mutex(0)

    static func count(_ cases: Int, _ name: String) {
        let isFirst = total.withLock { total in
            defer { total += cases }
            return total == 0
        }
        print("skipped: \(name)" + (cases == 1 ? "" : " (\(cases) cases)"))
        if isFirst {
            atexit { SkippedCases.tell() }
        }
    }

    private static func tell() {
        print("skipped: \(total.withLock { $0 }) cases in all, for want of SQLCipher 4: run ci/setup")
    }
}
