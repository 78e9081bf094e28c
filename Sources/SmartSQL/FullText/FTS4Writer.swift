import Soups

/// Writes a match expression for FTS4: one sub-query for each term, joined by SQL's own operators.
///
/// FTS4's grammar depends on how the library was built (in Debian's SQLite AND is an operator, in its SQLCipher a
/// word), silently. Only what both read alike is left to it: a phrase in quotes, and NEAR of two.
struct FTS4Writer {
    let condition: MatchCondition

    func fragment(_ expression: MatchExpression) throws(Fault) -> SQLFragment {
        switch expression {
        case .phrase(let phrase): return find(Self.phrase(phrase), in: try condition.column(of: phrase.field))
        case .near(let phrases, let distance, let field):
            guard phrases.count <= 2 else {
                throw Fault(.invalidMatchExpression, "NEAR takes exactly two terms in a soup with FTS4")
            }
            let column = try condition.column(of: field)
            let word = Array(" NEAR/\(distance) ".utf8)
            return find(Array(phrases.map(Self.phrase).joined(separator: word)), in: column)
        case .all(let parts): return try joined(parts, by: " AND ")
        case .any(let parts): return try joined(parts, by: " OR ")
        case .without(let kept, let dropped): return try joined([kept, dropped], by: " AND NOT ")
        }
    }

    private func joined(_ parts: [MatchExpression], by word: String) throws(Fault) -> SQLFragment {
        var fragments: [SQLFragment] = []
        for part in parts {
            fragments.append(try fragment(part))
        }
        let joined = SQLFragment.joined(fragments, by: word)
        return SQLFragment(text: "(\(joined.text))", bindings: joined.bindings)
    }

    private func find(_ text: [UInt8], in column: String?) -> SQLFragment {
        let table = condition.soup.fullTextTableName
        return SQLFragment(
            text: "id IN (SELECT rowid FROM \(table) WHERE \(column ?? table) MATCH ?)", bindings: [.text(text)])
    }

    /// A phrase in quotes. A star or caret within would be syntax to FTS4, a quote would end it: to the tokenizer all
    /// three are blanks.
    private static func phrase(_ phrase: MatchPhrase) -> [UInt8] {
        let syntax = [UInt8(ascii: "*"), UInt8(ascii: "^"), UInt8(ascii: "\"")]
        var text = phrase.text.map { syntax.contains($0) ? UInt8(ascii: " ") : $0 }
        if phrase.isPrefix {
            // The star must stand directly behind the last token.
            while let last = text.last, !isTokenByte(last) {
                text.removeLast()
            }
            text.append(UInt8(ascii: "*"))
        }
        return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    }

    /// As FTS4's simple tokenizer sees it.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: false
        }
    }
}
