/// Splits a stream of bytes into lines and keeps an unfinished line. A line that is too long is skipped and reported
/// once.
public struct LineSplitter {
    /// One line of the stream.
    public enum Line: Sendable {
        case whole([UInt8])
        case tooLong
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isDropping = false

    public init(limit: Int) { self.limit = limit }

    /// Adds bytes and returns the lines that they complete.
    public mutating func lines(adding bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if !isDropping {
                    lines.append(.whole(rest))
                }
                isDropping = false
                rest = []
            } else if !isDropping {
                rest.append(byte)
                if rest.count > limit {
                    isDropping = true
                    rest = []
                    lines.append(.tooLong)
                }
            }
        }
        return lines
    }

    /// The text after the last line end, at the end of the stream; nil if there is none.
    public mutating func last() -> Line? {
        guard !rest.isEmpty else { return nil }
        defer { rest = [] }
        return .whole(rest)
    }
}
