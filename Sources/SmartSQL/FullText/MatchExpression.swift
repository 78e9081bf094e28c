/// A full-text expression as a tree. It has the same meaning for FTS4 and FTS5.
///
/// NOT binds tightest, then AND, then OR. Adjacent terms without an operator are combined before any operator is
/// applied, as in FTS5. Source: guide, Full-Text Query Syntax.
public indirect enum MatchExpression: Sendable, Hashable {
    /// A term or a phrase.
    case phrase(MatchPhrase)
    /// Phrases with at most `distance` other tokens between the first and the last phrase.
    case near([MatchPhrase], distance: Int, field: MatchField?)
    /// Matches if all of the two or more expressions match.
    case all([MatchExpression])
    /// Matches if at least one of the two or more expressions matches.
    case any([MatchExpression])
    /// Matches if the first expression matches and the second does not.
    case without(MatchExpression, MatchExpression)
}

extension MatchExpression: CustomStringConvertible {
    /// The canonical text, with every phrase quoted, every operator written out, and parentheses around every part that
    /// is not a phrase.
    public var description: String { text(inside: false) }

    private func text(inside: Bool) -> String {
        func joined(_ parts: [MatchExpression], by word: String) -> String {
            parts.map { $0.text(inside: true) }.joined(separator: word)
        }
        let body: String
        switch self {
        case .phrase(let phrase): return phrase.description
        case .near(let phrases, let distance, let field):
            return (field?.description ?? "") + "NEAR(" + phrases.map(\.description).joined(separator: " ")
                + ", \(distance))"
        case .all(let parts): body = joined(parts, by: " AND ")
        case .any(let parts): body = joined(parts, by: " OR ")
        case .without(let kept, let dropped): body = joined([kept, dropped], by: " NOT ")
        }
        return inside ? "(" + body + ")" : body
    }
}
