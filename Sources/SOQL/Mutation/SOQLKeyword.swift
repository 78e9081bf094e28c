/// The keyword that begins a clause: one or two tokens of a query.
struct SOQLKeyword {
    let clause: SOQLClause
    /// The index behind its last token.
    let end: Int

    /// The keyword at a token; nil if the token does not begin one.
    init?(at index: Int, in text: SOQLText) {
        switch text.spans[index].kind {
        case .blanks, .quoted, .group: return nil
        case .orderBy: self.init(.orderBy, at: index)
        case .groupBy: self.init(.groupBy, at: index)
        case .word: self.init(word: index, in: text)
        }
    }

    private init(_ clause: SOQLClause, at index: Int, tokens: Int = 1) {
        self.clause = clause
        end = index + tokens
    }

    private init?(word index: Int, in text: SOQLText) {
        let word = text.spans[index]
        func isWord(_ keyword: StaticString) -> Bool { word.isWord(keyword, in: text.bytes) }
        switch word.count {
        case 3 where isWord("for") && Self.isFollowed(index, by: ["view", "reference", "update"], in: text):
            self.init(.for, at: index)
        case 3 where isWord("all") && Self.isFollowed(index, by: ["rows"], in: text):
            self.init(.all, at: index)
        case 4 where isWord("from"): self.init(.from, at: index)
        case 4 where isWord("with"): self.init(.with, at: index)
        case 5 where isWord("where"): self.init(.where, at: index)
        case 5 where isWord("limit"): self.init(.limit, at: index)
        case 5 where isWord("using") && Self.isFollowed(index, by: ["scope"], in: text):
            // The first word, the blanks, the second word.
            self.init(.usingScope, at: index, tokens: 3)
        case 6 where isWord("select"): self.init(.select, at: index)
        case 6 where isWord("having"): self.init(.having, at: index)
        case 6 where isWord("offset"): self.init(.offset, at: index)
        case 6 where isWord("update") && Self.isFollowed(index, by: ["tracking", "viewstat"], in: text):
            self.init(.update, at: index)
        default: return nil
        }
    }

    /// Whether blanks and then one of the words follow, or a list that begins with one: `for view, reference`.
    private static func isFollowed(_ index: Int, by words: [StaticString], in text: SOQLText) -> Bool {
        guard index + 2 < text.spans.endIndex, text.spans[index + 1].kind == .blanks else { return false }
        let next = text.spans[index + 2]
        return words.contains { next.beginsList(with: $0, in: text.bytes) }
    }
}
