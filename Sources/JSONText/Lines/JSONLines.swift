/// Reads JSON Lines: one JSON text per line, from a source of any length, in memory for one line.
///
/// Lines end with LF or CR LF; the last line may also end with the source. Lines of only spaces are skipped but
/// counted. Each line is checked as a JSON text, unless the caller checks it anyway and turns this off. After an
/// invalid line the next `advance` continues with the line after it. Not for use by two threads at once.
public final class JSONLines {
    private let source: ByteSource
    private let options: JSONOptions
    private let checks: Bool
    private let maximumLine: Int
    private var checker: GrammarChecker
    private var buffer: UnsafeMutableRawBufferPointer
    /// The bytes that were read but not yet passed are between `start` and `end`; `line` is the range of the current
    /// line before them.
    private var start = 0
    private var end = 0
    private var line = 0..<0
    private var isAtEnd = false
    private var passed = 0

    /// The number of the current line, starting at 1.
    public private(set) var lineNumber = 0
    /// The byte offset of the current line in the source.
    public private(set) var lineOffset = 0

    /// Creates a reader of a source. A line of more than `maximumLine` bytes is an error (`limitExceeded`), so that
    /// memory stays bounded.
    public init(_ source: ByteSource, options: JSONOptions = .default, checks: Bool = true, maximumLine: Int = 64 << 20)
    {
        self.source = source
        self.options = options
        self.checks = checks
        self.maximumLine = max(maximumLine, 1)
        checker = GrammarChecker(refusesDuplicateNames: options.refusesDuplicateNames)
        buffer = .allocate(byteCount: 256 << 10, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Moves to the next line that is not empty; returns false at the end. O(n) in the length of the line.
    ///
    /// - Throws: an error with the number of the line: it is not valid JSON, is too long, or cannot be read.
    public func advance() throws(JSONLineError) -> Bool {
        while try nextLine() {
            guard line.contains(where: { !isBlank(buffer[$0]) }) else { continue }
            guard checks else { return true }
            do throws(ScanFailure) {
                try checker.check(UnsafeRawBufferPointer(rebasing: buffer[line]), options)
            } catch {
                throw failure(JSONError(error))
            }
            return true
        }
        return false
    }

    /// Calls a closure with the current line without its line end. The bytes are valid only in the closure.
    public func withLine<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(rebasing: buffer[line]))
    }

    private func nextLine() throws(JSONLineError) -> Bool {
        lineOffset = passed
        var searched = start
        while true {
            if let feed = newline(from: searched) {
                guard feed - start <= maximumLine else {
                    throw try passLongLine()
                }
                take(upTo: feed, passing: 1)
                return true
            }
            searched = end
            if isAtEnd {
                guard start < end else { return false }
                take(upTo: end, passing: 0)
                return true
            }
            guard end - start <= maximumLine else {
                throw try passLongLine()
            }
            searched -= makeRoom()
            try fill()
        }
    }

    private func take(upTo lineEnd: Int, passing feed: Int) {
        lineNumber += 1
        line = start..<(lineEnd > start && buffer[lineEnd - 1] == 0x0D ? lineEnd - 1 : lineEnd)
        passed += lineEnd + feed - start
        start = lineEnd + feed
    }

    /// Skips the rest of a line that is too long, so that the next line can be read.
    private func passLongLine() throws(JSONLineError) -> JSONLineError {
        lineNumber += 1
        let error = failure(JSONError(.limitExceeded, at: maximumLine, "the line is longer than \(maximumLine) bytes"))
        while true {
            if let feed = newline(from: start) {
                passed += feed + 1 - start
                start = feed + 1
                return error
            }
            passed += end - start
            start = end
            if isAtEnd {
                return error
            }
            _ = makeRoom()
            try fill()
        }
    }

    /// Moves the unfinished line to the front of the buffer, or to a larger buffer if it fills this one. Returns by how
    /// many bytes it was moved.
    private func makeRoom() -> Int {
        let moved = start
        if start > 0, let base = buffer.baseAddress {
            base.copyMemory(from: base + start, byteCount: end - start)
        } else if end == buffer.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
            larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
            buffer.deallocate()
            buffer = larger
        }
        end -= moved
        start = 0
        return moved
    }

    private func fill() throws(JSONLineError) {
        let count = source.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
        guard count >= 0, count <= buffer.count - end else {
            lineNumber += 1
            throw failure(JSONError(.inputOutput, at: end - start, "cannot read the source (error \(-count))"))
        }
        if count == 0 {
            isAtEnd = true
        }
        end += count
    }

    private func newline(from index: Int) -> Int? {
        guard let base = buffer.baseAddress else { return nil }
        return ByteSearch.first(0x0A, in: base, from: index, to: end)
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private func failure(_ error: JSONError) -> JSONLineError {
        JSONLineError(line: lineNumber, lineOffset: lineOffset, error: error)
    }
}
