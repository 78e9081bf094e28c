/// Finds a text in others in linear time, whatever they are (Knuth, Morris and Pratt). Works on UTF-8 bytes.
struct TextSearch {
    private let needle: [UInt8]
    /// For each prefix of the needle, the length of its longest border: a shorter prefix that also ends it. Empty for
    /// short needles, which are compared at each position.
    private let borders: [Int32]

    private static let short = 8

    init(_ text: String) {
        needle = Array(text.utf8)
        borders = needle.count > Self.short ? Self.borders(of: needle) : []
    }

    private static func borders(of needle: [UInt8]) -> [Int32] {
        var borders = [Int32](repeating: 0, count: needle.count)
        var length = 0
        for index in 1..<needle.count {
            while length > 0, needle[index] != needle[length] {
                length = Int(borders[length - 1])
            }
            if needle[index] == needle[length] {
                length += 1
            }
            borders[index] = Int32(length)
        }
        return borders
    }

    /// The offset of the first occurrence from an offset on; an empty needle occurs everywhere.
    func first(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard start + needle.count <= text.count else { return nil }
        return needle.withUnsafeBufferPointer { needle in
            borders.isEmpty ? Self.compare(needle, text, start) : search(needle, text, start)
        }
    }

    private static func compare(
        _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, _ start: Int
    ) -> Int? {
        guard let first = needle.first else {
            return start
        }
        var offset = start
        while offset <= text.count - needle.count {
            if text[offset] == first {
                var length = 1
                while length < needle.count, text[offset + length] == needle[length] {
                    length += 1
                }
                if length == needle.count {
                    return offset
                }
            }
            offset += 1
        }
        return nil
    }

    private func search(
        _ needle: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, _ start: Int
    ) -> Int? {
        borders.withUnsafeBufferPointer { borders in
            var length = 0
            var offset = start
            while offset < text.count {
                let byte = text[offset]
                while length > 0, byte != needle[length] {
                    length = Int(borders[length - 1])
                }
                offset += 1
                guard byte == needle[length] else { continue }
                length += 1
                if length == needle.count {
                    return offset - length
                }
            }
            return nil
        }
    }

    /// The offsets of the occurrences that do not overlap, from the start on; none for an empty needle.
    func all(in text: UnsafeBufferPointer<UInt8>) -> [Int] {
        guard !needle.isEmpty else {
            return []
        }
        var offsets: [Int] = []
        var start = 0
        while let offset = first(in: text, from: start) {
            offsets.append(offset)
            start = offset + needle.count
        }
        return offsets
    }
}
