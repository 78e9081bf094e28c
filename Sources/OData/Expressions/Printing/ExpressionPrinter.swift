import StepCounting

/// Writes an expression in canonical form: one space around operators, no space inside parentheses or after commas,
/// only the parentheses that precedence requires, lower-case words, and literals in canonical form. Parsing the result
/// gives the same tree.
struct ExpressionPrinter {
    let expression: ODataExpression
    var output: [UInt8] = []
    /// Whether literals are shown as `?`.
    var hidesLiterals = false
    /// The offset in the output at which the path that was written last ends, if it is a single name; -1 otherwise.
    private var endOfName = -1

    init(_ expression: ODataExpression) {
        self.expression = expression
        output.reserveCapacity(expression.source.count)
    }

    private func node(_ index: Int) -> ExpressionNode { expression.nodes[index] }

    mutating func write(_ index: Int) {
        // A chain on the left side is followed in a loop, not by recursion. Its opening parentheses are written on the
        // way down.
        var spine: [(node: Int, isBracketed: Bool)] = []
        var current = index
        while node(current).kind.isBinaryOperator {
            let left = Int(node(current).first)
            let isBracketed = node(left).kind.precedence < node(current).kind.precedence
            spine.append((current, isBracketed))
            if isBracketed {
                put("(")
            }
            current = left
        }
        writeOther(current)
        for (operation, isBracketed) in spine.reversed() {
            if isBracketed {
                put(")")
            }
            put(" ")
            put(node(operation).kind.operatorName)
            put(" ")
            let right = Int(node(Int(node(operation).first)).next)
            write(right, inBrackets: node(right).kind.precedence <= node(operation).kind.precedence)
        }
    }

    private mutating func write(_ index: Int, inBrackets: Bool) {
        StepCounter.add()
        if inBrackets {
            put("(")
        }
        write(index)
        if inBrackets {
            put(")")
        }
    }

    private mutating func writeOther(_ index: Int) {
        let children = expression.children(of: index)
        switch node(index).kind {
        case .literal where hidesLiterals: put("?")
        case .literal: writeLiteral(index)
        case .path where !children.isEmpty: join(children, "/") { $0.writeSegment($1) }
        case .call:
            put(expression.function(of: index)?.name ?? "")
            bracketed(children)
        case .any, .all: writeLambda(index, children)
        case .list: bracketed(children)
        case .array:
            put("[")
            join(children, ",") { $0.write($1) }
            put("]")
        case .object: writeObject(children)
        case .not:
            put("not ")
            let isLoose = node(children[0]).kind.precedence < node(index).kind.precedence
            write(children[0], inBrackets: isLoose || startsWithOperatorName(children[0]))
        case .negate: writeNegation(children[0])
        case .cast, .isof: writeTypeFunction(index, children)
        case .conditional:
            put("case(")
            join(children, ",") { $0.writeBranch($1) }
            put(")")
        case .count: writeCount(children)
        default:
            putText(of: index)
            endOfName = node(index).kind == .path ? output.count : -1
        }
    }

    private mutating func writeLambda(_ index: Int, _ children: [Int]) {
        write(children[0])
        put(node(index).kind == .any ? "/any(" : "/all(")
        if children.count == 3 {
            putText(of: children[1])
            put(":")
            write(children[2])
        }
        put(")")
    }

    private mutating func writeObject(_ members: [Int]) {
        put("{")
        join(members, ",") {
            $0.putText(of: $1)
            $0.put(":")
            $0.write(Int($0.node($1).first))
        }
        put("}")
    }

    private mutating func writeTypeFunction(_ index: Int, _ children: [Int]) {
        put(node(index).kind == .cast ? "cast(" : "isof(")
        for operand in children.dropLast() {
            write(operand)
            put(",")
        }
        let quote = expression.version.isV4 ? "" : "'"
        put(quote)
        putText(of: children[children.count - 1])
        put(quote + ")")
    }

    private mutating func writeCount(_ children: [Int]) {
        write(children[0])
        put("/$count")
        if children.count == 2 {
            put("($filter=")
            write(children[1])
            put(")")
        }
    }

    /// Whether the text of an operand starts with a property that has the name of an operator. After `not` such a name
    /// would be read as the operator, and `not` as a property.
    private func startsWithOperatorName(_ index: Int) -> Bool {
        var first = index
        while node(first).kind.isBinaryOperator {
            let left = Int(node(first).first)
            guard node(left).kind.precedence >= node(first).kind.precedence else {
                return false
            }
            first = left
        }
        return node(first).kind == .path && node(first).first < 0
            && ExpressionLexer.isOperator(expression.bytes(of: first), version: expression.version)
    }

    /// Writes a condition and its value. A digit on both sides of the colon could be read as a time, so a space
    /// separates them.
    private mutating func writeBranch(_ index: Int) {
        let parts = expression.children(of: index)
        write(parts[0])
        let isDigit = output.last.map { $0 &- 0x30 < 10 } ?? false
        put(":")
        let start = output.count
        write(parts[1])
        if isDigit, start < output.count, output[start] &- 0x30 < 10 {
            output.insert(0x20, at: start)
        }
    }

    /// Writes a minus. Before a digit it is followed by a space, because it would become part of the literal otherwise.
    private mutating func writeNegation(_ operand: Int) {
        put("-")
        let start = output.count
        write(operand, inBrackets: node(operand).kind.precedence < ExpressionNode.Kind.negate.precedence)
        guard start < output.count else { return }
        let first = output[start]
        let isInfinity = output[start...].starts(with: "INF".utf8)
        if first &- 0x30 < 10 || isInfinity {
            output.insert(0x20, at: start)
        }
    }

    private mutating func writeSegment(_ index: Int) {
        let children = expression.children(of: index)
        switch node(index).kind {
        case .filterSegment:
            put("$filter(")
            write(children[0])
            put(")")
            if children.count > 1 {
                writeValues(children.dropFirst())
            }
        case .keySegment, .functionSegment:
            if node(children[0]).kind == .functionSegment {
                writeSegment(children[0])
            } else {
                putText(of: children[0])
            }
            writeValues(children.dropFirst())
        default: putText(of: index)
        }
    }

    private mutating func writeValues(_ values: ArraySlice<Int>) {
        put("(")
        join(Array(values), ",") {
            if $0.node($1).kind == .argument {
                $0.putText(of: $1)
                $0.put("=")
                $0.write(Int($0.node($1).first))
            } else {
                $0.write($1)
            }
        }
        put(")")
    }

    /// Puts a property with the name `not` at the end of the output in brackets. Before a word it would be read as the
    /// operator.
    mutating func bracketNot() {
        let start = output.count - 3
        guard endOfName == output.count, start >= 0,
            output[start...].elementsEqual("not".utf8, by: { $0 | 0x20 == $1 }),
            start == 0 || !(Identifier.isASCIIPart(output[start - 1]) || output[start - 1] >= 0x80)
        else {
            return
        }
        output.insert(UInt8(ascii: "("), at: start)
        output.append(UInt8(ascii: ")"))
    }

    private mutating func bracketed(_ children: [Int]) {
        put("(")
        join(children, ",") { $0.write($1) }
        put(")")
    }

    private mutating func join(_ items: [Int], _ separator: String, _ body: (inout Self, Int) -> Void) {
        for (position, item) in items.enumerated() {
            if position > 0 {
                put(separator)
            }
            body(&self, item)
        }
    }

    mutating func put(_ text: String) {
        StepCounter.add(1 + text.utf8.count)
        output.append(contentsOf: text.utf8)
    }

    mutating func putText(of index: Int) {
        StepCounter.add(1 + expression.nodes[index].range.count)
        output.append(contentsOf: expression.bytes(of: index))
    }
}

extension ODataExpression {
    /// The expression in canonical form: only the parentheses that precedence requires, and one space between words.
    public var canonicalText: String {
        var printer = ExpressionPrinter(self)
        printer.write(root)
        return String(decoding: printer.output, as: UTF8.self)
    }

    /// The expression in canonical form, before a word that is not part of it, such as `desc`.
    var canonicalTextBeforeWord: String {
        var printer = ExpressionPrinter(self)
        printer.write(root)
        printer.bracketNot()
        return String(decoding: printer.output, as: UTF8.self)
    }
}
