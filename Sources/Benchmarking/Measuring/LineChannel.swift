import JSONText
import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Sends and receives JSON values, one a line, over two file descriptors. Blocks; used by one thread.
final class LineChannel {
    private let input: Int32
    private let output: Int32
    private var pending: [UInt8] = []

    /// Longer lines are refused: the messages of this program are far shorter.
    static let longestLine = 16 << 20

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Writes the value and a line feed.
    ///
    /// - Throws: `inputOutput`, also when the other side is gone.
    func send(_ value: JSONValue) throws(Fault) {
        var bytes = value.bytes()
        bytes.append(UInt8(ascii: "\n"))
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress?.advanced(by: sent), $0.count - sent) }
            if count < 0 && errno == EINTR {
                continue
            }
            guard count > 0 else {
                throw Fault(.inputOutput, "the pipe of a benchmark worker was closed by the other side")
            }
            sent += count
        }
    }

    /// Reads the next value; nil at the end of the input.
    ///
    /// - Parameter stop: asked every second while nothing comes, and when a signal came.
    /// - Throws: `invalidJSON`, `inputOutput`; `closed` if `stop` says that waiting is over.
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
            var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, 1_000)
            if ready == 0 || (ready < 0 && errno == EINTR) {
                if stop() {
                    throw Fault(.closed, "stopped")
                }
                continue
            }
            guard ready > 0 else {
                throw Fault(.inputOutput, "cannot wait for the pipe of a benchmark worker")
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count == 0 {
                return nil
            }
            if count < 0 {
                guard errno == EINTR else {
                    throw Fault(.inputOutput, "cannot read the pipe of a benchmark worker")
                }
                if stop() {
                    throw Fault(.closed, "stopped")
                }
                continue
            }
            pending.append(contentsOf: buffer[..<count])
        }
    }
}
