import FoundationEssentials
package import JSONText
package import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs a program as a fresh worker process and talks with it. Released or closed, the process has ended.
package final class WorkerProcess {
    private(set) var identifier: pid_t = 0
    private let channel: LineChannel
    private let toWorker: Int32
    private let fromWorker: Int32
    private var isRunning = true

    /// Starts `executable` with `arguments`.
    ///
    /// The worker gets a process group of its own, so that a terminal's Ctrl-C reaches the runner only, which then
    /// decides. `padding` bytes of environment move its stack: memory addresses change speed by some per cent, and are
    /// not to be the same in every block.
    ///
    /// - Throws: `inputOutput` if it cannot be started.
    package init(executable: String, arguments: [String], padding: Int) throws(Fault) {
        // A worker that died is an error to report, not a signal that ends the runner.
        signal(SIGPIPE, SIG_IGN)
        var requests: [Int32] = [-1, -1]
        var replies: [Int32] = [-1, -1]
        guard pipe(&requests) == 0 else {
            throw Fault(.inputOutput, "cannot create a pipe for a benchmark worker")
        }
        guard pipe(&replies) == 0 else {
            for descriptor in requests {
                _ = close(descriptor)
            }
            throw Fault(.inputOutput, "cannot create a pipe for a benchmark worker")
        }
        for descriptor in requests + replies {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        toWorker = requests[1]
        fromWorker = replies[0]
        channel = LineChannel(input: replies[0], output: requests[1])

        var environment = ProcessInfo.processInfo.environment.map { $0.key + "=" + $0.value }
        environment.append("SOUP_BENCH_PADDING=" + String(repeating: "x", count: padding))
        let result = Self.spawn(
            executable, [executable] + arguments, environment, input: requests[0], output: replies[1], &identifier)
        _ = close(requests[0])
        _ = close(replies[1])
        guard result == 0 else {
            isRunning = false
            _ = close(toWorker)
            _ = close(fromWorker)
            throw Fault(
                .inputOutput,
                "the benchmark worker \(executable) cannot be started: \(String(cString: strerror(result)))")
        }
    }

    deinit { stop() }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: what the worker's fault says; `closed` if it ended, or `stop` says so.
    package func ask(_ request: JSONValue, until stop: () -> Bool = { false }) throws(Fault) -> JSONValue {
        try channel.send(request)
        guard let answer = try channel.receive(until: stop) else {
            throw Fault(.closed, "the benchmark worker ended before it answered")
        }
        if let fault = answer["fault"]?.string {
            throw Fault(.invalidArguments, fault)
        }
        return answer
    }

    /// Closes the worker's input, which ends it, and waits.
    package func finish() {
        guard isRunning else { return }
        isRunning = false
        _ = close(toWorker)
        _ = close(fromWorker)
        wait()
    }

    /// Ends the worker at once, whatever it does.
    package func stop() {
        guard isRunning else { return }
        kill(identifier, SIGKILL)
        finish()
    }

    private func wait() {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String], input: Int32, output: Int32,
        _ identifier: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer {
            for text in argv + envp {
                free(text)
            }
        }
        return posix_spawn(&identifier, path, &actions, &attributes, &argv, &envp)
    }
}
