import Soups
import StepCounting

/// Decides whether an entity matches `$search`: its texts, also those in complex values and collections, have the
/// words.
///
/// A word is a run of letters and digits, compared without regard to case. A phrase, and a term of several words, must
/// occur in this order in one text. No character of a term is an operator.
struct SearchMatcher: Sendable {
    private enum Wanted: Sendable {
        case nothing
        case word(String)
        case phrase(TextSearch)
    }

    private let search: SearchExpression
    /// For each node that is a term or phrase, what it looks for.
    private let wanted: [Wanted]
    private let hasPhrase: Bool

    init(_ search: SearchExpression) {
        self.search = search
        wanted = search.nodes.map { node in
            switch node {
            case .term(let text), .phrase(let text):
                let words = Self.words(of: text)
                return words.count > 1
                    ? .phrase(TextSearch(Self.joined(words))) : words.first.map { .word($0) } ?? .nothing
            default: return .nothing
            }
        }
        hasPhrase = wanted.contains { wanted in
            if case .phrase = wanted {
                true
            } else {
                false
            }
        }
    }

    func matches<Node: EntityNode>(_ entity: Node) -> Bool {
        let (words, texts) = content(of: entity)
        // Children come before their parents.
        var results: [Bool] = []
        for (index, node) in search.nodes.enumerated() {
            switch node {
            case .term, .phrase: results.append(Self.contains(wanted[index], words, texts))
            case .and(let left, let right): results.append(results[left] && results[right])
            case .or(let left, let right): results.append(results[left] || results[right])
            case .not(let operand): results.append(!results[operand])
            }
        }
        return results.last ?? true
    }

    private static func contains(_ wanted: Wanted, _ words: Set<ByteKey>, _ texts: [String]) -> Bool {
        switch wanted {
        case .nothing: false
        case .word(let word): words.contains(ByteKey(word))
        case .phrase(let search): texts.contains { text in withBytes(of: text) { search.first(in: $0) != nil } }
        }
    }

    /// The words of all texts of an entity, and each text as its words if the search has a phrase. Keeps a stack of its
    /// own: data may be nested deeply.
    private func content<Node: EntityNode>(of entity: Node) -> (words: Set<ByteKey>, texts: [String]) {
        var words: Set<ByteKey> = []
        var texts: [String] = []
        var pending = [entity]
        while let node = pending.popLast() {
            switch node.content {
            case .text(let text), .value(.string(let text)):
                let found = Self.words(of: text)
                words.formUnion(found.lazy.map { ByteKey($0) })
                if hasPhrase {
                    texts.append(Self.joined(found))
                }
            case .array: pending += node.elements ?? []
            case .object:
                // Control information is not part of the entity.
                pending += (node.members ?? []).filter { !$0.0.utf8.contains(UInt8(ascii: "@")) }.map(\.1)
            default: break
            }
        }
        return (words, texts)
    }

    private static func words(of text: String) -> [String] {
        StepCounter.add(text.utf8.count)
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        }
        // Unicode need not be asked for the properties of each character.
        return text.utf8.split { !isASCIIWord($0) }.map { Substring($0).lowercased() }
    }

    private static func isASCIIWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    /// The words with a blank around each, so that a phrase is found only at whole words.
    private static func joined(_ words: [String]) -> String { " " + words.joined(separator: " ") + " " }
}
