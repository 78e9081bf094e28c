import Platform
import Soups

/// Runs a driver and exchanges lines with it.
///
/// The program, and all that it started, is killed when this object is ended or released, so that no children of a
/// shell remain. Not for concurrent use.
final class DriverProcess {
    private let process: ChildProcess
    private var received: [UInt8] = []

    /// Starts `/bin/sh -c command`.
    ///
    /// - Throws: `inputOutput` if the process or a pipe cannot be created.
    init(command: String) throws(Fault) {
        do {
            process = try ChildProcess("/bin/sh", ["-c", command])
        } catch {
            throw Fault(.inputOutput, "\(error)")
        }
        process.input.doNotBlock()
        process.output.doNotBlock()
    }

    deinit { end() }

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
            guard (try? pass(&unsent, milliseconds: Int(milliseconds))) == true else {
                throw .ended(end())
            }
        }
    }

    /// Waits until something can be sent or received, and does that. False if the program has closed its output.
    private func pass(_ unsent: inout ArraySlice<UInt8>, milliseconds: Int) throws(SystemError) -> Bool {
        let ready = try Readiness.wait(
            reading: process.output, writing: unsent.isEmpty ? nil : process.input, milliseconds: milliseconds)
        do {
            if ready.isWritable {
                unsent = unsent.dropFirst(try process.input.writeSome(unsent))
            }
            if ready.isReadable {
                let bytes = try process.output.read(atMost: 1 << 16)
                received += bytes
                return !bytes.isEmpty
            }
        } catch {
            guard error.wouldBlock else {
                throw error
            }
        }
        return true
    }

    private func takeLine() -> [UInt8]? {
        guard let newline = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let line = Array(received[..<newline])
        received.removeSubrange(...newline)
        return line
    }

    /// Kills the whole group, waits for the program and returns how it ended.
    @discardableResult func end() -> String {
        // A program that is ending by itself gets a moment to finish, so that its own exit status is reported.
        for _ in 0..<20 {
            if process.hasEnded || isOutputOpen {
                break
            }
            CurrentThread.sleep(.milliseconds(5))
        }
        return switch process.kill() {
        case .exited(let code): "the program ended with exit code \(code)"
        case .killed(let signal): "the program was ended by signal \(signal)"
        }
    }

    /// Whether the program may still write, as far as can be seen.
    private var isOutputOpen: Bool {
        (try? Readiness.wait(reading: process.output, milliseconds: 0).isReadable) == false
    }
}
