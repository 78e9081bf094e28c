/// Reads a JSON text into a flat list of nodes that point into it, sixteen bytes each; values are made only when they are asked for.
///
/// Reuse one for many texts: it keeps its memory. Nodes are places, valid within `withRoot` only and while the text's bytes stay where they
/// are: take from them what you need. Not for use by two threads at once.
public final class JSONTape {
    private var builder: TapeBuilder
    private let options: JSONOptions
    private var root: JSONNode?

    public init(options: JSONOptions = .default) {
        self.options = options
        builder = TapeBuilder(refusesDuplicateNames: options.refusesDuplicateNames)
    }

    /// Checks the whole text and lays it out. Linear in its bytes, of which there may be 4 GiB at most. After an error the tape is empty.
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

    /// Lays out the first value of a text and tells where it ends; what follows is not looked at. A text that may still grow is read so: `truncated`
    /// means that more of it is needed, and so may a number that ends where the text does. After an error the tape is empty.
    public func readFirst(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Int {
        do throws(ScanFailure) { return try layOut(text).position } catch { throw JSONError(error) }
    }

    /// Lays out the first value and gives the scanner behind it.
    private func layOut(_ text: UnsafeRawBufferPointer) throws(ScanFailure) -> ByteScanner {
        root = nil
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else { throw ScanFailure(.emptyText, at: 0) }
        let limit = min(options.maximumLength, Int(UInt32.max))
        guard text.count <= limit else { throw ScanFailure(.tooLong, at: limit) }
        var scanner = ByteScanner(base: base, count: text.count)
        try scanner.begin()
        builder.begin()
        try GrammarWalker.walk(&scanner, &builder, maximumDepth: options.maximumDepth)
        root = JSONNode(text: base, nodes: UnsafePointer(builder.nodes.base), index: 0)
        return scanner
    }

    /// Hands over the value of the text that was read last. Read no other text meanwhile.
    public func withRoot<Value, Failure: Error>(_ body: (JSONNode) throws(Failure) -> Value) throws(Failure) -> Value {
        guard let root else { preconditionFailure("read a text before asking for its value") }
        // Nodes hold no reference to the tape.
        defer { withExtendedLifetime(self) {} }
        return try body(root)
    }
}

/// A value, or the name before a member's value.
struct TapeNode: BitwiseCopyable {
    enum Kind: UInt8 { case null, `true`, `false`, number, string, object, array }

    /// Where its text starts, quotes and brackets included, and where it ends.
    let start: UInt32
    var end: UInt32
    /// The index after the last node within this one.
    var next: UInt32
    let kind: Kind
    /// Whether a string has escapes, or a number is written as an integer.
    let flag: Bool
}

struct TapeBuilder: ~Copyable, GrammarVisitor {
    var nodes = GrowableStack<TapeNode>(capacity: 1024)
    private var open = GrowableStack<Int>(capacity: 64)
    private var tracker = NameTracker()
    private let refusesDuplicateNames: Bool

    init(refusesDuplicateNames: Bool) { self.refusesDuplicateNames = refusesDuplicateNames }

    mutating func begin() {
        nodes.shrink(to: 0)
        open.shrink(to: 0)
        tracker.reset()
    }

    @inline(__always) private mutating func append(_ kind: TapeNode.Kind, _ start: Int, _ end: Int, flag: Bool = false) {
        nodes.append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), next: UInt32(truncatingIfNeeded: nodes.count &+ 1),
                kind: kind, flag: flag))
    }

    @inline(__always) mutating func name(_ token: StringToken, in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure) {
        if refusesDuplicateNames { try tracker.insert(token, in: scanner) }
        append(.string, token.start &- 1, token.end &+ 1, flag: token.isEscaped)
    }

    @inline(__always) mutating func string(_ token: StringToken, in scanner: ByteScanner) {
        append(.string, token.start &- 1, token.end &+ 1, flag: token.isEscaped)
    }

    @inline(__always) mutating func number(from start: Int, to end: Int, isInteger: Bool) { append(.number, start, end, flag: isInteger) }

    @inline(__always) mutating func word(_ word: JSONWord, from start: Int) {
        append(word == .null ? .null : word == .true ? .true : .false, start, start &+ word.length)
    }

    @inline(__always) mutating func beginObject(at start: Int) {
        if refusesDuplicateNames { tracker.beginObject() }
        open.append(nodes.count)
        append(.object, start, start)
    }

    @inline(__always) mutating func endObject(at end: Int, previousEnd: Int) {
        if refusesDuplicateNames { tracker.endObject() }
        close(at: end)
    }

    @inline(__always) mutating func beginArray(at start: Int) {
        open.append(nodes.count)
        append(.array, start, start)
    }

    @inline(__always) mutating func endArray(at end: Int) { close(at: end) }

    @inline(__always) private mutating func close(at end: Int) {
        let container = nodes.base + open.removeLast()
        container.pointee.end = UInt32(truncatingIfNeeded: end)
        container.pointee.next = UInt32(truncatingIfNeeded: nodes.count)
    }
}
