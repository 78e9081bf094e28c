import Soups
import TestSupport

/// A simple model of full-text expressions over lists of tokens, with which the parser and the writers are compared.
indirect enum MatchModel {
    /// The words of a phrase as typed; the last one may be a prefix.
    case phrase([String], isPrefix: Bool)
    case near([[String]], Int)
    case beside([MatchModel])
    case all([MatchModel])
    case any([MatchModel])
    case without(MatchModel, MatchModel)
    /// `{people:path}:` before a part.
    case field(String, MatchModel)

    /// The text of the expression, with only the parentheses that precedence requires.
    func text(level: Int = 0) -> String {
        let (own, body): (Int, String) =
            switch self {
            case .phrase(let words, let isPrefix):
                (5, (words.count == 1 ? words[0] : "\"" + words.joined(separator: " ") + "\"") + (isPrefix ? "*" : ""))
            case .near(let phrases, let distance):
                (
                    5,
                    "NEAR("
                        + phrases.map { $0.count == 1 ? $0[0] : "\"" + $0.joined(separator: " ") + "\"" }.joined(
                            separator: " ") + (distance == 10 ? ")" : ", \(distance))")
                )
            case .field(let path, let part): (4, "{people:\(path)}:" + part.text(level: 5))
            case .beside(let parts): (3, parts.map { $0.text(level: 4) }.joined(separator: " "))
            case .without(let kept, let dropped):
                if case .all = kept {
                    (1, kept.text(level: 1) + " AND NOT " + dropped.text(level: 3))
                } else {
                    (2, kept.text(level: 2) + " NOT " + dropped.text(level: 3))
                }
            case .all(let parts): (1, parts.map { $0.text(level: 2) }.joined(separator: " AND "))
            case .any(let parts): (0, parts.map { $0.text(level: 1) }.joined(separator: " OR "))
            }
        return own < level ? "(" + body + ")" : body
    }

    /// Whether an entry matches. Its columns are lists of tokens by path.
    func fits(_ entry: [String: [String]], path: String?) -> Bool {
        switch self {
        case .field(let own, let part): part.fits(entry, path: own)
        case .all(let parts): parts.allSatisfy { $0.fits(entry, path: path) }
        case .any(let parts): parts.contains { $0.fits(entry, path: path) }
        case .without(let kept, let dropped): kept.fits(entry, path: path) && !dropped.fits(entry, path: path)
        case .beside(let parts):
            // Punctuation next to words is ignored.
            parts.filter(\.hasToken).allSatisfy { $0.fits(entry, path: path) } && parts.contains(where: \.hasToken)
        case .phrase(let words, let isPrefix):
            columns(of: entry, path).contains {
                !Self.places(of: Self.tokens(words.joined(separator: " ")), isPrefix: isPrefix, in: $0).isEmpty
            }
        case .near(let phrases, let distance):
            columns(of: entry, path).contains {
                Self.areNear(
                    phrases.map { Self.tokens($0.joined(separator: " ")) }.filter { !$0.isEmpty }, distance, in: $0)
            }
        }
    }

    private var hasToken: Bool {
        switch self {
        case .phrase(let words, _): !Self.tokens(words.joined(separator: " ")).isEmpty
        case .field(_, let part): part.hasToken
        default: true
        }
    }

    private func columns(of entry: [String: [String]], _ path: String?) -> [[String]] {
        path.map { [entry[$0] ?? []] } ?? Array(entry.values)
    }

    /// ASCII only: lower-case runs of letters and digits.
    static func tokens(_ text: String) -> [String] {
        text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    }

    private static func places(of phrase: [String], isPrefix: Bool, in tokens: [String]) -> [Int] {
        guard !phrase.isEmpty, tokens.count >= phrase.count else {
            return []
        }
        return (0...(tokens.count - phrase.count)).filter { start in
            phrase.indices.allSatisfy { index in
                let token = tokens[start + index]
                return isPrefix && index == phrase.count - 1 ? token.hasPrefix(phrase[index]) : token == phrase[index]
            }
        }
    }

    private static func areNear(_ phrases: [[String]], _ distance: Int, in tokens: [String]) -> Bool {
        guard !phrases.isEmpty else { return false }
        let places = phrases.map { Self.places(of: $0, isPrefix: false, in: tokens) }
        // Each other phrase must end within the distance before the phrase that starts last.
        return places.joined().contains { last in
            zip(phrases, places).allSatisfy { phrase, starts in
                starts.contains { $0 <= last && $0 + phrase.count + distance >= last }
            }
        }
    }

    /// Generates an expression over a small vocabulary, so that many expressions match something.
    static func draw(_ random: inout SeededRandom, depth: Int = 3, nearOfTwo: Bool = false) -> MatchModel {
        func word() -> String {
            [
                "red", "blue", "fox", "Den", "re", "fo", "x1", "and", "near", "co-op", "o'red", "b", "fox,den", "-",
                "NOT-x",
            ].randomElement(using: &random) ?? "red"
        }
        func parts(_ range: ClosedRange<Int>) -> [MatchModel] {
            (0..<Int.random(in: range, using: &random)).map { _ in draw(&random, depth: depth - 1, nearOfTwo: nearOfTwo)
            }
        }
        switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &random) {
        case 0...2: return .phrase([word()], isPrefix: false)
        case 3: return .phrase([word()], isPrefix: true)
        case 4: return .phrase([word(), word()], isPrefix: Bool.random(using: &random))
        case 5:
            if nearOfTwo {
                return .near([["red"], ["fox"]], Int.random(in: 0...3, using: &random))
            }
            let phrases = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    ["red", "fox", "den", "blue", "co-op", "--"].randomElement(using: &random) ?? "red"
                }
            }
            return .near(
                phrases, Int.random(in: 0...2, using: &random) == 0 ? 10 : Int.random(in: 0...4, using: &random))
        case 6, 7: return .beside(parts(2...3))
        case 8, 9: return .all(parts(2...3))
        case 10, 11: return .any(parts(2...3))
        case 12:
            return .field(
                Bool.random(using: &random) ? "text" : "more", draw(&random, depth: depth - 1, nearOfTwo: nearOfTwo))
        default:
            return .without(
                draw(&random, depth: depth - 1, nearOfTwo: nearOfTwo),
                draw(&random, depth: depth - 1, nearOfTwo: nearOfTwo))
        }
    }
}
