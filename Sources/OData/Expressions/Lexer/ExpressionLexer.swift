import Soups
import StepCounting

/// Reads the tokens of an expression: spaces, names, operators and literals.
///
/// OData has no reserved words, so the parser asks for what it expects, such as an operand or an operator, and the
/// lexer answers whether it is there. If not, the position does not change. The bytes must be valid UTF-8, and the
/// caller of the parser must keep them alive.
struct ExpressionLexer {
    let bytes: UnsafeBufferPointer<UInt8>
    let version: ODataVersion
    var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, version: ODataVersion, from position: Int = 0) {
        self.bytes = bytes
        self.version = version
        self.position = position
    }

    /// The next byte, or 0 at the end. A NUL in the text is refused like the end.
    @inline(__always) var next: UInt8 { byte(at: position) }

    @inline(__always) func byte(at index: Int) -> UInt8 {
        StepCounter.add()
        return index < bytes.count ? bytes[index] : 0
    }

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

    /// Skips spaces and tabs; returns whether there were any.
    @inline(__always) @discardableResult mutating func skipBlanks() -> Bool {
        let start = position
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
            position += 1
        }
        StepCounter.add(position - start)
        return position > start
    }

    /// A `syntax` fault at the position.
    @inline(never) func unexpected(_ message: String) -> Fault { Fault(.syntax, message, offset: position) }

    /// The end of the name at the position; nil if there is none.
    func endOfName() -> Int? { Identifier.end(in: bytes, from: position) }

    /// The end of the names joined by dots at the position, and whether there is a dot.
    func endOfQualifiedName() -> (end: Int, isQualified: Bool)? {
        guard var end = Identifier.end(in: bytes, from: position) else { return nil }
        var isQualified = false
        while byte(at: end) == UInt8(ascii: "."), let more = Identifier.end(in: bytes, from: end + 1) {
            end = more
            isQualified = true
        }
        return (end, isQualified)
    }

    /// Whether a range has a word, case-insensitively in version 4.01. The word is in lower case.
    func isWord(_ word: StaticString, from start: Int, to end: Int) -> Bool {
        guard end - start == word.utf8CodeUnitCount else { return false }
        for index in 0..<word.utf8CodeUnitCount {
            let wanted = word.utf8Start[index]
            let byte = bytes[start + index]
            guard byte == wanted || (version == .v401 && byte | 0x20 == wanted) else {
                return false
            }
        }
        return true
    }

    /// Whether the text at the position starts with exactly these bytes.
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
        StepCounter.add(end - start)
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
