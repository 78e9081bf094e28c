/// What a walk over a JSON text reports. Offsets are those of the text; every token has been checked when it is
/// reported.
protocol GrammarVisitor: ~Copyable {
    /// A member name; `previousEnd` is where the value before it ended, or the place after the opening brace.
    mutating func name(_ token: StringToken, in scanner: ByteScanner, previousEnd: Int) throws(ScanFailure)
    mutating func string(_ token: StringToken, in scanner: ByteScanner)
    mutating func number(from start: Int, to end: Int, isInteger: Bool)
    mutating func word(_ word: JSONWord, from start: Int)
    mutating func beginObject(at start: Int)
    /// `previousEnd` is where the last member ended; `end` lies behind the closing brace.
    mutating func endObject(at end: Int, previousEnd: Int)
    mutating func beginArray(at start: Int)
    mutating func endArray(at end: Int)
}
