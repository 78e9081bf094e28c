import Foundation
import JSONText
import OData
import Soups
import TestSupport
import Testing

@Suite struct PatternTests {
    private func evaluator(_ pattern: String) throws -> ODataEvaluator {
        try ODataEvaluator(filter: ODataExpression(parsing: "matchesPattern(A,'\(pattern)')", version: .v401))
    }

    /// A backtracking matcher has the same results for random patterns and texts.
    @Test func `matches agree with another matcher`() throws {
        var random = SeededRandom(seed: UInt64.random(in: 0...UInt64.max))
        let seed = random.seed
        var matches = 0
        var tries = 0
        for _ in 0..<500 {
            var generator = PatternGenerator(random: random)
            let pattern = generator.pattern(depth: 3)
            random = generator.random
            let ours = try evaluator(pattern)
            let theirs = try NSRegularExpression(pattern: pattern)
            for _ in 0..<5 {
                let text = String(
                    (0..<Int.random(in: 0...8, using: &random)).map { _ in "abc ".randomElement(using: &random) ?? "a" }
                )
                let expected = theirs.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
                #expect(
                    try ours.matches(["A": .string(text)] as JSONValue) == expected,
                    "\(pattern) in '\(text)', seed \(seed)")
                tries += 1
                if expected {
                    matches += 1
                }
            }
        }
        #expect(matches > tries / 10 && matches < tries * 9 / 10)
    }

    /// Patterns for which a backtracking matcher would practically never finish on 1,000 characters.
    @Test(arguments: ["^(a+)+$", "^(a|aa)+$", "^(.*)*b$", "(x+x+)+y", "^(a?){100}a{100}b$"]) func `no pattern is slow`(
        _ pattern: String
    ) throws {
        let evaluator = try evaluator(pattern)
        let entity: JSONValue = ["A": .string(String(repeating: "a", count: 1_000) + "!")]
        var isMatch: Bool?
        let elapsed = try ThreadTime.measure { isMatch = try evaluator.matches(entity) }
        #expect(isMatch == false)
        #expect(elapsed < .seconds(20), "\(elapsed)")
    }

    /// Every short text, most of them invalid patterns, gives a pattern or a typed fault with an offset in the literal.
    @Test func `every text is a pattern or a fault`() throws {
        let parts = ["a", "(", ")", "[", "]", "{", "}", "*", "?", "|", "\\", "1", ",", "^", "-", "u", "<"]
        var faults = 0
        for (a, b, c) in parts.flatMap({ a in parts.flatMap { b in parts.map { c in (a, b, c) } } }) {
            do throws(Fault) {
                _ = try ODataEvaluator(
                    filter: ODataExpression(parsing: "matchesPattern(A,'\(a)\(b)\(c)')", version: .v401))
            } catch {
                faults += 1
                #expect(
                    [.invalidLiteral, .unsupported].contains(error.code) && (18...21).contains(error.offset ?? 0),
                    "\(a)\(b)\(c): \(error)")
            }
        }
        #expect(faults > 1_000)
    }

    @Test func `many long patterns are too many`() {
        let filter = Array(repeating: "matchesPattern(A,'(a{99}){40}')", count: 20).joined(separator: " and ")
        #expect { try ODataEvaluator(filter: ODataExpression(parsing: filter, version: .v401)) } throws: {
            ($0 as? Fault)?.code == .limitExceeded
        }
    }
}
