/// Reads a JSON text into a flat list of nodes that point into it, sixteen bytes each; values are made only when they
/// are asked for.
///
/// Reuse one for many texts: it keeps its memory. Nodes are places, valid within `withRoot` only and while the text's
/// bytes stay where they are: take from them what you need. Not for use by two threads at once.
public final class JSONTape {
    private var builder: TapeBuilder
    private let options: JSONOptions
    private var root: JSONNode?

    public init(options: JSONOptions = .default) {
        self.options = options
        builder = TapeBuilder(refusesDuplicateNames: options.refusesDuplicateNames)
    }

    /// Checks the whole text and lays it out. Linear in its bytes, of which there may be 4 GiB at most. After an error
    /// the tape is empty.
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

    /// Lays out the first value of a text and tells where it ends; what follows is not looked at. A text that may still
    /// grow is read so: `truncated` means that more of it is needed, and so may a number that ends where the text does.
    /// After an error the tape is empty.
    public func readFirst(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Int {
        do throws(ScanFailure) { return try layOut(text).position } catch { throw JSONError(error) }
    }

    /// Lays out the first value and gives the scanner behind it.
    private func layOut(_ text: UnsafeRawBufferPointer) throws(ScanFailure) -> ByteScanner {
        root = nil
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
            throw ScanFailure(.emptyText, at: 0)
        }
        let limit = min(options.maximumLength, Int(UInt32.max))
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

    /// Hands over the value of the text that was read last. Read no other text meanwhile.
    public func withRoot<Value, Failure: Error>(_ body: (JSONNode) throws(Failure) -> Value) throws(Failure) -> Value {
        guard let root else {
            preconditionFailure("the tape is empty; read a text first")
        }
        // Nodes hold no reference to the tape.
        defer { withExtendedLifetime(self) {} }
        return try body(root)
    }
}
