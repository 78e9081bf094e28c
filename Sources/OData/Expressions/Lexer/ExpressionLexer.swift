import Soups

/// Reads the words of an expression: blanks, names, operators, literals. It knows bytes and versions, nothing of trees.
///
/// Words are not reserved in OData, so the parser says what it expects (an operand, an operator) and the lexer answers
/// whether it is there. A look that fails leaves the position where it was. Texts are valid UTF-8; the bytes are kept
/// alive by the caller of the parser.
struct ExpressionLexer {
    let bytes: UnsafeBufferPointer<UInt8>
    let version: ODataVersion
    var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, version: ODataVersion, from position: Int = 0) {
        self.bytes = bytes
        self.version = version
        self.position = position
    }

    /// The next byte, or 0 at the end: a text has no use for NUL, and every reader refuses it.
    @inline(__always) var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    @inline(__always) func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    var isAtEnd: Bool { position >= bytes.count }

    @inline(__always) mutating func eat(_ byte: UInt8) -> Bool {
        guard next == byte, position < bytes.count else { return false }
        position += 1
        return true
    }

    mutating func expect(_ byte: UInt8) throws(Fault) {
        guard eat(byte) else {
            throw unexpected("expected '\(Character(Unicode.Scalar(byte)))'")
        }
    }

    /// Steps over blanks and tabs; tells whether there were any.
    @inline(__always) @discardableResult mutating func skipBlanks() -> Bool {
        let start = position
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
        }
        return position > start
    }

    /// The fault for a text that does not go on as it should here.
    @inline(never) func unexpected(_ message: String) -> Fault { Fault(.syntax, message, offset: position) }

    /// Finds the end of a name that begins here.
    func endOfName() -> Int? { Identifier.end(in: bytes, from: position) }

    /// Finds the end of names joined by dots that begin here, and tells whether there was a dot.
    func endOfQualifiedName() -> (end: Int, isQualified: Bool)? {
        guard var end = Identifier.end(in: bytes, from: position) else { return nil }
        var isQualified = false
        while byte(at: end) == UInt8(ascii: "."), let more = Identifier.end(in: bytes, from: end + 1) {
            end = more
            isQualified = true
        }
        return (end, isQualified)
    }

    /// Tells whether a word stands at a place, with the letter case that the version asks for; the word is in lower
    /// case.
    func isWord(_ word: StaticString, from start: Int, to end: Int) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let wanted = word.utf8Start[index]
            let byte = bytes[start + index]
            guard byte == wanted || (version == .v401 && byte | 0x20 == wanted && byte &- 0x41 < 26) else {
                return false
            }
        }
        return true
    }

    /// Tells whether exactly these bytes stand here.
    func isAt(_ text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[position + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    mutating func eat(_ text: StaticString) -> Bool {
        guard isAt(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
