import JSONText
import OData
import ODataShapes
import Soups

/// Puts an input through the parsers of OData texts: what parses must print as text that gives the same tree, evaluate
/// without a trap, and every fault must lie in the text. A pattern must be refused or matched in time. The first byte
/// chooses the version and what the text is.
enum ODataTarget {
    private static let entity: JSONValue = [
        "A": 1, "B": "x", "Name": "it's", "Tags": ["a", nil, 2], "O": [["Q": 1.5], ["Q": nil]],
        "D": "2012-12-31T23:30:00-05:00", "C": ["City": "Bern"],
    ]

    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let version = ODataVersion.allCases[Int(first) % ODataVersion.allCases.count]
        let bytes = [UInt8](input.dropFirst())
        switch first & 0xC0 {
        case 0x80, 0xC0: url(String(decoding: bytes, as: UTF8.self), version)
        case 0x40: pattern(String(decoding: bytes, as: UTF8.self))
        default: expression(bytes, version)
        }
    }

    private static func expression(_ bytes: [UInt8], _ version: ODataVersion) {
        do throws(Fault) {
            let tree = try ODataExpression(parsing: bytes, version: version)
            let text = tree.canonicalText
            let again: ODataExpression
            do throws(Fault) { again = try ODataExpression(parsing: text, version: version) } catch {
                preconditionFailure("what was printed does not parse")
            }
            precondition(again.json == tree.json, "what was printed is another tree")
            precondition(again.canonicalText == text, "canonical text is not stable")
            _ = try ODataEvaluator(tree).value(for: entity)
        } catch {
            if let offset = error.offset {
                precondition(offset <= bytes.count, "a fault outside of the text")
            }
        }
    }

    /// The text as a pattern over itself and over a run of one letter.
    private static func pattern(_ text: String) {
        let literal = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        let filter = "matchesPattern(A,'\(literal)')"
        do throws(Fault) {
            let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: filter, version: .v401))
            for subject in [text, String(repeating: "a", count: 200)] {
                _ = try evaluator.matches(["A": .string(subject)] as JSONValue)
            }
        } catch {
            precondition(
                error.offset.map { (18...filter.utf8.count).contains($0) } ?? false, "a fault outside of the pattern")
        }
    }

    private static func url(_ text: String, _ version: ODataVersion) {
        do throws(Fault) {
            _ = try ODataURL(parsing: text, version: version).json
        } catch {
            if let offset = error.offset {
                precondition(offset <= text.utf8.count, "a fault outside of the text")
            }
        }
    }
}
