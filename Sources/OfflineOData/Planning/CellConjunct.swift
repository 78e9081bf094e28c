import OData
import Soups

extension ConjunctPlanner {
    /// The cell of the text index of the only path that a condition is about; nil for any other condition. Where the
    /// cell is plain, the condition can be evaluated on it.
    func onlyTextCell(of condition: Int) -> Cell? {
        var found: Cell?
        // A list instead of recursion, because a chain is as deep as it is long.
        var open = [condition]
        while let node = open.popLast() {
            switch kind(node) {
            case .path:
                guard let cell = cell(node), cell.kind == .text,
                    found.map({ ByteKey($0.sql) == ByteKey(cell.sql) }) ?? true
                else { return nil }
                found = cell
            case .alias:
                guard constant(node) != nil else { return nil }
            case .cast, .isof:
                let children = expression.children(of: node)
                guard children.count == 2 else { return nil }
                open.append(children[0])
            case .null, .literal, .list, .not, .negate, .call, .conditional, .branch, .or, .and, .equal, .notEqual,
                .greater, .greaterOrEqual, .less, .lessOrEqual, .add, .subtract, .multiply, .divide, .divideBy,
                .modulo, .has, .in:
                open += expression.children(of: node)
            case .name, .keySegment, .functionSegment, .filterSegment, .argument, .any, .all, .array, .object, .member,
                .it, .count:
                return nil
            }
        }
        return found
    }
}

/// The cells that a statement reads so that conditions can be evaluated on them.
struct TextCells: Sendable {
    /// The cells in Smart SQL.
    private(set) var columns: [String] = []

    /// The path of a cell and its number among the columns, to which it is added.
    mutating func add(_ cell: Cell) -> CellPath {
        let number = columns.firstIndex { ByteKey($0) == ByteKey(cell.sql) } ?? columns.count
        if number == columns.count {
            columns.append(cell.sql)
        }
        return CellPath(cell.path.dottedNames, number: number)
    }
}
