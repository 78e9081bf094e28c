/// Reads the bytes of a JSON text token by token (RFC 8259). Its users handle the grammar of objects and arrays.
///
/// `base` points at the first byte and must outlive the scanner; nothing is read at or past `end`. Each `scan` function
/// starts with `position` at the first byte of its token, checks the whole token and moves `position` after it.
struct ByteScanner {
    let base: UnsafePointer<UInt8>
    let end: Int
    var position: Int
    /// The offset of the last U+0000, which can only be written as an escape; -1 if there is none.
    var lastNUL = -1

    init(base: UnsafePointer<UInt8>, count: Int, from position: Int = 0) {
        self.base = base
        self.end = count
        self.position = position
    }

    @inline(__always) var isAtEnd: Bool { position >= end }

    /// Moves to the first byte that is not white space, or to the end.
    @inline(__always) mutating func skipWhitespace() {
        // Compact text has no white space between tokens, so the first comparison usually decides.
        if position < end, base[position] > 0x20 {
            return
        }
        skipWhitespaceRun()
    }

    @inline(never) private mutating func skipWhitespaceRun() {
        while position < end {
            let byte = base[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// Moves to the next token and returns its first byte.
    @inline(__always) mutating func nextByte() throws(ScanFailure) -> UInt8 {
        skipWhitespace()
        guard position < end else {
            throw ScanFailure(.truncated, at: end)
        }
        return base[position]
    }

    /// Moves to the first token of a text.
    mutating func begin() throws(ScanFailure) {
        if end - position >= 3, base[position] == 0xEF, base[position + 1] == 0xBB, base[position + 2] == 0xBF {
            throw ScanFailure(.byteOrderMark, at: position)
        }
        skipWhitespace()
        guard position < end else {
            throw ScanFailure(.emptyText, at: end)
        }
    }

    /// Checks that only white space is left.
    mutating func finish() throws(ScanFailure) {
        skipWhitespace()
        guard position >= end else {
            throw ScanFailure(.trailingBytes, at: position)
        }
    }

    /// Skips `true`, `false` or `null`, given by the bytes after the first one.
    @inline(__always) mutating func scanWord(_ rest: (UInt8, UInt8, UInt8), _ last: UInt8? = nil) throws(ScanFailure) {
        let count = last == nil ? 4 : 5
        guard end - position >= count, base[position + 1] == rest.0, base[position + 2] == rest.1,
            base[position + 3] == rest.2,
            last == nil || base[position + 4] == last
        else {
            throw wordFailure(rest, last)
        }
        position += count
    }

    @inline(never) private func wordFailure(_ rest: (UInt8, UInt8, UInt8), _ last: UInt8?) -> ScanFailure {
        var index = position + 1
        for expected in [rest.0, rest.1, rest.2, last] {
            guard let expected else { break }
            guard index < end else {
                return ScanFailure(.truncated, at: end)
            }
            guard base[index] == expected else { break }
            index += 1
        }
        return ScanFailure(.invalidLiteral, at: position)
    }

    @inline(__always) mutating func scanTrue() throws(ScanFailure) { try scanWord((0x72, 0x75, 0x65)) }
    @inline(__always) mutating func scanFalse() throws(ScanFailure) { try scanWord((0x61, 0x6C, 0x73), 0x65) }
    @inline(__always) mutating func scanNull() throws(ScanFailure) { try scanWord((0x75, 0x6C, 0x6C)) }
}
