import Soups

/// Reads a Smart SQL text once and writes the SQL for it. Linear in the text, but for looking up the paths in the
/// soups' specs.
///
/// What is written is the text as Mobile SDK would translate it, byte for byte. Where that text would be ambiguous or
/// name the wrong table (a json1 path in a join or a correlated sub-query, an aliased soup), edits are collected that
/// make the SQL that runs. Source: guide, Smart SQL Queries; BUG-11, BUG-26 to BUG-29.
struct SmartSQLTranslator {
    private let bytes: [UInt8]
    private let soups: SoupLookup
    private var lexer: SQLLexer
    private var scopes = SelectScopes()
    private var statement = StatementShape()
    private var parameters = ParameterCount()

    private var output: [UInt8] = []
    private var map = OffsetMap()
    private var namesSoup = false
    /// How much of the text is written out.
    private var copied = 0
    /// Where in the output the name began that may qualify what follows: `alias` of `alias.{soup:path}`.
    private var chain: Int?
    private var columns: [UnqualifiedColumn] = []
    /// The end of the last token of the statement, in the output.
    private var bodyEnd = 0

    /// A column written without a qualifier, to be looked at again when all tables are known.
    private struct UnqualifiedColumn {
        var scope: Int?
        var table: Int64
        var place: Int
        /// `TABLE_n` of a special column, to be replaced by an alias; 0 bytes for an expression over `soup`, to be put
        /// before that word.
        var tableLength: Int
    }

    init(_ text: String, catalogue: any SoupCatalogue, permissive: Bool) {
        bytes = Array(text.utf8)
        soups = SoupLookup(catalogue: catalogue, permissive: permissive)
        lexer = SQLLexer(bytes)
        output.reserveCapacity(bytes.count * 3 / 2)
        map.reserve(bytes.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : 0) })
    }

    /// As many bytes as SQLite reads.
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
            let next = try lexer.next()
            if token.kind == .parameter {
                try parameters.read(bytes[token.start..<token.end], at: token.start)
            }
            if token.kind == .reference {
                try reference(token, previous: previous, next: next, &soups)
            } else {
                try scopes.read(token, after: previous, soup: nil)
                name(token, previous: previous)
            }
            if token.kind != .semicolon {
                bodyEnd = output.count + (token.end - copied)
            }
            previous = token
            token = next
        }
        try statement.finish(at: bytes.count)
        try scopes.finish()
        output += bytes[copied...]
        return result(soups)
    }

    // MARK: - Tokens

    /// MATCH is an operator unless it stands where only a name can.
    private func refuseMatch(_ token: SQLToken, after previous: SQLToken) throws(Fault) {
        guard token.keyword == .match, previous.kind != .dot, previous.keyword != .as else {
            return
        }
        throw Fault(
            .matchInSmartSQL, "MATCH is not supported in Smart SQL; use a query spec of kind match", offset: token.start
        )
    }

    /// Remembers where a qualifying name begins.
    private mutating func name(_ token: SQLToken, previous: SQLToken) {
        switch token.kind {
        case .word, .quotedName, .string:
            if spellsSoup(token) {
                namesSoup = true
            }
            if previous.kind != .dot || chain == nil {
                chain = output.count + (token.start - copied)
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
        switch target.kind {
        case .table:
            try scopes.read(token, after: previous, soup: next.kind == .dot ? nil : target.soup)
            if !isQualified {
                chain = output.count
            }
            write(target.table, for: token)
            return
        case .column: write(target.text, for: token)
        case .special:
            if !isQualified {
                columns.append(
                    UnqualifiedColumn(
                        scope: scopes.current, table: target.soup, place: output.count, tableLength: target.table.count)
                )
            }
            write(isQualified ? target.text : target.table + [UInt8(ascii: ".")] + target.text, for: token)
        case .externalEntry:
            // Two columns, as in 7.1: the reader loads the file of that table and id.
            let table = String(decoding: target.table, as: UTF8.self)
            let id = isQualified ? takeChain() + "id" : table + ".id"
            write(Array("'\(table)' as 'externalStorage', \(id) as '_soupEntryId'".utf8), for: token)
        case .expression: write(expression: target, for: token, isQualified: isQualified)
        }
        try scopes.read(token, after: previous, soup: nil)
        chain = nil
    }

    private mutating func write(_ text: [UInt8], for token: SQLToken) {
        let start = output.count
        output += text
        map.append(start..<output.count, from: token.start..<token.end)
    }

    private static let head = Array(JSONExtract.head.utf8)

    /// Writes `json_extract(soup, ...)`, a qualifier drawn into the parentheses: `e.{s:p}` becomes
    /// `json_extract(e.soup, ...)`.
    private mutating func write(expression target: SoupLookup.Target, for token: SQLToken, isQualified: Bool) {
        guard let chain, isQualified else {
            columns.append(
                UnqualifiedColumn(
                    scope: scopes.current, table: target.soup, place: output.count + Self.head.count, tableLength: 0))
            write(Self.head + target.text, for: token)
            return
        }
        output.insert(contentsOf: Self.head, at: chain)
        map.insert(Self.head.count, at: chain)
        write(target.text, for: token)
    }

    /// Takes the qualifier with its dot out of the output.
    private mutating func takeChain() -> String {
        guard let chain else {
            return ""
        }
        let text = String(decoding: output[chain...], as: UTF8.self)
        output.removeSubrange(chain...)
        map.removeAll(from: chain)
        return text
    }

    /// Whether a name written in the text could become that of an output column which is taken for an entry.
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
                // SQLite's plans print a name without its quotes.
                let quotes = Array("'\"`[]".utf8)
                return (String(decoding: bytes[range].filter { !quotes.contains($0) }, as: UTF8.self), name)
            }
        }
    }

    private func result(_ soups: SoupLookup) -> TranslatedQuery {
        var edits: [TextEdit] = []
        for column in columns {
            let (qualifier, isAlone) = scopes.qualifier(for: column.table, in: column.scope)
            switch qualifier {
            case .none: break
            case .table where column.tableLength == 0 && !isAlone:
                edits.append(TextEdit(place: column.place, removed: 0, text: Array("TABLE_\(column.table).".utf8)))
            case .table: break
            case .alias(let range) where column.tableLength > 0:
                edits.append(TextEdit(place: column.place, removed: column.tableLength, text: Array(bytes[range])))
            case .alias(let range) where !isAlone:
                edits.append(TextEdit(place: column.place, removed: 0, text: Array(bytes[range]) + [UInt8(ascii: ".")]))
            case .alias: break
            }
        }
        var body: [UInt8]?
        if !edits.isEmpty || bodyEnd < output.count {
            body = TextEdit.apply(edits, to: output[..<bodyEnd])
        }
        return TranslatedQuery(
            sql: output, body: body, map: map.applying(edits), parameters: parameters, soupNames: soups.names,
            aliases: aliases(soups),
            onlyReferencesNameEntries: !namesSoup)
    }
}
