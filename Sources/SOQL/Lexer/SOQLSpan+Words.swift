extension SOQLSpan {
    /// Whether the token is this word, in any case. The word is given in lower case.
    func isWord<Bytes: RandomAccessCollection>(
        _ word: StaticString, in bytes: Bytes
    ) -> Bool where Bytes.Element == UInt8, Bytes.Index == Int {
        guard kind == .word, count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where SOQLBytes.lowercased(bytes[start + index]) != word.utf8Start[index] {
            return false
        }
        return true
    }

    /// Whether the token is this word, or a list that begins with it.
    func beginsList(with word: StaticString, in bytes: [UInt8]) -> Bool {
        guard kind == .word else { return false }
        let first = bytes[range].firstIndex(of: SOQLBytes.comma) ?? end
        return SOQLSpan(kind: .word, start: start, end: first).isWord(word, in: bytes)
    }
}

extension SOQLSpan {
    /// The same token without blanks at either end.
    func trimmed(in bytes: [UInt8]) -> SOQLSpan {
        var (start, end) = (start, end)
        while start < end, SOQLBytes.isBlank(bytes[start]) {
            start += 1
        }
        while start < end, SOQLBytes.isBlank(bytes[end - 1]) {
            end -= 1
        }
        return SOQLSpan(kind: kind, start: start, end: end)
    }
}
