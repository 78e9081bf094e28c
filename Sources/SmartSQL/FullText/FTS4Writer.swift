import Soups

/// Writes a match expression for FTS4: one subquery for each term, combined with SQL operators.
///
/// The grammar of FTS4 depends on how the library was built: AND is an operator in Debian's SQLite, but a word in its
/// SQLCipher. So only syntax that both read in the same way is used: quoted phrases, and NEAR of two terms.
struct FTS4Writer {
    let condition: MatchCondition

    func fragment(_ expression: MatchExpression) throws(Fault) -> SQLFragment {
        switch expression {
        case .phrase(let phrase): return find(Self.phrase(phrase), in: try condition.column(of: phrase.field))
        case .near(let phrases, let distance, let field):
            guard phrases.count <= 2 else {
                throw Fault(
                    .invalidMatchExpression, "NEAR takes at most two terms in a soup with FTS4; combine pairs with AND")
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
        return Self.joined(fragments[...], by: word)
    }

    /// Joins halves of halves: SQLite's expressions are at most 1,000 levels deep, and a chain would have one for each
    /// fragment.
    private static func joined(_ fragments: ArraySlice<SQLFragment>, by word: String) -> SQLFragment {
        guard fragments.count > 1 else { return fragments[fragments.startIndex] }
        let middle = fragments.startIndex + fragments.count / 2
        let halves = [fragments[..<middle], fragments[middle...]].map { Self.joined($0, by: word) }
        let both = SQLFragment.joined(halves, by: word)
        return SQLFragment(text: "(\(both.text))", bindings: both.bindings)
    }

    private func find(_ text: [UInt8], in column: String?) -> SQLFragment {
        let table = condition.soup.fullTextTableName
        return SQLFragment(
            text: "id IN (SELECT rowid FROM \(table) WHERE \(column ?? table) MATCH ?)", bindings: [.text(text)])
    }

    /// A phrase in quotes. Stars, carets and quotes in it would be syntax for FTS4. They are replaced by spaces, as
    /// which the tokenizer would treat them anyway.
    private static func phrase(_ phrase: MatchPhrase) -> [UInt8] {
        let syntax = [UInt8(ascii: "*"), UInt8(ascii: "^"), UInt8(ascii: "\"")]
        var text = phrase.text.map { syntax.contains($0) ? UInt8(ascii: " ") : $0 }
        if phrase.isPrefix {
            // The star must directly follow the last token.
            while let last = text.last, !isTokenByte(last) {
                text.removeLast()
            }
            text.append(UInt8(ascii: "*"))
        }
        return [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    }

    /// Whether the byte is part of a token for the simple tokenizer of FTS4.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: false
        }
    }
}
