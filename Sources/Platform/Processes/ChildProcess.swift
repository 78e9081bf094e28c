import Libc

/// Runs another program, with pipes to its standard input and output; its standard error is that of this process.
///
/// The program leads a process group of its own: a terminal's Ctrl-C does not reach it, and the programs that it starts
/// can be ended with it. When this object is released the whole group has been killed. One thread at a time.
package final class ChildProcess {
    package let id: Int32
    /// What is written here the program reads.
    package let input: OpenFile
    /// What the program writes is read here.
    package let output: OpenFile
    private var ending: ProcessEnding?

    /// Starts a program. It has the environment of this process, and the variables that are given.
    ///
    /// From then on writing to a program that has ended is an error, in the whole process, and not a signal.
    package init(
        _ executable: String, _ arguments: [String], adding variables: [String: String] = [:]
    ) throws(SystemError) {
        CurrentProcess.ignoreBrokenPipes()
        let toProgram = try Pipe()
        let fromProgram = try Pipe()
        id = try Self.spawn(
            executable, [executable] + arguments, adding: variables,
            input: toProgram.reading.descriptor, output: fromProgram.writing.descriptor)
        input = toProgram.writing
        output = fromProgram.reading
    }

    deinit { kill() }

    /// Closes the pipes, which ends a program that reads to the end of its input.
    package func closePipes() {
        input.close()
        output.close()
    }

    /// Whether the program has ended.
    package var hasEnded: Bool {
        if ending != nil {
            return true
        }
        // The ended program stays known to the system, and with it its group, until `wait`.
        var info = siginfo_t()
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    /// Waits for the end of the program.
    @discardableResult
    package func wait() -> ProcessEnding {
        if let ending {
            return ending
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let ending = ProcessEnding(status: status)
        self.ending = ending
        return ending
    }

    /// Kills the program, and all that it has started, and waits for its end.
    @discardableResult
    package func kill() -> ProcessEnding {
        if ending == nil {
            _ = Libc.kill(-id, SIGKILL)
        }
        closePipes()
        return wait()
    }
}
