/// Reads bytes one after the other, for the parsers of values.
///
/// The caller must keep the bytes alive. The reader never allocates, and returns nil at the end instead of trapping.
struct ByteReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips the next byte if it is the given one; returns whether it was.
    mutating func eat(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Reads exactly `count` digits as a number.
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

    /// Skips digits and returns their number.
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

    /// Reads one to twelve digits after a decimal point as picoseconds.
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

/// Calls a closure with the UTF-8 bytes of a text.
func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = text
    return text.withUTF8(body)
}

extension String {
    /// Creates a string from UTF-8 bytes; invalid bytes become U+FFFD.
    init(bytes: UnsafeBufferPointer<UInt8>) { self.init(decoding: bytes, as: UTF8.self) }
}
