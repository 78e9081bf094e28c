import JSONText
import Platform
import Soups

/// Sends and receives JSON values, one a line, over two files. Blocks; used by one thread.
final class LineChannel {
    private let input: OpenFile
    private let output: OpenFile
    private var pending: [UInt8] = []

    /// Longer lines are refused: the messages of this program are far shorter.
    static let longestLine = 16 << 20

    init(input: OpenFile, output: OpenFile) {
        self.input = input
        self.output = output
    }

    /// Writes the value and a line feed.
    ///
    /// - Throws: `inputOutput`, also when the other side is gone.
    func send(_ value: JSONValue) throws(Fault) {
        do {
            try output.write(value.bytes() + [UInt8(ascii: "\n")])
        } catch {
            throw Fault(.inputOutput, "the pipe of a benchmark worker was closed by the other side")
        }
    }

    /// Reads the next value; nil at the end of the input.
    ///
    /// - Parameter stop: Called every second while nothing is received, and after a signal.
    /// - Throws: `invalidJSON`, `inputOutput`; `closed` if `stop` returns true.
    func receive(until stop: () -> Bool = { false }) throws(Fault) -> JSONValue? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(pending[..<end])
                pending.removeSubrange(...end)
                do {
                    return try JSONValue(parsing: line)
                } catch {
                    throw Fault(
                        .invalidJSON, "a line from a benchmark worker is not valid JSON: \(error.message)",
                        offset: error.offset)
                }
            }
            guard pending.count < Self.longestLine else {
                throw Fault(.limitExceeded, "a line from a benchmark worker is longer than \(Self.longestLine) bytes")
            }
            guard let bytes = try piece() else {
                if stop() {
                    throw Fault(.closed, "stopped")
                }
                continue
            }
            if bytes.isEmpty {
                return nil
            }
            pending += bytes
        }
    }

    /// Reads the next bytes: empty at the end of the input, nil if none came within a second or a signal interrupted.
    private func piece() throws(Fault) -> [UInt8]? {
        do {
            guard try Readiness.wait(reading: input, milliseconds: 1_000).isReadable else { return nil }
            return try input.read(atMost: 65_536)
        } catch {
            throw Fault(.inputOutput, "cannot read the pipe of a benchmark worker: \(error.reason)")
        }
    }
}
