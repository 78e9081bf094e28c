import FoundationEssentials
import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs another program with pipes to its standard input and output.
///
/// The program has its own process group, and the whole group is killed when this object is closed or released, so that
/// no children of a shell remain. Its standard error is that of this process. Not for concurrent use.
final class ChildProcess {
    private let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var received: [UInt8] = []
    private var ending: String?

    /// Starts `/bin/sh -c command`.
    ///
    /// - Throws: `inputOutput` if the process or a pipe cannot be created.
    init(command: String) throws(Fault) {
        // Writing to a program that has ended must be an error, and must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let (childInput, input) = try Self.pipe()
        let (output, childOutput): (Int32, Int32)
        do throws(Fault) {
            (output, childOutput) = try Self.pipe()
        } catch {
            Self.close(childInput, input)
            throw error
        }
        self.input = input
        self.output = output
        let result = Self.spawn(command, input: childInput, output: childOutput)
        Self.close(childInput, childOutput)
        guard let pid = result.pid else {
            Self.close(input, output)
            throw Fault(.inputOutput, "cannot start the program: \(String(cString: strerror(result.error)))")
        }
        self.pid = pid
        for descriptor in [input, output] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    deinit {
        end()
        Self.close(input, output)
    }

    /// The reason why there is no line.
    enum Silence: Error {
        case timeout
        /// The program ended; the text says how.
        case ended(String)
        case tooLong
    }

    /// The maximum length of a line in bytes.
    static let longestLine = 256 << 20

    /// Sends a line and waits for an answer, both within the time limit. The line must not contain line ends; the
    /// answer is returned without its line end.
    func exchange(_ line: [UInt8], seconds: Int) throws(Silence) -> [UInt8] {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var unsent = (line + [UInt8(ascii: "\n")])[...]
        while true {
            if unsent.isEmpty, let answer = takeLine() {
                return answer
            }
            guard received.count <= Self.longestLine else {
                throw .tooLong
            }
            let left = deadline - ContinuousClock.now
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else {
                throw .timeout
            }
            var polls = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if !unsent.isEmpty {
                polls.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0))
            }
            guard poll(&polls, nfds_t(polls.count), Int32(clamping: milliseconds)) > 0 else {
                continue
            }
            if polls.count > 1, polls[1].revents != 0 {
                try send(&unsent)
            }
            if polls[0].revents != 0 {
                try receive()
            }
        }
    }

    private func send(_ unsent: inout ArraySlice<UInt8>) throws(Silence) {
        let count = unsent.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 {
            unsent = unsent.dropFirst(count)
        }
        if count < 0, errno != EAGAIN, errno != EINTR {
            throw .ended(end())
        }
    }

    private func receive() throws(Silence) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
        if count > 0 {
            received += buffer.prefix(count)
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            throw .ended(end())
        }
    }

    private func takeLine() -> [UInt8]? {
        guard let newline = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = Array(received[..<newline])
        received.removeSubrange(...newline)
        return line
    }

    /// Kills the whole group, waits for the program and returns how it ended.
    @discardableResult func end() -> String {
        if let ending {
            return ending
        }
        // A program that is ending by itself gets a moment to finish, so that its own exit status is reported.
        var status: Int32 = 0
        var waited: pid_t = 0
        for _ in 0..<20 {
            waited = waitpid(pid, &status, WNOHANG)
            if waited != 0 || Self.isOpen(output) {
                break
            }
            usleep(5000)
        }
        kill(-pid, SIGKILL)
        if waited == 0 {
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        }
        let signalNumber = status & 0x7F
        let text =
            signalNumber == 0
            ? "the program ended with exit code \((status >> 8) & 0xFF)"
            : "the program was ended by signal \(signalNumber)"
        ending = text
        return text
    }

    /// Whether the other end of the pipe is still open.
    private static func isOpen(_ descriptor: Int32) -> Bool {
        var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        return poll(&polls, 1, 0) == 0
    }

    private static func pipe() throws(Fault) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Glibc)
        let result = Glibc.pipe(&ends)
        #elseif canImport(Musl)
        let result = Musl.pipe(&ends)
        #else
        let result = Darwin.pipe(&ends)
        #endif
        guard result == 0 else {
            throw Fault(.inputOutput, "cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }

    private static func close(_ first: Int32, _ second: Int32) {
        #if canImport(Glibc)
        _ = Glibc.close(first)
        _ = Glibc.close(second)
        #elseif canImport(Musl)
        _ = Musl.close(first)
        _ = Musl.close(second)
        #else
        _ = Darwin.close(first)
        _ = Darwin.close(second)
        #endif
    }

    private static func spawn(_ command: String, input: Int32, output: Int32) -> (pid: pid_t?, error: Int32) {
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
        posix_spawnattr_setpgroup(&attributes, 0)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
        // strdup creates C strings that live until after the call, when they are freed.
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, "/bin/sh", &actions, &attributes, &arguments, environ)
        return result == 0 ? (pid, 0) : (nil, result)
    }
}
