import Soups

/// Tracks which SELECT a token belongs to and which soups are in its FROM clause, so that columns of several soups can
/// be distinguished.
///
/// It recognizes only parentheses and the keywords that start clauses. If it cannot decide, the text is not changed,
/// and SQLite decides.
struct SelectScopes {
    /// One SELECT, with its tables.
    struct Scope {
        var parent: Int?
        var soups: [(table: Int64, alias: Range<Int>?)] = []
        /// The names and aliases of its other tables; nil for one without.
        var otherNames: [Range<Int>?] = []
        /// For the ORDER BY of several SELECTs: these SELECTs. SQLite looks for each term among their result columns.
        var ordered: [Int] = []

        var hasTables: Bool { !soups.isEmpty || !otherNames.isEmpty }
        /// Whether its only table is that of a soup.
        var isOneSoup: Bool { soups.count == 1 && otherNames.isEmpty }
    }

    private enum Paren { case select, tables, other }

    private struct Frame {
        var paren: Paren
        /// The SELECT that tokens in this frame belong to.
        var scope: Int?
        /// The outer SELECT, for a SELECT that starts here.
        var outer: Int?
        var readsTables = false
        var expectsTable = false
        /// Whether a table is expected in the place of the frame, or it has the arguments of a table.
        var isTable = false
        /// The offset of its parenthesis.
        var start = 0
        /// For tables in parentheses: whether they are the first in the outer list.
        var isFirst = false
        /// The number of tables in its list so far. `only` is the soup if it is the only table.
        var tableCount = 0
        var only: (scope: Int, soup: Int)?
        /// The SELECTs that it combines.
        var selects: [Int] = []
        /// Whether the tokens of the frame list the results of a SELECT.
        var listsResults = false
        /// The end of a name that was counted as a table. A dot after it makes it the name of a schema.
        var nameEnd: Int?
        /// The start of that dot.
        var schemaDot: Int?
    }

    /// SQLite's parser fails at about this depth.
    static let depthLimit = 200
    /// The maximum number of tables that SQLite joins.
    private static let tableLimit = 64

    private(set) var scopes: [Scope] = []
    private var frames = [Frame(paren: .other)]
    /// Whether the last token was the alias of a table.
    private(set) var hasReadAlias = false
    /// The table whose alias may follow.
    private var awaitsAlias: AwaitedAlias?

    private struct AwaitedAlias {
        let scope: Int
        /// Its index among the soups of the scope; nil for another table, the last of the scope.
        var soup: Int?
        var sawAs = false
    }

    /// The SELECT that the next token belongs to.
    var current: Int? { frames[frames.count - 1].scope }
    var depth: Int { frames.count - 1 }
    /// Whether the next token belongs to a SELECT outside of parentheses in it.
    var isInSelect: Bool { frames[frames.count - 1].paren == .select }
    /// Whether the next token belongs to the list of results of a SELECT, outside of parentheses in it.
    var listsResults: Bool { frames[frames.count - 1].listsResults }

    mutating func read(_ token: SQLToken, after previous: SQLToken, soup: Int64?) throws(Fault) {
        let top = frames.count - 1
        hasReadAlias = false
        if let waiting = awaitsAlias {
            if token.keyword == .as, !waiting.sawAs {
                awaitsAlias?.sawAs = true
                return
            }
            awaitsAlias = nil
            if token.isName, waiting.sawAs || !Self.followsTable(token) {
                name(waiting, token.start..<token.end)
                hasReadAlias = true
                return
            }
        }
        switch token.kind {
        case .open: try open(token, after: previous)
        case .close:
            // The text will be put in parentheses, which it must not close.
            guard frames.count > 1 else {
                throw Fault(.sqlError, "')' without '('", offset: token.start)
            }
            close(frames.removeLast())
        case .comma: frames[top].expectsTable = frames[top].readsTables
        case .reference where soup != nil:
            if previous.kind == .dot, frames[top].schemaDot == previous.start {
                uncountSchema()
            }
            table(soup)
        case .dot where frames[top].nameEnd == previous.end: frames[top].schemaDot = token.start
        case .word where token.keyword != nil && previous.kind != .dot: word(token, after: previous)
        default:
            if previous.kind == .dot, frames[top].schemaDot == previous.start, token.isName,
                let scope = frames[top].scope
            {
                // The name before was that of a schema.
                _ = scopes[scope].otherNames.popLast()
                noteOther(token.start..<token.end, in: scope)
            } else if frames[top].expectsTable, token.isName {
                table(nil, token.start..<token.end)
                frames[top].nameEnd = token.end
            }
        }
    }

    /// - Throws: `sqlError` if a parenthesis is still open.
    func finish() throws(Fault) {
        guard frames.count == 1 else {
            throw Fault(.sqlError, "'(' without ')'", offset: frames[frames.count - 1].start)
        }
    }

    private mutating func open(_ token: SQLToken, after previous: SQLToken) throws(Fault) {
        guard frames.count <= Self.depthLimit else {
            throw Fault(.sqlError, "parentheses are nested deeper than \(Self.depthLimit) levels", offset: token.start)
        }
        let top = frames.count - 1
        let frame = frames[top]
        frames[top].expectsTable = false
        if frame.expectsTable {
            frames[top].tableCount += 1
            frames[top].only = nil
        }
        // Instead of a table: a subquery, or joined tables in parentheses. The first word decides which.
        let paren: Paren = frame.expectsTable ? .tables : .other
        frames.append(
            Frame(
                paren: paren, scope: frame.scope, outer: frame.scope, readsTables: frame.expectsTable,
                expectsTable: frame.expectsTable, isTable: frame.expectsTable || frame.nameEnd == previous.end,
                start: token.start, isFirst: frame.tableCount == 0))
    }

    /// Notes the alias of a table.
    private mutating func name(_ waiting: AwaitedAlias, _ alias: Range<Int>) {
        if let soup = waiting.soup {
            scopes[waiting.scope].soups[soup].alias = alias
        } else if let last = scopes[waiting.scope].otherNames.indices.last {
            scopes[waiting.scope].otherNames[last] = alias
        }
    }

    /// A single table in parentheses has its alias after them. SQLite ignores an alias inside them, except at the start
    /// of a list.
    private mutating func close(_ frame: Frame) {
        guard frame.paren == .tables, frame.tableCount == 1, let (scope, soup) = frame.only else {
            if frame.isTable, let scope = frames[frames.count - 1].scope {
                noteOther(nil, in: scope)
            }
            return
        }
        if !frame.isFirst {
            scopes[scope].soups[soup].alias = nil
        }
        frames[frames.count - 1].only = frame.only
        awaitsAlias = AwaitedAlias(scope: scope, soup: soup)
    }

    private mutating func word(_ token: SQLToken, after previous: SQLToken) {
        let top = frames.count - 1
        switch token.keyword {
        case .select:
            leaveTables()
            frames[top].paren = .select
            scopes.append(Scope(parent: frames[top].outer))
            frames[top].scope = scopes.count - 1
            frames[top].selects.append(scopes.count - 1)
            frames[top].listsResults = true
            frames[top].readsTables = false
            frames[top].expectsTable = false
        case .with where frames[top].paren == .tables:
            leaveTables()
            frames[top].paren = .other
            frames[top].scope = frames[top].outer
            frames[top].readsTables = false
            frames[top].expectsTable = false
        case .order where frames[top].paren == .select && frames[top].selects.count > 1:
            scopes.append(Scope(parent: frames[top].outer, ordered: frames[top].selects))
            frames[top].scope = scopes.count - 1
            frames[top].listsResults = false
            frames[top].readsTables = false
            frames[top].expectsTable = false
        // `IS DISTINCT FROM` compares two values.
        case .from where previous.keyword != .distinct && frames[top].paren == .select:
            frames[top].listsResults = false
            frames[top].readsTables = true
            frames[top].expectsTable = true
            frames[top].tableCount = 0
        case .join where frames[top].readsTables: frames[top].expectsTable = true
        case let keyword? where keyword.endsTables:
            frames[top].listsResults = false
            frames[top].readsTables = false
            frames[top].expectsTable = false
        default: break
        }
    }

    /// - Parameter name: The name of a table that is not that of a soup.
    private mutating func table(_ soup: Int64?, _ name: Range<Int>? = nil) {
        let top = frames.count - 1
        guard frames[top].expectsTable, let scope = frames[top].scope else { return }
        frames[top].expectsTable = false
        frames[top].tableCount += 1
        frames[top].only = nil
        guard let soup else {
            return noteOther(name, in: scope)
        }
        guard scopes[scope].soups.count < Self.tableLimit else { return }
        scopes[scope].soups.append((soup, nil))
        frames[top].only = (scope, scopes[scope].soups.count - 1)
        awaitsAlias = AwaitedAlias(scope: scope, soup: scopes[scope].soups.count - 1)
    }

    /// Notes a table that is not that of a soup, whose alias may follow.
    private mutating func noteOther(_ name: Range<Int>?, in scope: Int) {
        guard scopes[scope].otherNames.count < Self.tableLimit else { return }
        scopes[scope].otherNames.append(name)
        awaitsAlias = AwaitedAlias(scope: scope)
    }

    /// Turns what began like tables in parentheses into a SELECT, which does not see the other tables of the FROM
    /// clause that it is in.
    private mutating func leaveTables() {
        let top = frames.count - 1
        guard frames[top].paren == .tables, let outer = frames[top].outer else { return }
        frames[top].outer = scopes[outer].parent
    }

    /// Takes back that the name of a schema was counted as a table. The table itself comes next.
    private mutating func uncountSchema() {
        let top = frames.count - 1
        guard let scope = frames[top].scope else { return }
        _ = scopes[scope].otherNames.popLast()
        frames[top].tableCount -= 1
        frames[top].expectsTable = true
    }

    /// Whether a word after a table is part of a join instead of the table's alias.
    private static func followsTable(_ token: SQLToken) -> Bool { token.keyword != nil && token.kind == .word }

    /// How an unqualified column of a soup in a SELECT must be qualified to refer to that soup.
    enum Qualifier {
        /// Not at all, because it is the only table, or because the right table is unknown.
        case none
        /// With the name of the table.
        case table
        /// With the alias at this range of the text.
        case alias(Range<Int>)
        /// By no name, because an inner SELECT gives the alias of the soup to another table.
        case hidden
    }

    /// - Parameter text: The Smart SQL text, which has the aliases.
    func qualifier(
        for table: Int64, in start: Int?, _ text: [UInt8]
    ) -> (qualifier: Qualifier, isAlone: Bool) {
        var next = start
        var innerAliases: [Range<Int>] = []
        /// The innermost SELECT with tables.
        var nearest: Scope?
        while let index = next {
            let scope = scopes[index]
            let found = scope.soups.filter { $0.table == table }
            if found.count > 1 {
                return (.none, false)
            }
            if let soup = found.first {
                if let alias = soup.alias, innerAliases.contains(where: { SQLName.areSame(text[$0], text[alias]) }) {
                    return (.hidden, false)
                }
                return (soup.alias.map(Qualifier.alias) ?? .table, index == start && scope.isOneSoup)
            }
            innerAliases += scope.soups.compactMap(\.alias) + scope.otherNames.compactMap(\.self)
            if nearest == nil, scope.hasTables {
                nearest = scope
            }
            next = scope.parent
        }
        // An unqualified column would be read from another soup.
        let isOfAnother = nearest.map { !$0.soups.isEmpty } ?? false
        return (isOfAnother ? .table : .none, false)
    }

    /// For a scope that is the ORDER BY of several SELECTs: those with the soup in FROM.
    func orderedSelects(_ scope: Int?, having table: Int64) -> [Int] {
        guard let scope else { return [] }
        return scopes[scope].ordered.filter { select in scopes[select].soups.contains { $0.table == table } }
    }
}
