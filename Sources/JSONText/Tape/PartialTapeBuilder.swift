/// Builds the nodes of a tape until the values of some members of the outermost object are there.
///
/// The rest of the text is neither read nor checked.
struct PartialTapeBuilder: ~Copyable, GrammarVisitor {
    var tape: TapeBuilder
    private let names: [[UInt8]]
    private var missing = 0
    private var depth = 0
    /// Whether the walk was ended because nothing is missing.
    private(set) var isComplete = false

    /// - Parameter names: The decoded names of the members. Each is in the object at most once.
    init(names: [[UInt8]], capacity: Int) {
        tape = TapeBuilder(capacity: capacity, refusesDuplicateNames: false)
        self.names = names
    }

    mutating func begin() {
        tape.begin()
        missing = names.count
        depth = 0
        isComplete = false
    }

    @inline(__always) mutating func name(
        _ token: StringToken, in scanner: ByteScanner, previousEnd: Int
    ) throws(ScanFailure) {
        if depth == 1 {
            guard missing > 0 else {
                isComplete = true
                tape.endObject(at: previousEnd, previousEnd: previousEnd)
                throw ScanFailure(.trailingBytes, at: previousEnd)
            }
            // A name with escapes is not recognised, so that the text is read to its end.
            if !token.isEscaped, isWanted(scanner.base + token.start, token.end &- token.start) {
                missing &-= 1
            }
        }
        try tape.name(token, in: scanner, previousEnd: previousEnd)
    }

    @inline(__always) private func isWanted(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        for name in names where name.count == count {
            var index = 0
            while index < count, name[index] == text[index] {
                index &+= 1
            }
            if index == count {
                return true
            }
        }
        return false
    }

    @inline(__always) mutating func string(_ token: StringToken, in scanner: ByteScanner) {
        tape.string(token, in: scanner)
    }

    @inline(__always) mutating func number(from start: Int, to end: Int, isInteger: Bool) {
        tape.number(from: start, to: end, isInteger: isInteger)
    }

    @inline(__always) mutating func word(_ word: JSONWord, from start: Int) { tape.word(word, from: start) }

    @inline(__always) mutating func beginObject(at start: Int) {
        depth &+= 1
        tape.beginObject(at: start)
    }

    @inline(__always) mutating func endObject(at end: Int, previousEnd: Int) {
        depth &-= 1
        tape.endObject(at: end, previousEnd: previousEnd)
    }

    @inline(__always) mutating func beginArray(at start: Int) {
        depth &+= 1
        tape.beginArray(at: start)
    }

    @inline(__always) mutating func endArray(at end: Int) {
        depth &-= 1
        tape.endArray(at: end)
    }
}
