/// Holds a full-text expression as a tree, with the meaning that this project gives it on every full-text module.
///
/// NOT binds tightest, then AND, then OR; terms that merely stand beside each other are joined before any operator, as
/// FTS5 does. Source: guide, Full-Text Query Syntax.
public indirect enum MatchExpression: Sendable, Hashable {
    /// A term or a phrase.
    case phrase(MatchPhrase)
    /// Phrases with at most `distance` other tokens between the first and the last of them.
    case near([MatchPhrase], distance: Int, field: MatchField?)
    /// What all of them find; two or more.
    case all([MatchExpression])
    /// What at least one of them finds; two or more.
    case any([MatchExpression])
    /// What the first finds and the second does not.
    case without(MatchExpression, MatchExpression)
}

extension MatchExpression: CustomStringConvertible {
    /// The canonical text: every phrase in quotes, every operator written, parentheses around every part that is not a
    /// phrase.
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
