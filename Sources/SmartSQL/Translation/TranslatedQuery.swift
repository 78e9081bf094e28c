public import Soups

/// The SQL of a Smart SQL text. It maps the offsets of SQLite's errors back to that text.
///
/// A translation is valid as long as the specs of its soups do not change. Source: guide, Smart SQL Queries.
public struct TranslatedQuery: Sendable {
    /// One object, so that returning a cached translation costs one retain. Texts are stored as bytes, so that a long
    /// text is not copied again.
    private final class Content: Sendable {
        let sql: [UInt8]
        /// The SQL that runs, if it differs from `sql`.
        let body: [UInt8]?
        let map: OffsetMap
        let parameterCount: Int
        let soupNames: [String]
        let aliases: [(alias: String, soupName: String)]
        let definedTables: [String]
        let onlyReferencesNameEntries: Bool
        let readsExternalEntries: Bool

        init(
            sql: [UInt8], body: [UInt8]?, map: OffsetMap, parameterCount: Int, soupNames: [String],
            aliases: [(alias: String, soupName: String)], definedTables: [String],
            onlyReferencesNameEntries: Bool, readsExternalEntries: Bool
        ) {
            self.definedTables = definedTables
            self.onlyReferencesNameEntries = onlyReferencesNameEntries
            self.readsExternalEntries = readsExternalEntries
            self.aliases = aliases
            self.sql = sql
            self.body = body
            self.map = map
            self.parameterCount = parameterCount
            self.soupNames = soupNames
        }
    }

    private let content: Content
    private var body: [UInt8] { content.body ?? content.sql }

    init(
        sql: [UInt8], body: [UInt8]?, map: OffsetMap, parameters: ParameterCount, soupNames: [String],
        aliases: [(alias: String, soupName: String)], definedTables: [String],
        onlyReferencesNameEntries: Bool, readsExternalEntries: Bool
    ) {
        content = Content(
            sql: sql, body: body, map: map, parameterCount: parameters.count, soupNames: soupNames, aliases: aliases,
            definedTables: definedTables, onlyReferencesNameEntries: onlyReferencesNameEntries,
            readsExternalEntries: readsExternalEntries)
    }

    /// The translation as in Mobile SDK, byte for byte, for display and comparison. The statement that runs is
    /// `sql(_:)`.
    public var sql: String { String(decoding: content.sql, as: UTF8.self) }

    /// The names of the soups in the text, in order of first mention.
    public var soupNames: [String] { content.soupNames }

    /// The aliases of soups in the text: `e` in `{employees} as e`.
    public var aliases: [(alias: String, soupName: String)] { content.aliases }

    /// The tables that a WITH at the start of the text defines for all of it, without quotes.
    public var definedTables: [String] { content.definedTables }

    /// The number of parameters of the text. `page` has two more, with the next two numbers.
    public var parameterCount: Int { content.parameterCount }

    /// Translates a Smart SQL text. O(n) in its length.
    ///
    /// - Parameter permissive: Whether paths without an index may be read with `json_extract`.
    /// - Throws: `notASelect`, `invalidReference`, `soupNotFound`, `pathNotIndexed`, `matchInSmartSQL`, `sqlError`, all
    ///   with the byte offset into the text.
    public init(_ smartSql: String, catalogue: some SoupCatalogue, permissive: Bool = false) throws(Fault) {
        var translator = SmartSQLTranslator(smartSql, catalogue: catalogue, permissive: permissive)
        self = try translator.translate()
    }

    /// The result of a statement that is created from the text.
    public enum Form: Sendable, Hashable {
        /// Some of its rows; the last two parameters are the limit and the offset.
        case page
        /// One row with the number of its rows.
        case count
        /// The column `id` of its rows.
        case ids
        /// All of its rows.
        case rows
    }

    /// The statement that runs. It has no trailing semicolon or comment, and ambiguous columns are qualified.
    public func sql(_ form: Form) -> String {
        let body = String(decoding: body, as: UTF8.self)
        return switch form {
        case .page: head(form) + body + ") LIMIT ? OFFSET ?"
        case .count, .ids: head(form) + body + ")"
        case .rows: body
        }
    }

    /// The statement that runs, and what is bound after the arguments. A text may have so many parameters that SQLite
    /// takes none for the limit and the offset of a page: then both are written into the statement.
    public func statement(_ form: Form, further: [SQLValue]) -> (sql: String, bindings: [SQLValue]) {
        guard parameterCount + further.count > ParameterCount.limit, further.count == 2,
            case .integer(let limit) = further[0], case .integer(let offset) = further[1]
        else {
            return (sql(form), further)
        }
        let body = String(decoding: body, as: UTF8.self)
        return ("\(head(form))\(body)) LIMIT \(limit) OFFSET \(offset)", [])
    }

    private func head(_ form: Form) -> String {
        switch form {
        case .page: "SELECT * FROM ("
        case .count: "SELECT count(*) FROM ("
        case .ids: "SELECT id FROM ("
        case .rows: ""
        }
    }

    /// Checks that the number of arguments is that of the parameters.
    ///
    /// - Throws: `argumentsMismatch`.
    public func checkArguments(_ count: Int) throws(Fault) {
        guard count == parameterCount else {
            throw Fault(
                .argumentsMismatch,
                "the number of arguments is \(count), but that of the parameters is \(parameterCount)")
        }
    }

    /// Converts a fault that SQLite raised for `sql(form)`, so that its offset counts in the Smart SQL text.
    public func located(_ fault: Fault, in form: Form) -> Fault {
        guard let offset = fault.offset else {
            return fault
        }
        let inBody = offset - head(form).utf8.count
        let source = content.map.source(of: min(max(0, inBody), body.count))
        return Fault(fault.code, fault.message, offset: source, context: fault.context)
    }

    /// Whether no name in the text is `soup` or starts with it, and the text has one SELECT at each depth. A column of
    /// that name then contains only entries.
    public var onlyReferencesNameEntries: Bool { content.onlyReferencesNameEntries }

    /// Whether the text reads entries that are kept in files. Their columns hold references to them.
    public var readsExternalEntries: Bool { content.readsExternalEntries }

    /// Whether an output column with the name contains whole entries, which are returned as objects instead of text.
    ///
    /// SQLite names the column of a plain `{soup:_soup}` in the select list `soup`, and the next ones `soup:1` and so
    /// on. With an alias the column is text.
    public func holdsEntries(column name: String) -> Bool {
        Self.isName(name, "soup") || (readsExternalEntries && Self.isName(name, ExternalReference.column))
    }

    private static func isName(_ name: String, _ wanted: String) -> Bool {
        guard name.utf8.starts(with: wanted.utf8) else { return false }
        let rest = name.utf8.dropFirst(wanted.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ":")
    }
}
