import Soups

/// Splits a SOQL text into its top-level tokens. One pass without recursion: the depth of a group is a number.
struct SOQLLexer {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Reads all tokens.
    static func spans(of bytes: [UInt8]) throws(Fault) -> [SOQLSpan] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
            var lexer = SOQLLexer(bytes: buffer)
            var spans: [SOQLSpan] = []
            // What is long is mostly in groups, which are one token.
            spans.reserveCapacity(buffer.count / 12 + 8)
            while let span = try lexer.next() {
                spans.append(span)
            }
            return spans
        }
    }

    /// Reads the next token; nil at the end.
    mutating func next() throws(Fault) -> SOQLSpan? {
        let start = position
        guard start < bytes.count else { return nil }
        let byte = bytes[start]
        switch byte {
        case SOQLBytes.quote:
            position = try endOfQuote(from: start)
            return SOQLSpan(kind: .quoted, start: start, end: position)
        case SOQLBytes.open:
            position = try endOfGroup(from: start)
            return SOQLSpan(kind: .group, start: start, end: position)
        case SOQLBytes.close:
            throw Fault(.invalidSOQL, "')' without '('; remove it or open a group before it", offset: start)
        case _ where SOQLBytes.isBlank(byte):
            position = endOfBlanks(from: start)
            return SOQLSpan(kind: .blanks, start: start, end: position)
        default:
            position = endOfWord(from: start)
            return joined(SOQLSpan(kind: .word, start: start, end: position))
        }
    }

    /// The word, or the token `order by` or `group by` where it begins one.
    private mutating func joined(_ word: SOQLSpan) -> SOQLSpan {
        let kind: SOQLToken.Kind
        if word.isWord("order", in: bytes) {
            kind = .orderBy
        } else if word.isWord("group", in: bytes) {
            kind = .groupBy
        } else {
            return word
        }
        let start = endOfBlanks(from: word.end)
        let next = SOQLSpan(kind: .word, start: start, end: endOfWord(from: start))
        guard next.isWord("by", in: bytes) else {
            return word
        }
        position = next.end
        return SOQLSpan(kind: kind, start: word.start, end: next.end)
    }
}

// MARK: - Where tokens end
extension SOQLLexer {
    private func endOfBlanks(from start: Int) -> Int {
        var end = start
        while end < bytes.count, SOQLBytes.isBlank(bytes[end]) {
            end += 1
        }
        return end
    }

    private func endOfWord(from start: Int) -> Int {
        var end = start
        while end < bytes.count, !SOQLBytes.endsWord(bytes[end]) {
            end += 1
        }
        return end
    }

    private func endOfQuote(from start: Int) throws(Fault) -> Int {
        var end = start + 1
        while end < bytes.count {
            switch bytes[end] {
            case SOQLBytes.quote: return end + 1
            // Further bytes of an escaped character are neither quotes nor backslashes.
            case UInt8(ascii: "\\"): end += 2
            default: end += 1
            }
        }
        throw Fault(.invalidSOQL, "the closing quote of a text is missing", offset: start)
    }

    private func endOfGroup(from start: Int) throws(Fault) -> Int {
        var depth = 0
        var end = start
        while end < bytes.count {
            switch bytes[end] {
            case SOQLBytes.quote:
                end = try endOfQuote(from: end)
                continue
            case SOQLBytes.open: depth += 1
            case SOQLBytes.close: depth -= 1
            default: break
            }
            end += 1
            if depth == 0 {
                return end
            }
        }
        throw Fault(.invalidSOQL, "the closing parenthesis of a group is missing", offset: start)
    }
}
