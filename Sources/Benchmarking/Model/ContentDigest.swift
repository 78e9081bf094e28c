import Soups

/// Hashes an answer: every byte of every row in order, with the dates of the rows' last change left out.
///
/// Each piece is hashed with its length, so that `ab`,`c` and `a`,`bc` are different answers.
package struct ContentDigest: Sendable {
    private var hash = SHA256()

    package init() {}

    /// Adds a number: a count, an id.
    package mutating func add(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { hash.update($0) }
    }

    /// Adds bytes unchanged.
    package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(bytes.count)
        hash.update(bytes)
    }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Adds a stored entry without the digits after `"_soupLastModifiedDate":`, which differ between any two runs.
    ///
    /// Inside a string value the name's quotes would be escaped, so the bytes occur only once.
    package mutating func add(entry bytes: [UInt8]) {
        bytes.withUnsafeBytes { entry in
            guard let dates = Self.datePlace(in: entry) else {
                return add(entry)
            }
            add(UnsafeRawBufferPointer(rebasing: entry[..<dates.lowerBound]))
            add(UnsafeRawBufferPointer(rebasing: entry[dates.upperBound...]))
        }
    }

    package var hex: String { hash.hexDigest() }

    private static let dateName = Array(#""_soupLastModifiedDate":"#.utf8)

    /// Returns the range of the digits of the date. The field is one of the last members, so the search starts at the
    /// end.
    private static func datePlace(in entry: UnsafeRawBufferPointer) -> Range<Int>? {
        guard entry.count > dateName.count else { return nil }
        var start = entry.count - dateName.count
        while start >= 0 {
            if entry[start] == dateName[0], dateName.indices.allSatisfy({ entry[start + $0] == dateName[$0] }) {
                let digits = start + dateName.count
                var end = digits
                while end < entry.count, entry[end] >= 0x30 && entry[end] <= 0x39 {
                    end += 1
                }
                return digits..<end
            }
            start -= 1
        }
        return nil
    }
}
