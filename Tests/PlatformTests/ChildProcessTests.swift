import Libc
import Platform
import TestSupport
import Testing

/// Each runs on a thread of its own, because it waits for other programs.
@Suite struct ChildProcessTests {
    private func shell(_ script: String, adding variables: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], adding: variables)
    }

    @Test
    func `a program reads what is written and its answer can be read; at the end of its input it ends`() async throws {
        try await Threads.run {
            let program = try ChildProcess("/bin/cat", [])
            try program.input.write(Array("hello\n".utf8))
            #expect(try program.output.read(exactly: 6) == Array("hello\n".utf8))
            program.closePipes()
            #expect(program.wait() == .exited(code: 0))
        }
    }

    @Test
    func `how a program ended is known, also after it is killed or asked again`() async throws {
        try await Threads.run {
            let program = try shell("exit 7")
            while !program.hasEnded {
                CurrentThread.sleep(.milliseconds(1))
            }
            #expect(program.kill() == .exited(code: 7) && program.wait() == .exited(code: 7) && program.hasEnded)
            #expect(try shell("kill -11 $$").wait() == .killed(signal: SIGSEGV))
            let silent = try shell("sleep 1000")
            #expect(!silent.hasEnded)
            #expect(silent.kill() == .killed(signal: SIGKILL))
        }
    }

    @Test
    func `with the program all that it has started is killed`() async throws {
        try await Threads.run {
            let program = try shell("sleep 1000 & echo $!; wait")
            let line = String(decoding: try program.output.read(atMost: 100), as: UTF8.self)
            let child = try #require(pid_t(line.filter(\.isNumber)))
            #expect(kill(child, 0) == 0)
            program.kill()
            var isGone = false
            // It may be a zombie, if its new parent has not waited for it yet.
            for _ in 0..<2000 where !isGone {
                let status = try File.read("/proc/\(child)/stat").map { String(decoding: $0, as: UTF8.self) }
                isGone = kill(child, 0) != 0 || status?.contains(") Z ") == true
                CurrentThread.sleep(.milliseconds(5))
            }
            #expect(isGone)
        }
    }

    @Test
    func `a released program has ended`() async throws {
        try await Threads.run {
            var program: ChildProcess? = try shell("sleep 1000")
            let id = try #require(program?.id)
            program = nil
            #expect(kill(id, 0) != 0)
        }
    }

    @Test
    func `the environment is inherited, and variables that are given replace those of their names`() async throws {
        try await Threads.run {
            setenv("SOUP_TEST_VARIABLE", "inherited", 1)
            setenv("SOUP_TEST_VARIABLE_2", "inherited too", 1)
            let script = "echo \"$SOUP_TEST_VARIABLE,$SOUP_TEST_VARIABLE_2\""
            let program = try shell(script, adding: ["SOUP_TEST_VARIABLE": "given"])
            #expect(String(decoding: try program.output.readAll(), as: UTF8.self) == "given,inherited too\n")
            #expect(CurrentProcess.environment("SOUP_TEST_VARIABLE") == "inherited")
            setenv("SOUP_TEST_VARIABLE", "", 1)
            #expect(CurrentProcess.environment("SOUP_TEST_VARIABLE") == nil)
        }
    }

    @Test
    func `a program that cannot be started is an error`() {
        let error = #expect(throws: SystemError.self) { try ChildProcess("/nowhere/program", []) }
        #expect(error?.isMissing == true)
    }

    @Test
    func `writing to a program that has ended is an error, and no signal`() async throws {
        try await Threads.run {
            let program = try shell("exec 0<&-; echo closed; sleep 1000")
            _ = try program.output.read(atMost: 10)
            // A program that another test starts by itself may hold the other end for a while.
            #expect(Waiting.block { (try? program.input.write([1])) == nil })
            // The program itself has the usual ending for that, whatever this process does.
            #expect(try shell("kill -PIPE $$").wait() == .killed(signal: SIGPIPE))
        }
    }

    @Test
    func `no other program inherits the ends of a pipe`() async throws {
        try await Threads.run {
            let pipe = try Pipe()
            for end in [pipe.reading, pipe.writing] {
                #expect(fcntl(end.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            }
        }
    }
}
