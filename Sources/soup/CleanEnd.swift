import Benchmarking
import Dispatch
import Libc
import Platform
import Synchronization

/// Cleans up and ends the program when it is asked to end, whatever its main thread is doing.
///
/// The signal handler only writes a byte into a pipe, which is all that it may do. A thread reads it, cleans up, and
/// ends the program with `ExitStatus.interrupted`. A second signal ends the program at once.
enum CleanEnd {
    private static let writingEnd = Atomic<Int32>(-1)

    static func watch(cleanUp: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        writingEnd.store(ends[1], ordering: .sequentiallyConsistent)
        let readingEnd = ends[0]
        DispatchQueue(label: "soup end").async {
            var byte: UInt8 = 0
            while read(readingEnd, &byte, 1) < 0, errno == EINTR {}
            cleanUp()
            _exit(ExitStatus.interrupted.rawValue)
        }
        EndingSignal.take(handler)
    }

    private static let handler: @convention(c) (Int32) -> Void = { number in
        let kept = errno
        var byte: UInt8 = 0
        _ = write(CleanEnd.writingEnd.load(ordering: .relaxed), &byte, 1)
        signal(number, SIG_DFL)
        errno = kept
    }
}
