import StepCounting

/// Builds the nodes of a tape from the events of the walker.
struct TapeBuilder: ~Copyable, GrammarVisitor {
    var nodes: GrowableStack<TapeNode>
    private var open: GrowableStack<Int>
    private var tracker = NameTracker()
    private let refusesDuplicateNames: Bool

    init(capacity: Int, refusesDuplicateNames: Bool) {
        nodes = GrowableStack<TapeNode>(capacity: capacity)
        open = GrowableStack<Int>(capacity: min(capacity, 64))
        self.refusesDuplicateNames = refusesDuplicateNames
    }

    mutating func begin() {
        nodes.shrink(to: 0)
        open.shrink(to: 0)
        tracker.reset()
    }

    @inline(__always) private mutating func append(_ kind: TapeNode.Kind, _ start: Int, _ end: Int, flag: Bool = false)
    {
        StepCounter.add(1 + (end - start) >> 3)
        nodes.append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count &+ 1),
                kind: kind, flag: flag))
    }

    @inline(__always) mutating func name(
        _ token: StringToken, in scanner: ByteScanner, previousEnd: Int
    ) throws(ScanFailure) {
        if refusesDuplicateNames {
            try tracker.insert(token, in: scanner)
        }
        append(.string, token.start &- 1, token.end &+ 1, flag: token.isEscaped)
    }

    @inline(__always) mutating func string(_ token: StringToken, in scanner: ByteScanner) {
        append(.string, token.start &- 1, token.end &+ 1, flag: token.isEscaped)
    }

    @inline(__always) mutating func number(from start: Int, to end: Int, isInteger: Bool) {
        append(.number, start, end, flag: isInteger)
    }

    @inline(__always) mutating func word(_ word: JSONWord, from start: Int) {
        append(word == .null ? .null : word == .true ? .true : .false, start, start &+ word.length)
    }

    @inline(__always) mutating func beginObject(at start: Int) {
        if refusesDuplicateNames {
            tracker.beginObject()
        }
        open.append(nodes.count)
        append(.object, start, start)
    }

    @inline(__always) mutating func endObject(at end: Int, previousEnd: Int) {
        if refusesDuplicateNames {
            tracker.endObject()
        }
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
