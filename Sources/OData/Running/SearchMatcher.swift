import Soups

/// Decides whether an entity matches `$search`: its texts, also those in complex values and collections, have the words.
///
/// A word is a run of letters and digits, compared without regard to case. A phrase, and a term of several words, must
/// occur in this order in one text. No character of a term is an operator.
struct SearchMatcher: Sendable {
    private let search: SearchExpression
    /// For each node that is a term or phrase, its words.
    private let words: [[String]]

    init(_ search: SearchExpression) {
        self.search = search
        words = search.nodes.map { node in
            switch node {
            case .term(let text), .phrase(let text): Self.words(of: text)
            default: []
            }
        }
    }

    func matches<Node: EntityNode>(_ entity: Node) -> Bool {
        var texts: [[String]] = []
        Self.collect(entity, depth: 0, into: &texts)
        // Children come before their parents.
        var results: [Bool] = []
        for (index, node) in search.nodes.enumerated() {
            switch node {
            case .term, .phrase: results.append(texts.contains { Self.contains($0, words[index]) })
            case .and(let left, let right): results.append(results[left] && results[right])
            case .or(let left, let right): results.append(results[left] || results[right])
            case .not(let operand): results.append(!results[operand])
            }
        }
        return results.last ?? true
    }

    private static func collect<Node: EntityNode>(_ node: Node, depth: Int, into texts: inout [[String]]) {
        guard depth < 100 else { return }
        switch node.content {
        case .text(let text), .value(.string(let text)): texts.append(words(of: text))
        case .array:
            for element in node.elements ?? [] {
                collect(element, depth: depth + 1, into: &texts)
            }
        case .object:
            for (_, value) in node.members ?? [] {
                collect(value, depth: depth + 1, into: &texts)
            }
        default: break
        }
    }

    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }

    /// Whether words occur one after the other; false if there are none.
    private static func contains(_ text: [String], _ wanted: [String]) -> Bool {
        guard let first = wanted.first, text.count >= wanted.count else { return false }
        return (0...text.count - wanted.count).contains { start in
            text[start] == first && text[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}
