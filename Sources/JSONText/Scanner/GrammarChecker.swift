/// A visitor that ignores all events, so that the walker only checks the text.
struct GrammarChecker: ~Copyable, GrammarVisitor {
    private let refusesDuplicateNames: Bool
    private var tracker = NameTracker()

    init(refusesDuplicateNames: Bool) { self.refusesDuplicateNames = refusesDuplicateNames }

    mutating func check(_ text: UnsafeRawBufferPointer, _ options: JSONOptions) throws(ScanFailure) {
        guard let base = text.bindMemory(to: UInt8.self).baseAddress else {
            throw ScanFailure(.emptyText, at: 0)
        }
        guard text.count <= options.maximumLength else {
            throw ScanFailure(.tooLong, at: options.maximumLength)
        }
        var scanner = ByteScanner(base: base, count: text.count)
        tracker.reset()
        try scanner.begin()
        try GrammarWalker.walk(&scanner, &self, maximumDepth: options.maximumDepth)
        try scanner.finish()
    }

    @inline(__always) mutating func name(
        _ token: StringToken, in scanner: ByteScanner, previousEnd: Int
    ) throws(ScanFailure) {
        if refusesDuplicateNames {
            try tracker.insert(token, in: scanner)
        }
    }

    @inline(__always) mutating func beginObject(at start: Int) {
        if refusesDuplicateNames {
            tracker.beginObject()
        }
    }

    @inline(__always) mutating func endObject(at end: Int, previousEnd: Int) {
        if refusesDuplicateNames {
            tracker.endObject()
        }
    }

    @inline(__always) mutating func string(_ token: StringToken, in scanner: ByteScanner) {}
    @inline(__always) mutating func number(from start: Int, to end: Int, isInteger: Bool) {}
    @inline(__always) mutating func word(_ word: JSONWord, from start: Int) {}
    @inline(__always) mutating func beginArray(at start: Int) {}
    @inline(__always) mutating func endArray(at end: Int) {}
}
