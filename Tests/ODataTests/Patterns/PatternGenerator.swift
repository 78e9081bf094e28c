import TestSupport

/// Generates random patterns that all matchers agree on: characters, classes, groups, alternatives, repetitions, ends
/// and boundaries.
struct PatternGenerator {
    var random: SeededRandom

    mutating func pattern(depth: Int) -> String {
        let alternatives = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in term(depth: depth) }.joined()
        }
        return alternatives.joined(separator: "|")
    }

    private mutating func term(depth: Int) -> String {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "^"
        case 1: return "$"
        case 2: return "\\b"
        case 3: return "\\B"
        case 4 where depth > 0, 5 where depth > 0:
            // Not lazy, because Foundation's matcher never re-enters a lazy loop after its body has matched the empty
            // text.
            return "(" + pattern(depth: depth - 1) + ")" + quantifier(canBeLazy: false)
        case 6: return one(of: ["[ab]", "[^a]", "[a-b]", "\\w", "\\s", "\\D", "."]) + quantifier()
        default: return one(of: ["a", "b", "c"]) + quantifier()
        }
    }

    private mutating func quantifier(canBeLazy: Bool = true) -> String {
        let greedy = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}"]
        return one(of: greedy + (canBeLazy ? ["*?", "+?"] : []))
    }

    private mutating func one(of choices: [String]) -> String {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}
