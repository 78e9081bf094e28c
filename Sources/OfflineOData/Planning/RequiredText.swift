import JSONText
import OData
import Soups

/// A text that is in every row which a filter keeps: that of `eq`, `contains` and the like with a path and a literal.
///
/// A row whose bytes do not have it, and in which nothing is escaped, need not be read.
struct RequiredText {
    private let bytes: [UInt8]

    /// The longest such text; nil if there is none, or if the filter may fail for a row, which it must do then.
    init?(_ filter: ODataEvaluator) {
        let root = filter.expression.root
        guard !Throwing(filter)[root], let text = Self.text(of: root, filter) else { return nil }
        bytes = Array(text.utf8)
    }

    /// Whether the filter may keep a row with this text.
    func mayBe(in text: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { UnescapedSearch.mayContain($0, in: text) }
    }

    /// The text that is in every row for which a condition is true.
    private static func text(of condition: Int, _ filter: ODataEvaluator) -> String? {
        let expression = filter.expression
        var longest: String?
        // A list instead of recursion, because a chain is as deep as it is long.
        var open = [condition]
        while let node = open.popLast() {
            let children = expression.children(of: node)
            var found: String?
            switch expression.nodes[node].kind {
            case .and: open += children
            // One element at least has the text, unless an alias gives the elements.
            case .any where children.count == 3 && isOfRow(children[0], expression): open.append(children[2])
            case .equal: found = text(children[0], children[1], filter) ?? text(children[1], children[0], filter)
            case .call:
                switch expression.function(of: node) {
                case .contains, .startswith, .endswith: found = text(children[0], children[1], filter)
                case .substringof: found = text(children[1], children[0], filter)
                default: break
                }
            default: break
            }
            if let found, found.utf8.count > longest?.utf8.count ?? 0 {
                longest = found
            }
        }
        return longest
    }

    /// The literal, if it is one of text and the other operand is the value of a path that may be one.
    private static func text(_ path: Int, _ literal: Int, _ filter: ODataEvaluator) -> String? {
        let expression = filter.expression
        guard expression.nodes[path].kind == .path, expression.nodes[literal].kind == .literal,
            case .string(let text) = filter.literals[literal], !text.unicodeScalars.contains("\u{FFFD}")
        else { return nil }
        let type = filter.types[path]
        guard type.isUnknown || type.primitive == .string,
            expression.children(of: path).allSatisfy({ expression.nodes[$0].kind == .name }),
            expression.segments(of: path).allSatisfy({ !$0.utf8.contains(where: isSpecial) })
        else { return nil }
        return text
    }

    /// Whether a path starts at the row, and not at an alias.
    private static func isOfRow(_ path: Int, _ expression: ODataExpression) -> Bool {
        expression.segments(of: path).first?.utf8.first != UInt8(ascii: "@")
    }

    /// Whether a byte shows that a name is that of a type or an annotation.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: ".")
    }
}
