/// Walks over bytes for the readers of values: a position, a look at the next byte, runs of digits.
///
/// Works in place on bytes that its caller keeps alive; it never allocates. Reading past the end gives nil, never a
/// trap.
struct ByteReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Steps over the byte if it is the next one.
    mutating func eat(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Reads exactly so many digits as a number.
    mutating func number(digits count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for index in position..<position + count {
            let digit = Int(bytes[index]) - 48
            guard digit >= 0, digit <= 9 else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    /// Steps over digits and tells how many there were.
    mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, bytes[position] &- 48 <= 9 {
            position += 1
        }
        return position - start
    }

    /// Reads a run of at most 18 digits as a number; nil for none or more.
    mutating func number() -> Int? {
        let start = position
        let count = skipDigits()
        guard count > 0, count <= 18 else { return nil }
        position = start
        return number(digits: count)
    }

    /// Reads one to twelve digits behind a point as picoseconds.
    mutating func picoseconds() -> Int64? {
        let start = position
        let count = skipDigits()
        guard count > 0, count <= 12 else { return nil }
        position = start
        guard var value = number(digits: count) else { return nil }
        for _ in count..<12 {
            value *= 10
        }
        return Int64(value)
    }
}

/// Gives the bytes of a text to a reader of values.
func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = text
    return text.withUTF8(body)
}

extension String {
    /// Makes a text of bytes that are known to be valid UTF-8; other bytes become U+FFFD.
    init(bytes: UnsafeBufferPointer<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }
}
