/// Receives the events of a `GrammarWalker`. Offsets count in the text, and tokens are checked before they are
/// reported.
protocol GrammarVisitor: ~Copyable {
    /// The end of a member name and the colon after it, if the visitor knows the name that begins at the scanner's
    /// position, and has taken it; otherwise -1.
    mutating func knownName(in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure) -> Int
    /// A member name; `previousEnd` is the end of the value before it, or the offset after the opening brace.
    mutating func name(_ token: StringToken, in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure)
    mutating func string(_ token: StringToken, in scanner: ByteScanner)
    mutating func number(from start: Int, to end: Int, isInteger: Bool)
    mutating func word(_ word: JSONWord, from start: Int)
    mutating func beginObject(at start: Int)
    /// `previousEnd` is the end of the last member; `end` is the offset after the closing brace.
    mutating func endObject(at end: Int, previousEnd: Int)
    mutating func beginArray(at start: Int)
    mutating func endArray(at end: Int)
}

extension GrammarVisitor where Self: ~Copyable {
    @inline(__always) mutating func knownName(in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure) -> Int {
        -1
    }
}
