import OData
import TestSupport

/// Generates random expressions of a version, some with unnecessary parentheses and spaces. Some properties and lambda
/// variables have the names of operators, functions and other words.
struct ExpressionGenerator {
    var random: SeededRandom
    let version: ODataVersion

    init(seed: UInt64, version: ODataVersion) {
        random = SeededRandom(seed: seed)
        self.version = version
    }

    /// Closes open parentheses; strings contain only balanced ones.
    static func closed(_ text: String) -> String {
        let open = text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "(") ? 1 : $1 == UInt8(ascii: ")") ? -1 : 0) }
        return text + String(repeating: ")", count: max(0, open))
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    mutating func expression(depth: Int) -> String {
        guard depth > 0 else {
            return operand()
        }
        let inner = depth - 1
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4:
            var operators = ["or", "and", "eq", "ne", "gt", "ge", "lt", "le", "add", "sub", "mul", "div", "mod"]
            if version.isV4 {
                operators.append("has")
            }
            if version == .v401 {
                operators += ["divby", "in", "EQ", "And"]
            }
            return expression(depth: inner) + " " + pick(operators) + pick([" ", "  "]) + expression(depth: inner)
        case 5, 6: return "(" + pick(["", " "]) + expression(depth: inner) + pick(["", " "]) + ")"
        case 7: return "not " + expression(depth: inner)
        // A sign directly before a digit would change the literal or make it invalid.
        case 8: return Self.closed(pick(["- ", "-(", "-A sub ("]) + expression(depth: inner))
        case 9:
            return pick(["length", "trim", "toupper", "year"]) + "(" + expression(depth: inner) + ")"
        case 10 where version >= .v3:
            let path = pick(["Items", "any", "and", "not", "length", "Items/eq"])
            return path + "/" + pick(["any", "all"]) + "(" + pick(["x", "not", "eq", "any", "desc"]) + ":"
                + expression(depth: inner) + ")"
        case 11 where version == .v401:
            return pick([
                "case(" + expression(depth: inner) + " : " + expression(depth: inner) + ",true:0)",
                "case(" + operand() + " : " + operand() + ",A gt 12 : 30)",
                "A in (" + operandLiteral() + ", " + operandLiteral() + ")",
                "[" + expression(depth: inner) + "," + operand() + "]",
            ])
        default: return "concat(" + expression(depth: inner) + " , " + expression(depth: inner) + ")"
        }
    }

    private mutating func operandLiteral() -> String {
        var literals = ["1", "-5", "'it''s'", "null", "true", "1.50", "1e3", "NaN", "-INF", "'(,)'", "0", "2147483648"]
        literals +=
            version.isV4
            ? [
                "2012-09-03", "13:20:00.10", "2012-09-03T13:52:00.000+02:00", "duration'PT36H'", "binary'T0RhdGE'",
                "01234567-89ab-cdef-0123-456789abcdef",
                "Ns.Colour'Red,1'", "+7", "ABCDEF01-89ab-cdef-0123-456789abcdef",
            ]
            : [
                "12L", "1.5M", "2.5f", "1E3d", "X'0aFF'", "datetime'2012-09-03T13:52'", "time'PT36H'",
                "guid'01234567-89AB-cdef-0123-456789abcdef'",
            ]
        return pick(literals)
    }

    /// A property with the name of a word. In brackets it is read as a name in any position.
    private mutating func namedLikeAWord() -> String {
        let words =
            ["eq", "ne", "gt", "ge", "lt", "le", "and", "or", "add", "sub", "mul", "div", "mod", "has", "in", "divby"]
            + ["not", "any", "all", "case", "cast", "isof", "asc", "desc", "as", "with", "And", "NOT"]
            + CanonicalFunction.allCases.map(\.name).filter { !$0.contains(".") }
        return pick(["(", "( ", "A/"]) + pick(words)
    }

    private mutating func operand() -> String {
        if Int.random(in: 0..<3, using: &random) == 0 {
            return Self.closed(namedLikeAWord())
        }
        var paths = ["A", "Name", "Address/City", "not_", "Größe", "INFx", "e1", "A/null", "null/A", "true/INF"]
        if version >= .v3 {
            paths += ["@p", "$it", "$it/Name", "Items/any()"]
        }
        if version.isV4 {
            paths += [
                "Tags/$count", "Items(1)/Q", "Price/@Ns.Term", "A/Ns.T/B", "Items(A=1,B='x')/Q", "Ns.F(x=A)",
                "Ns.F(x=A)(2)/Q", "F()(A=1)/not",
            ]
        }
        return Bool.random(using: &random) ? pick(paths) : operandLiteral()
    }
}
