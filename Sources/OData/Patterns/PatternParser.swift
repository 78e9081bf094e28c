import Soups

/// Parses a pattern into a program. Open groups are kept on a stack, so the parser does not recurse.
///
///     disjunction = alternative *( "|" alternative )
///     alternative = *( "^" / "$" / "\b" / "\B" / atom [ quantifier ] )
///     atom = character / "." / "\" escape / "[" class "]" / "(" [ "?:" / "?<" name ">" ] disjunction ")"
///     quantifier = ( "*" / "+" / "?" / "{" min [ "," [ max ] ] "}" ) [ "?" ]
///
/// A lazy quantifier matches the same texts as a greedy one. The parser is stricter than browsers: a single `{`, `}` or
/// `]` and an unknown letter after `\` are errors.
struct PatternParser {
    let bytes: [UInt8]
    var position = 0
    var sets: [PatternSet] = []

    /// An open group: its finished alternatives, the current one, and the index at which the last atom starts in it.
    private struct Group {
        var alternatives: [[PatternInstruction]] = []
        var current: [PatternInstruction] = []
        var atom: Int?
        let start: Int
        /// The number of instructions of the finished alternatives after they are joined.
        var length = 0
    }

    private static let maximumDepth = 100

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func parse() throws(Fault) -> [PatternInstruction] {
        var groups = [Group(start: 0)]
        while position < bytes.count {
            var group = groups.removeLast()
            let start = position
            switch bytes[position] {
            case UInt8(ascii: "("):
                try openGroup()
                groups.append(group)
                groups.append(Group(start: start))
                if groups.count > Self.maximumDepth {
                    throw Fault(
                        .limitExceeded, "the pattern is nested deeper than \(Self.maximumDepth) levels", offset: start)
                }
                continue
            case UInt8(ascii: ")"):
                guard var outer = groups.popLast() else {
                    throw invalid("')' without '('", at: start)
                }
                position += 1
                append(joined(group), to: &outer)
                group = outer
            case UInt8(ascii: "|"):
                position += 1
                group.alternatives.append(group.current)
                group.length += group.current.count + 2
                group.current = []
                group.atom = nil
            case UInt8(ascii: "^"), UInt8(ascii: "$"):
                position += 1
                group.current.append(bytes[start] == UInt8(ascii: "^") ? .start : .end)
                group.atom = nil
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
                try repeatAtom(of: &group)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): throw invalid("unbalanced bracket", at: start)
            default:
                let instruction = try atom()
                if instruction == .wordBoundary || instruction == .noWordBoundary {
                    group.current.append(instruction)
                    group.atom = nil
                } else {
                    append([instruction], to: &group)
                }
            }
            groups.append(group)
            try checkLength(group.length + group.current.count)
        }
        guard groups.count == 1, let whole = groups.last else {
            throw invalid("'(' without ')'", at: groups.last?.start ?? 0)
        }
        let program = joined(whole) + [.match]
        try checkLength(program.count)
        return program
    }

    func invalid(_ message: String, at offset: Int) -> Fault {
        Fault(.invalidLiteral, "invalid pattern: \(message)", offset: offset)
    }

    private func checkLength(_ count: Int) throws(Fault) {
        if count > Pattern.maximumLength {
            throw Fault(.limitExceeded, "the pattern is too long after its repetitions are expanded", offset: position)
        }
    }

    private func append(_ atom: [PatternInstruction], to group: inout Group) {
        group.atom = group.current.count
        group.current += atom
    }

    /// Joins the alternatives of a group into one program.
    private func joined(_ group: Group) -> [PatternInstruction] {
        var result = group.current
        for alternative in group.alternatives.reversed() {
            result = [.split(1, alternative.count + 2)] + alternative + [.jump(result.count + 1)] + result
        }
        return result
    }

    private mutating func openGroup() throws(Fault) {
        let start = position
        position += 1
        guard eat("?") else { return }
        if eat(":") {
            return
        }
        if eat("=") || eat("!") || eat("<=") || eat("<!") {
            throw Fault(.unsupported, "lookahead and lookbehind are not supported in patterns", offset: start)
        }
        guard eat("<") else {
            throw invalid("unknown kind of group", at: start)
        }
        let name = position
        while position < bytes.count, Identifier.isASCIIPart(bytes[position]) || bytes[position] >= 0x80 {
            position += 1
        }
        guard position > name, eat(">") else {
            throw invalid("expected a group name", at: name)
        }
    }

    mutating func eat(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] {
            return false
        }
        position += count
        return true
    }

    private mutating func repeatAtom(of group: inout Group) throws(Fault) {
        let start = position
        let (least, most) = try quantifier()
        _ = eat("?")
        guard let index = group.atom else {
            throw invalid("nothing to repeat", at: start)
        }
        let atom = Array(group.current[index...])
        group.current.removeSubrange(index...)
        group.atom = nil
        try checkLength(max(1, atom.count) > Pattern.maximumLength / max(1, max(least, most ?? 0)) ? .max : 0)
        for _ in 0..<least {
            group.current += atom
        }
        if let most {
            // Each optional repetition is nested in the one before it.
            for rest in stride(from: most - least, to: 0, by: -1) {
                group.current += [.split(1, rest * (atom.count + 1))] + atom
            }
        } else {
            group.current += [.split(1, atom.count + 2)] + atom + [.jump(-(atom.count + 1))]
        }
    }

    /// Reads a quantifier as the minimum and maximum number of repetitions; nil for no maximum.
    private mutating func quantifier() throws(Fault) -> (Int, Int?) {
        if eat("*") {
            return (0, nil)
        }
        if eat("+") {
            return (1, nil)
        }
        if eat("?") {
            return (0, 1)
        }
        let start = position
        position += 1
        guard let least = number() else {
            throw invalid("expected a number after '{'", at: start)
        }
        if eat("}") {
            return (least, least)
        }
        guard eat(",") else {
            throw invalid("'{' without '}'", at: start)
        }
        if eat("}") {
            return (least, nil)
        }
        guard let most = number(), eat("}") else {
            throw invalid("'{' without '}'", at: start)
        }
        guard most >= least else {
            throw invalid("the minimum of the repetition is greater than its maximum", at: start)
        }
        return (least, most)
    }

    /// Reads digits as a number. A number that is too large is replaced by one that exceeds every limit.
    private mutating func number() -> Int? {
        let start = position
        var value = 0
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            value = min(value * 10 + Int(bytes[position] - 0x30), 1 << 40)
            position += 1
        }
        return position > start ? value : nil
    }
}
