import Benchmarking
import JSONText
import OData
import Soups

/// What one comparison costs the evaluation: on a value alone, on a document of 1 KB that is only read as far as
/// needed, and on one that was made a tree.
enum ODataEvaluationCells: CellSource {
    private static let value = Arm("cell")
    private static let document = Arm("document")
    private static let tree = Arm("tree")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let count = scope.profile.name == .smoke ? 200 : 10_000
        return [
            Cell(
                "odata-evaluation", ["documents": String(count)], revision: 1,
                summary: "evaluates one comparison for \(count) documents of 1 KB",
                arms: [value, document, tree],
                comparisons: [.init(document, value), .init(tree, document)], primary: .cpu, pairs: 6, profile: .full,
                claims: [
                    Claim(
                        "OFP-09", "a value alone costs a quarter of a document", backend: "any",
                        .ratio(base: document, arm: value, atMost: 0.25)),
                    Claim(
                        "OFP-09", "a document costs a third of a tree", backend: "any",
                        .ratio(base: tree, arm: document, atMost: 0.34)),
                ]
            ) { arm, _ in try work(arm, count) }
        ]
    }

    private static func work(_ arm: Arm, _ count: Int) throws -> Computation {
        let products = ProductRows(count: count)
        let evaluator = try ODataEvaluator(try ODataExpression(parsing: "Name gt 'M'", version: .v4))
        let texts = (0..<count).map { Array(("{" + products.members($0) + "}").utf8) }
        let names = (0..<count).map { JSONValue.object(["Name": .string(products.name($0))]) }
        var found = 0
        return Computation {
            found =
                switch arm.work {
                case value: try names.count { try evaluator.matches($0) == true }
                case tree: try texts.count { try evaluator.matches(try JSONValue(parsing: $0)) == true }
                default: try matches(texts, evaluator)
                }
            return count
        } answer: {
            $0.add(found)
        }
    }

    /// Counts the documents that match, each read from a tape as far as needed.
    private static func matches(_ texts: [[UInt8]], _ evaluator: ODataEvaluator) throws -> Int {
        let tape = JSONTape()
        return try texts.count { text in
            try text.withUnsafeBytes { bytes in
                try tape.read(bytes)
                return try tape.withRoot { root in try evaluator.matches(RowNode(root)) }
            } == true
        }
    }
}
