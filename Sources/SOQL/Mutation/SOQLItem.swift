/// One item of a list: its tokens, without blanks. A word that contains commas is a part of several items.
struct SOQLItem {
    private let bytes: [UInt8]
    private let parts: ArraySlice<SOQLSpan>

    /// The items of a list that is separated by commas outside of quotes and parentheses.
    static func items(of list: SOQLText) -> [SOQLItem] {
        var items: [SOQLItem] = []
        var parts: [SOQLSpan] = []
        func endItem() {
            items.append(SOQLItem(bytes: list.bytes, parts: parts[...]))
            parts = []
        }
        for span in list.spans where span.kind != .blanks {
            var rest = span
            while rest.kind == .word, let comma = list.bytes[rest.range].firstIndex(of: SOQLBytes.comma) {
                if comma > rest.start {
                    parts.append(SOQLSpan(kind: .word, start: rest.start, end: comma))
                }
                endItem()
                rest = SOQLSpan(kind: .word, start: comma + 1, end: rest.end)
            }
            if rest.count > 0 {
                parts.append(rest)
            }
        }
        endItem()
        return items
    }

    /// The field of the item, with or without an alias; nil for a function, a sub-query and a literal.
    var field: ArraySlice<UInt8>? {
        guard let first = parts.first, parts.allSatisfy({ $0.kind == .word }) else { return nil }
        return bytes[first.range]
    }

    /// Whether the item is a function with exactly this argument, in any case: `FIELDS(ALL)`.
    func isFunction(_ name: StaticString, _ argument: StaticString) -> Bool {
        guard let first = parts.first, let group = parts.dropFirst().first, group.kind == .group else { return false }
        let inner = SOQLSpan(kind: .word, start: group.start + 1, end: group.end - 1).trimmed(in: bytes)
        return first.isWord(name, in: bytes) && inner.isWord(argument, in: bytes)
    }

    /// Whether the first word of the item is this one, and others follow.
    func begins(with word: StaticString) -> Bool {
        parts.count > 1 && parts.first?.isWord(word, in: bytes) == true
    }

    func hasWord(_ word: StaticString) -> Bool { parts.contains { $0.isWord(word, in: bytes) } }

    /// Whether the words after the first one are these.
    func goesOn(with words: [StaticString]) -> Bool {
        let rest = parts.dropFirst()
        return rest.count == words.count && zip(rest, words).allSatisfy { $0.isWord($1, in: bytes) }
    }
}
