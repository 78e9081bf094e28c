import OData
import Soups

/// Finds what the indexes of a soup tell about the conditions of a filter.
struct ConjunctPlanner {
    let filter: ODataEvaluator
    let soup: RegisteredSoup
    /// Whether conditions are tested on each row of a walk over the table: only columns are read then, and no index is
    /// used.
    let walks: Bool

    /// The maximum number of arms of an `or`.
    static let maximumArms = 1_000

    var expression: ODataExpression { filter.expression }
    private var version: ODataVersion { expression.version }

    func kind(_ node: Int) -> ExpressionNode.Kind { expression.nodes[node].kind }

    /// The bounds of a condition; nil if nothing is known about it.
    func bounds(_ node: Int) -> Bounds? {
        let children = expression.children(of: node)
        switch kind(node) {
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual:
            return comparison(kind(node), children[0], children[1])
        case .in: return list(children[0], children[1])
        case .not: return negated(children[0])
        case .and, .or:
            let arms = arms(of: node)
            guard arms.count <= Self.maximumArms else { return nil }
            return Self.limited(kind(node) == .or ? any(arms.map(bounds)) : all(arms.map(bounds)))
        case .call: return call(node)
        case .path: return cell(node)?.boolean(true)
        default: return nil
        }
    }

    /// The operands of a chain of one operator, without those in parentheses on the right.
    func arms(of node: Int) -> [Int] {
        let operation = kind(node)
        var arms: [Int] = []
        var current = node
        while kind(current) == operation {
            let children = expression.children(of: current)
            arms.append(children[1])
            current = children[0]
        }
        arms.append(current)
        return arms.reversed()
    }

    private func any(_ arms: [Bounds?]) -> Bounds? {
        let known = arms.compactMap { $0 }
        guard known.count == arms.count, known.allSatisfy(\.narrows) else { return nil }
        return .any(known)
    }

    private func all(_ arms: [Bounds?]) -> Bounds? {
        guard arms.contains(where: { $0 != nil }) else { return nil }
        return .all(arms.map { $0 ?? .unknown })
    }

    /// Bounds that are not too large and not too deep to be written.
    ///
    /// The opposite of a condition has its candidates twice, and so does an `or` what it proves: conditions inside each
    /// other would double their bounds with each level.
    private static func limited(_ bounds: Bounds?) -> Bounds? {
        guard let bounds, isWritable(bounds.candidate) else { return nil }
        return isWritable(bounds.sure) ? bounds : bounds.withoutProof
    }

    private static func isWritable(_ condition: SQLCondition) -> Bool {
        condition.testCount <= maximumTests && condition.depth <= maximumDepth
    }

    /// The maximum number of tests of either bound of a condition inside another one.
    private static let maximumTests = 4 * FilterPlan.maximumTests

    /// The maximum depth of either bound. The parser of SQLite has room for 100 symbols that wait for others, and puts
    /// there three for each pair of parentheses.
    private static let maximumDepth = 14

    // MARK: - Negation

    /// Whether a condition is true or false for every row, and never null.
    func isTwoValued(_ node: Int) -> Bool {
        switch kind(node) {
        case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual, .in, .any, .all: true
        case .and, .or: !version.isV4 || arms(of: node).allSatisfy(isTwoValued)
        case .not: isTwoValued(expression.children(of: node)[0])
        default: false
        }
    }

    private func negated(_ node: Int) -> Bounds? { Self.limited(opposite(node)) }

    private func opposite(_ node: Int) -> Bounds? {
        if isTwoValued(node) {
            return bounds(node)?.opposite
        }
        switch kind(node) {
        case .not: return bounds(expression.children(of: node)[0])
        case .and, .or:
            // Up to version 3.0 these are never null.
            let arms = arms(of: node)
            guard arms.count <= Self.maximumArms else { return nil }
            return kind(node) == .and ? any(arms.map(negated)) : all(arms.map(negated))
        case .path: return cell(node)?.boolean(false)
        case .call:
            guard let bounds = bounds(node), let cell = searched(node)?.cell else { return nil }
            // The function of null is null, and so is its opposite.
            var opposite = bounds.opposite
            opposite.sure = .all([opposite.sure, cell.isText])
            return opposite
        default: return nil
        }
    }

    // MARK: - Conditions of one path

    private func comparison(_ operation: ExpressionNode.Kind, _ left: Int, _ right: Int) -> Bounds? {
        if let cell = cell(left), let value = constant(right) {
            return comparison(operation, cell, value)
        }
        guard let cell = cell(right), let value = constant(left) else { return nil }
        let flipped: ExpressionNode.Kind =
            switch operation {
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            default: operation
            }
        return comparison(flipped, cell, value)
    }

    private func comparison(_ operation: ExpressionNode.Kind, _ cell: Cell, _ value: ODataValue) -> Bounds? {
        if case .null = value {
            return operation == .equal
                ? cell.equalsNull() : operation == .notEqual ? cell.differsFromNull() : nil
        }
        guard operation != .notEqual else {
            return comparison(.equal, cell, value)?.opposite
        }
        switch value {
        case .string(let text): return cell.text(operation, text)
        case .boolean(let flag): return operation == .equal ? cell.boolean(flag) : nil
        case .guid(let guid): return operation == .equal ? cell.guid(guid) : nil
        case .date(let date): return cell.date(operation, date)
        case .dateTimeOffset(let instant): return cell.instant(operation, instant)
        case .dateTime(let date): return cell.dateTime(operation, date)
        case .timeOfDay(let time): return cell.timeOfDay(operation, time)
        default: return cell.number(operation, value)
        }
    }

    private func list(_ path: Int, _ list: Int) -> Bounds? {
        guard kind(list) == .list, let cell = cell(path) else { return nil }
        var texts: [String] = []
        var numbers: [ODataValue] = []
        var others: [ODataValue] = []
        for member in expression.children(of: list) {
            guard let value = constant(member) else { return nil }
            if case .string(let text) = value {
                texts.append(text)
            } else if IndexedNumber(value) != nil {
                numbers.append(value)
            } else {
                others.append(value)
            }
        }
        guard others.count <= Self.maximumArms else { return nil }
        var arms: [Bounds?] = others.map { comparison(.equal, cell, $0) }
        if !texts.isEmpty {
            arms.append(cell.texts(texts))
        }
        if !numbers.isEmpty {
            arms.append(cell.numbers(numbers))
        }
        return arms.count == 1 ? arms[0] : arms.isEmpty ? nil : any(arms)
    }

    private func call(_ node: Int) -> Bounds? {
        guard let searched = searched(node) else { return nil }
        return searched.cell.search(searched.function, searched.part)
    }

    /// The cell of a call that looks for a text in the value of a path.
    private func searched(_ node: Int) -> (cell: Cell, function: CanonicalFunction, part: String)? {
        guard let function = expression.function(of: node) else { return nil }
        let children = expression.children(of: node)
        let (path, part): (Int, Int)
        switch function {
        case .contains, .startswith, .endswith: (path, part) = (children[0], children[1])
        case .substringof: (path, part) = (children[1], children[0])
        default: return nil
        }
        guard let cell = cell(path), case .string(let text)? = constant(part) else { return nil }
        return (cell, function, text)
    }

    // MARK: - Operands

    /// The value of a node that is known before any row is read.
    func constant(_ node: Int) -> ODataValue? {
        switch kind(node) {
        case .literal: return filter.literals[node]
        case .null: return .null
        case .call where expression.function(of: node) == .now: return .dateTimeOffset(filter.now)
        case .alias:
            guard let alias = filter.aliases[ByteKey(expression.text(of: node))] else { return nil }
            let root = alias.expression.root
            switch alias.expression.nodes[root].kind {
            case .literal: return alias.literals[root]
            case .null: return .null
            default: return nil
            }
        default: return nil
        }
    }

    /// The cell of an indexed path, or of a member that is a column of every row.
    func cell(_ node: Int) -> Cell? {
        guard kind(node) == .path, filter.slots[node] < 0 else { return nil }
        let children = expression.children(of: node)
        guard children.allSatisfy({ kind($0) == .name }) else { return nil }
        let names = expression.segments(of: node)
        guard names.allSatisfy({ !$0.utf8.contains(where: Self.isSpecial) }) else { return nil }
        let path = names.joined(separator: ".")
        let type = filter.types[node]
        func cell(_ kind: Cell.Kind) -> Cell {
            Cell(
                sql: "\(walks ? "+" : ""){\(soup.name):\(path)}", kind: kind, path: path, isNested: names.count > 1,
                type: type)
        }
        if path == "_soupEntryId" || path == "_soupLastModifiedDate" {
            return cell(.row)
        }
        switch soup.indexSpec(for: path)?.type {
        case .string, .fullText: return cell(.text)
        case .integer, .floating: return cell(.number)
        case .json1: return walks ? nil : cell(.json)
        case nil: return nil
        }
    }

    /// Whether a byte in a name keeps it from being the name of an index.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
