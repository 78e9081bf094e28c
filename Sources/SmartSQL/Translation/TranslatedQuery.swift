public import Soups

/// Holds the SQL of a Smart SQL text, and leads back from SQLite's errors to that text.
///
/// A value; it holds as long as the soups it names keep their specs. Source: guide, Smart SQL Queries.
public struct TranslatedQuery: Sendable {
    /// In one box, so that handing a kept translation out is one retain; as bytes, so that a long text is not copied
    /// once more.
    private final class Content: Sendable {
        let sql: [UInt8]
        /// What runs, where it is not the same.
        let body: [UInt8]?
        let map: OffsetMap
        let parameterCount: Int
        let soupNames: [String]
        let aliases: [(alias: String, soupName: String)]
        let onlyReferencesNameEntries: Bool

        init(
            sql: [UInt8], body: [UInt8]?, map: OffsetMap, parameterCount: Int, soupNames: [String],
            aliases: [(alias: String, soupName: String)],
            onlyReferencesNameEntries: Bool
        ) {
            self.onlyReferencesNameEntries = onlyReferencesNameEntries
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
        aliases: [(alias: String, soupName: String)],
        onlyReferencesNameEntries: Bool
    ) {
        content = Content(
            sql: sql, body: body, map: map, parameterCount: parameters.count, soupNames: soupNames, aliases: aliases,
            onlyReferencesNameEntries: onlyReferencesNameEntries)
    }

    /// The text translated byte for byte, as Mobile SDK does (5.2), to show and to compare. What runs is `sql(_:)`.
    public var sql: String { String(decoding: content.sql, as: UTF8.self) }

    /// The soups that the text names, in order of first mention.
    public var soupNames: [String] { content.soupNames }

    /// The names that stand for soups in the text: `e` of `{employees} as e`.
    public var aliases: [(alias: String, soupName: String)] { content.aliases }

    /// How many values the text takes; `page` has two parameters more, the next two numbers.
    public var parameterCount: Int { content.parameterCount }

    /// Translates a Smart SQL text. Linear: 25 KB take less than a millisecond.
    ///
    /// - Parameter permissive: Lets a path without an index be read through `json_extract`.
    /// - Throws: `notASelect`, `invalidReference`, `soupNotFound`, `pathNotIndexed`, `matchInSmartSQL`, `sqlError`, all
    ///   with the byte offset into the text.
    public init(_ smartSql: String, catalogue: some SoupCatalogue, permissive: Bool = false) throws(Fault) {
        var translator = SmartSQLTranslator(smartSql, catalogue: catalogue, permissive: permissive)
        self = try translator.translate()
    }

    /// Says what a statement made of the text returns.
    public enum Form: Sendable, Hashable {
        /// Some of its rows: the last two parameters are how many, and after how many.
        case page
        /// One row with the number of its rows.
        case count
        /// Its column `id`.
        case ids
        /// All of its rows.
        case rows
    }

    /// Writes the statement that runs. A trailing semicolon or comment is left out, ambiguous columns are qualified.
    public func sql(_ form: Form) -> String {
        let body = String(decoding: body, as: UTF8.self)
        return switch form {
        case .page: head(form) + body + ") LIMIT ? OFFSET ?"
        case .count, .ids: head(form) + body + ")"
        case .rows: body
        }
    }

    private func head(_ form: Form) -> String {
        switch form {
        case .page: "SELECT * FROM ("
        case .count: "SELECT count(*) FROM ("
        case .ids: "SELECT id FROM ("
        case .rows: ""
        }
    }

    /// Checks that there is a value for each `?`.
    ///
    /// - Throws: `argumentsMismatch`.
    public func checkArguments(_ count: Int) throws(Fault) {
        guard count == parameterCount else {
            throw Fault(
                .argumentsMismatch,
                "the statement has \(parameterCount) parameters, but the call has \(count) arguments")
        }
    }

    /// Places the fault that SQLite raised for `sql(form)`, with its offset counted in the Smart SQL text.
    public func located(_ fault: Fault, in form: Form) -> Fault {
        guard let offset = fault.offset else {
            return fault
        }
        let inBody = offset - head(form).utf8.count
        let place = content.map.source(of: min(max(0, inBody), body.count))
        return Fault(fault.code, fault.message, offset: place, context: fault.context)
    }

    /// Whether no name in the text itself is or begins with `soup`: a column of that name then holds nothing but
    /// entries.
    public var onlyReferencesNameEntries: Bool { content.onlyReferencesNameEntries }

    /// Tells whether an output column of that name holds whole entries, to be returned as objects and not as text.
    ///
    /// SQLite names a column `soup` where the select list has a plain `{soup:_soup}`, and `soup:1` and so on the next
    /// ones; under an alias it is text.
    public static func holdsEntries(column name: String) -> Bool {
        name.utf8.elementsEqual("soup".utf8) || name.utf8.starts(with: "soup:".utf8)
    }
}
