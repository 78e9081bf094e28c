package import JSONText
import Platform
package import Soups

/// Runs a program as a fresh worker process and talks with it. Released or closed, the process has ended.
package final class WorkerProcess {
    private let process: ChildProcess
    private let channel: LineChannel

    var identifier: Int { Int(process.id) }

    /// Starts `executable` with `arguments`.
    ///
    /// The worker has a process group of its own, so that a terminal's Ctrl-C reaches the runner only, which then
    /// decides. `padding` bytes of environment move its stack: memory addresses change speed by some per cent, and are
    /// not to be the same in every block.
    ///
    /// - Throws: `inputOutput` if it cannot be started.
    package init(executable: String, arguments: [String], padding: Int) throws(Fault) {
        do {
            process = try ChildProcess(
                executable, arguments, adding: ["SOUP_BENCH_PADDING": String(repeating: "x", count: padding)])
        } catch {
            throw Fault(
                .inputOutput, "the benchmark worker \(executable) cannot be started: \(error.reason)")
        }
        channel = LineChannel(input: process.output, output: process.input)
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
        process.closePipes()
        process.wait()
    }

    /// Ends the worker at once, whatever it is doing.
    package func stop() { process.kill() }
}
