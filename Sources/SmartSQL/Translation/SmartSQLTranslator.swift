import Soups

/// Translates a Smart SQL text to SQL in one pass. O(n) in the length of the text, plus lookups of paths in the soups'
/// specs.
///
/// The result is the same text as that of Mobile SDK, byte for byte. If that text would be ambiguous or refer to the
/// wrong table (a json1 path in a join or a correlated subquery, an aliased soup), edits are collected that produce the
/// SQL that runs. Source: guide, Smart SQL Queries.
struct SmartSQLTranslator {
    let bytes: [UInt8]
    private let soups: SoupLookup
    private var lexer: SQLLexer
    private(set) var scopes = SelectScopes()
    private var statement = StatementShape()
    private var parameters = ParameterCount()

    private(set) var output: [UInt8] = []
    private var map = OffsetMap()
    private var namesSoup = false
    /// The offset up to which the text was copied to the output.
    private var copied = 0
    /// The offset in the output of the name that may qualify the next reference: `alias` in `alias.{soup:path}`.
    private var chain: Int?
    var columns: [UnqualifiedColumn] = []
    var externalEdits: [TextEdit] = []
    /// Whether the text reads entries that are kept in files.
    var readsExternalEntries = false
    private var externalOrder = ExternalOrder()
    /// The names that the text gives to entries in files, and whether the next token is one.
    var externalNames: [Range<Int>] = []
    var awaitsExternalName = false
    /// The token before that name.
    private var beforeChain = SQLToken(kind: .end, start: 0, end: 0)
    /// Whether the text combines several SELECTs, so that a column may hold values of several kinds.
    private var isCompound = false
    /// The end of the last token of the statement, in the output.
    private var bodyEnd = 0

    /// An unqualified column, which is checked again when all tables are known.
    struct UnqualifiedColumn {
        var scope: Int?
        var table: Int64
        var offset: Int
        /// The length of `TABLE_n` before a special column, which an alias replaces; 0 for an expression over `soup`,
        /// before which an alias is inserted.
        var tableLength: Int
        /// The reference in the Smart SQL text.
        var source: Range<Int>
        /// Whether it is a result of its SELECT as it is, and not a part of an expression.
        var isResult: Bool
    }

    /// A reference that is a result of a SELECT.
    private struct ScopedReference: Hashable {
        var scope: Int
        var text: ArraySlice<UInt8>
    }

    init(_ text: String, catalogue: any SoupCatalogue, permissive: Bool) {
        bytes = Array(text.utf8)
        soups = SoupLookup(catalogue: catalogue, permissive: permissive)
        lexer = SQLLexer(bytes)
        output.reserveCapacity(bytes.count * 3 / 2)
        map.reserve(bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : 0) })
    }

    /// The maximum number of bytes that SQLite accepts.
    private static let lengthLimit = 1_000_000_000

    mutating func translate() throws(Fault) -> TranslatedQuery {
        guard bytes.count <= Self.lengthLimit else {
            throw Fault(.sqlError, "the text is longer than \(Self.lengthLimit) bytes")
        }
        var soups = soups
        var previous = SQLToken(kind: .end, start: 0, end: 0)
        var token = try lexer.next()
        while token.kind != .end {
            try refuseMatch(token, after: previous)
            try statement.read(token, depth: scopes.depth)
            isCompound = isCompound || (token.keyword?.joinsSelects ?? false)
            let next = try lexer.next()
            if token.kind == .parameter {
                try parameters.read(bytes[token.start..<token.end], at: token.start)
            }
            if token.kind == .reference {
                try reference(token, previous: previous, next: next, &soups)
            } else {
                try scopes.read(token, after: previous, soup: nil)
                name(token, previous: previous)
                try refuseExternalName(token, after: previous, next)
            }
            try externalOrder.read(token, after: previous, next, in: scopes, bytes)
            if token.kind != .semicolon {
                bodyEnd = output.count + (token.end - copied)
            }
            previous = token
            token = next
        }
        try statement.finish(at: bytes.count)
        try scopes.finish()
        output += bytes[copied...]
        return try result(soups)
    }

    // MARK: - Tokens

    /// MATCH is an operator, unless it is at a position where only a name is possible.
    private func refuseMatch(_ token: SQLToken, after previous: SQLToken) throws(Fault) {
        guard token.keyword == .match, previous.kind != .dot, previous.keyword != .as else {
            return
        }
        throw Fault(
            .matchInSmartSQL, "MATCH is not supported in Smart SQL; use a query spec of kind match", offset: token.start
        )
    }

    /// Records the start of a qualifying name.
    private mutating func name(_ token: SQLToken, previous: SQLToken) {
        switch token.kind {
        case .word, .quotedName, .string:
            if spellsSoup(token) {
                namesSoup = true
            }
            if previous.kind != .dot || chain == nil {
                chain = output.count + (token.start - copied)
                beforeChain = previous
            }
        case .dot: break
        default: chain = nil
        }
    }

    private mutating func reference(
        _ token: SQLToken, previous: SQLToken, next: SQLToken, _ soups: inout SoupLookup
    ) throws(Fault) {
        let target = try soups.resolve(bytes[token.start..<token.end], at: token.start)
        output += bytes[copied..<token.start]
        copied = token.end
        let isQualified = previous.kind == .dot && chain != nil
        let before = isQualified ? beforeChain : previous
        let isResult = scopes.listsResults && isWhole(between: before, next)
        switch target.kind {
        case .table:
            try scopes.read(token, after: previous, soup: next.kind == .dot ? nil : target.soup)
            if !isQualified {
                chain = output.count
                beforeChain = previous
            }
            write(target.table, for: token)
            return
        case .column: write(target.text, for: token)
        case .special:
            if !isQualified {
                columns.append(
                    UnqualifiedColumn(
                        scope: scopes.current, table: target.soup, offset: output.count,
                        tableLength: target.table.count, source: token.start..<token.end, isResult: isResult))
            }
            write(isQualified ? target.text : target.table + [UInt8(ascii: ".")] + target.text, for: token)
        case .externalEntry:
            let isNamed = try namesExternalEntry(token, isResult: isResult, next)
            externalOrder.noteEntry(in: scopes)
            writeExternalEntry(
                target, for: token, isQualified: isQualified, isResult: isResult, isNamed: isNamed)
        case .expression: write(expression: target, for: token, isQualified: isQualified, isResult: isResult)
        }
        // A column says nothing about the scopes.
        chain = nil
    }

    /// Whether a reference in a list of results is a whole item, with or without a name after it.
    private func isWhole(between previous: SQLToken, _ next: SQLToken) -> Bool {
        let isFirst =
            previous.kind == .comma || previous.keyword == .select || previous.keyword == .distinct
            || previous.spells("all", in: bytes)
        let isLast = [.comma, .close, .semicolon, .end].contains(next.kind) || next.isName
        return isFirst && isLast
    }

    mutating func write(_ text: [UInt8], for token: SQLToken) {
        let start = output.count
        output += text
        map.append(start..<output.count, from: token.start..<token.end)
    }

    private static let head = Array(JSONExtract.head.utf8)

    /// Writes `json_extract(soup, ...)`, with a qualifier moved into the parentheses: `e.{s:p}` becomes
    /// `json_extract(e.soup, ...)`.
    private mutating func write(
        expression target: SoupLookup.Target, for token: SQLToken, isQualified: Bool, isResult: Bool
    ) {
        guard let chain, isQualified else {
            columns.append(
                UnqualifiedColumn(
                    scope: scopes.current, table: target.soup, offset: output.count + Self.head.count, tableLength: 0,
                    source: token.start..<token.end, isResult: isResult))
            write(Self.head + target.text, for: token)
            return
        }
        output.insert(contentsOf: Self.head, at: chain)
        map.insert(Self.head.count, at: chain)
        write(target.text, for: token)
    }

    /// Removes the qualifier with its dot from the output and returns it.
    mutating func takeChain() -> String {
        guard let chain else {
            return ""
        }
        let text = String(decoding: output[chain...], as: UTF8.self)
        output.removeSubrange(chain...)
        map.removeAll(from: chain)
        return text
    }

    /// Whether a name in the text could become the name of an output column that would be mistaken for an entry.
    private func spellsSoup(_ token: SQLToken) -> Bool {
        let start = token.kind == .word ? token.start : token.start + 1
        guard start + 4 <= token.end else { return false }
        return zip(bytes[start..<(start + 4)], [0x73, 0x6F, 0x75, 0x70] as [UInt8]).allSatisfy { $0 | 0x20 == $1 }
    }

    // MARK: - Result

    private func aliases(_ soups: SoupLookup) -> [(alias: String, soupName: String)] {
        scopes.scopes.flatMap { scope in
            scope.soups.compactMap { soup in
                guard let range = soup.alias, let name = soups.name(ofTable: soup.table) else {
                    return nil
                }
                // SQLite prints names in query plans without quotes.
                return (String(decoding: SQLName.unquoted(bytes[range]), as: UTF8.self), name)
            }
        }
    }

    private func result(_ soups: SoupLookup) throws(Fault) -> TranslatedQuery {
        var edits: [TextEdit] = []
        // Where ORDER BY sorts the rows of several SELECTs, a term is that of the first one with this result.
        lazy var given = Set(
            columns.filter(\.isResult).compactMap { column in
                column.scope.map { ScopedReference(scope: $0, text: bytes[column.source]) }
            })
        for column in columns {
            let selects = scopes.orderedSelects(column.scope, having: column.table)
            let select = selects.first { given.contains(ScopedReference(scope: $0, text: bytes[column.source])) }
            let scope = select ?? selects.first ?? column.scope
            let (qualifier, isOnlyTable) = scopes.qualifier(for: column.table, in: scope, bytes)
            // The same text may be another result column of another SELECT.
            let isAlone = isOnlyTable && selects.isEmpty
            switch qualifier {
            case .none: break
            case .hidden:
                throw Fault(
                    .sqlError, "an inner table has the alias of the soup of this path; give one of them another alias",
                    offset: column.source.lowerBound)
            case .table where column.tableLength == 0 && !isAlone:
                edits.append(
                    TextEdit(offset: column.offset, removed: 0, text: Array("\(SoupTableName(column.table)).".utf8)))
            case .table: break
            case .alias(let range) where column.tableLength > 0:
                edits.append(TextEdit(offset: column.offset, removed: column.tableLength, text: Array(bytes[range])))
            case .alias(let range) where !isAlone:
                edits.append(
                    TextEdit(offset: column.offset, removed: 0, text: Array(bytes[range]) + [UInt8(ascii: ".")]))
            case .alias: break
            }
        }
        if !externalEdits.isEmpty {
            edits = (edits + externalEdits).sorted { $0.offset < $1.offset }
        }
        var body: [UInt8]?
        if !edits.isEmpty || bodyEnd < output.count {
            body = TextEdit.apply(edits, to: output[..<bodyEnd])
        }
        return TranslatedQuery(
            sql: output, body: body, map: map.applying(edits), parameters: parameters, soupNames: soups.names,
            aliases: aliases(soups),
            definedTables: statement.definitions.map {
                String(decoding: SQLName.unquoted(bytes[$0]), as: UTF8.self)
            },
            onlyReferencesNameEntries: !namesSoup && !isCompound, readsExternalEntries: readsExternalEntries)
    }
}
