import JSONText
import OData
import TestSupport
import Testing

/// `contains`, `indexof` and `replace` against the simplest implementation, on texts that repeat themselves.
@Suite struct TextSearchTests {
    @Test(arguments: [UInt64(41), 20_260_102])
    func `texts are found where a simple search finds them`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let find = try ODataEvaluator(ODataExpression(parsing: "indexof(T,N)", version: .v2))
        let replace = try ODataEvaluator(ODataExpression(parsing: "replace(T,N,'-')", version: .v2))
        for round in 0..<2_000 {
            let letters: [Character] = round % 3 == 0 ? ["a", "b"] : ["a", "a", "b", "ä", "😀"]
            func text(_ count: Int) -> [Character] { (0..<count).map { _ in letters.randomElement(using: &random)! } }
            let haystack = text(Int.random(in: 0..<60, using: &random))
            var needle = text(Int.random(in: 0..<20, using: &random))
            if Bool.random(using: &random), !haystack.isEmpty {
                let start = Int.random(in: 0..<haystack.count, using: &random)
                needle = Array(haystack[start..<min(haystack.count, start + Int.random(in: 0..<20, using: &random))])
            }
            let entity: JSONValue = ["T": .string(String(haystack)), "N": .string(String(needle))]
            let expected = (0...haystack.count).first { haystack[$0...].starts(with: needle) } ?? -1
            #expect(try find.value(for: entity) == .int32(Int32(expected)), "seed \(seed), round \(round)")
            var replaced = ""
            var rest = haystack[...]
            while let first = rest.first {
                let isMatch = !needle.isEmpty && rest.starts(with: needle)
                replaced += isMatch ? "-" : String(first)
                rest = rest.dropFirst(isMatch ? needle.count : 1)
            }
            #expect(try replace.value(for: entity) == .string(replaced), "seed \(seed), round \(round)")
        }
    }
}
