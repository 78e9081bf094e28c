/// The keyword that begins a clause: one or two tokens of a query.
struct SOQLKeyword {
    let clause: SOQLClause
    /// The index after its last token.
    let end: Int

    /// The keyword at a token; nil if the token does not begin one.
    init?(at index: Int, of spans: ArraySlice<SOQLSpan>, in bytes: [UInt8]) {
        switch spans[index].kind {
        case .blanks, .quoted, .group: return nil
        case .orderBy: self.init(.orderBy, at: index)
        case .groupBy: self.init(.groupBy, at: index)
        case .word: self.init(word: index, of: spans, in: bytes)
        }
    }

    private init(_ clause: SOQLClause, at index: Int, tokens: Int = 1) {
        self.clause = clause
        end = index + tokens
    }

    private init?(word index: Int, of spans: ArraySlice<SOQLSpan>, in bytes: [UInt8]) {
        let word = spans[index]
        func isWord(_ keyword: StaticString) -> Bool { word.isWord(keyword, in: bytes) }
        func isFollowed(by words: StaticString...) -> Bool {
            Self.isFollowed(index, by: words, of: spans, in: bytes)
        }
        switch word.count {
        case 3 where isWord("for") && isFollowed(by: "view", "reference", "update"):
            self.init(.for, at: index)
        case 3 where isWord("all") && isFollowed(by: "rows"):
            self.init(.all, at: index)
        case 4 where isWord("from"): self.init(.from, at: index)
        case 4 where isWord("with"): self.init(.with, at: index)
        case 5 where isWord("where"): self.init(.where, at: index)
        case 5 where isWord("limit"): self.init(.limit, at: index)
        case 5 where isWord("using") && isFollowed(by: "scope"):
            // The first word, the blanks, the second word.
            self.init(.usingScope, at: index, tokens: 3)
        case 6 where isWord("select"): self.init(.select, at: index)
        case 6 where isWord("having"): self.init(.having, at: index)
        case 6 where isWord("offset"): self.init(.offset, at: index)
        case 6 where isWord("update") && isFollowed(by: "tracking", "viewstat"):
            self.init(.update, at: index)
        default: return nil
        }
    }

    /// Whether blanks and then one of the words follow, or a list that begins with one: `for view, reference`.
    private static func isFollowed(
        _ index: Int, by words: [StaticString], of spans: ArraySlice<SOQLSpan>, in bytes: [UInt8]
    ) -> Bool {
        guard index + 2 < spans.endIndex, spans[index + 1].kind == .blanks else { return false }
        let next = spans[index + 2]
        return words.contains { next.beginsList(with: $0, in: bytes) }
    }
}
