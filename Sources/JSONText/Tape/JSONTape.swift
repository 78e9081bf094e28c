/// Reads a JSON text into a flat array of nodes of sixteen bytes that refer to the text. Values are created on access.
///
/// Reuse a tape for many texts: it keeps its memory. Nodes are valid only inside `withRoot` and while the bytes of the
/// text are valid. Not for use by two threads at once.
public final class JSONTape {
    // No access overlaps another: nothing that runs while one of these is changed reaches the tape. A check for each
    // would be a search in a list of the thread, several times for each entity of a payload.
    @exclusivity(unchecked) private var builder: TapeBuilder
    private let options: JSONOptions
    @exclusivity(unchecked) private var root: JSONNode?

    public convenience init(options: JSONOptions = .default) { self.init(options: options, capacity: 1024) }

    /// Creates a tape with memory for `capacity` nodes; it grows when more are needed.
    package init(options: JSONOptions, capacity: Int) {
        self.options = options
        builder = TapeBuilder(capacity: capacity, refusesDuplicateNames: options.refusesDuplicateNames)
    }

    /// Checks and parses a text of at most 4 GiB. O(n) in the number of its bytes. After an error the tape is empty.
    public func read(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        do throws(ScanFailure) {
            var scanner = try layOut(text)
            root = nil
            try scanner.finish()
            root = JSONNode(text: scanner.base, nodes: UnsafePointer(builder.nodes.base), index: 0)
        } catch {
            throw JSONError(error)
        }
    }

    /// Parses the first value of a text and returns its end; the rest is not read. Use it for a text that is still
    /// growing: `truncated` means that more bytes are needed, and a number at the end of the text may continue. After
    /// an error the tape is empty.
    public func readFirst(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Int {
        do throws(ScanFailure) { return try layOut(text).position } catch { throw JSONError(error) }
    }

    /// Parses the first value and returns the scanner after it.
    private func layOut(_ text: UnsafeRawBufferPointer) throws(ScanFailure) -> ByteScanner {
        root = nil
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
            throw ScanFailure(.emptyText, at: 0)
        }
        let limit = min(options.maximumLength, Int(clamping: UInt32.max))
        guard text.count <= limit else {
            throw ScanFailure(.tooLong, at: limit)
        }
        var scanner = ByteScanner(base: base, count: text.count)
        try scanner.begin()
        builder.begin()
        try GrammarWalker.walk(&scanner, &builder, maximumDepth: options.maximumDepth)
        root = JSONNode(text: base, nodes: UnsafePointer(builder.nodes.base), index: 0)
        return scanner
    }

    /// Calls a closure with the value of the last text. Do not read another text inside the closure.
    public func withRoot<Value, Failure: Error>(_ body: (JSONNode) throws(Failure) -> Value) throws(Failure) -> Value {
        guard let root else {
            preconditionFailure("the tape is empty; read a text first")
        }
        // Nodes do not keep the tape alive.
        defer { withExtendedLifetime(self) {} }
        return try body(root)
    }
}
