import Soups

// What becomes of an entry that is kept in a file of its own. SQL sees a reference to it in place of its text.
extension SmartSQLTranslator {
    /// Writes two columns, as in Mobile SDK 7.1: the table and the id of the entry. What runs has one column with both,
    /// so that the numbers of the columns are those of a soup that keeps its entries inside.
    mutating func writeExternalEntry(
        _ target: SoupLookup.Target, for token: SQLToken, isQualified: Bool, isResult: Bool, isNamed: Bool
    ) {
        let table = String(decoding: target.table, as: UTF8.self)
        let id = isQualified ? takeChain() + "id" : table + ".id"
        let reference = ExternalReference.sql(table: table)
        // Mobile SDK has no text for an entry with a name: both columns would get it.
        let (head, tail) =
            isNamed
            ? (reference.beforeId, reference.afterId)
            : ("'\(table)' as 'externalStorage', ", " as '_soupEntryId'")
        let start = output.count
        let idStart = start + head.utf8.count
        readsExternalEntries = true
        if !isQualified {
            columns.append(
                UnqualifiedColumn(
                    scope: scopes.current, table: target.soup, offset: idStart, tableLength: target.table.count,
                    source: token.start..<token.end, isResult: isResult))
        }
        if !isNamed {
            externalEdits.append(
                TextEdit(offset: start, removed: head.utf8.count, text: Array(reference.beforeId.utf8)))
            externalEdits.append(
                TextEdit(
                    offset: idStart + id.utf8.count, removed: tail.utf8.count,
                    text: Array((reference.afterId + reference.ownName).utf8)))
        }
        write(Array((head + id + tail).utf8), for: token)
    }

    /// Whether the text gives a name of its own to an entry in a file, which is then returned as text under that name.
    ///
    /// - Parameter isResult: Whether the entry is a result of its SELECT as it is.
    /// - Throws: `sqlError` inside of an expression, which would work with the reference; for a name inside of a SELECT
    ///   whose results another one reads, because that one would find the reference.
    mutating func namesExternalEntry(
        _ token: SQLToken, isResult: Bool, _ next: SQLToken
    ) throws(Fault) -> Bool {
        guard isResult else {
            throw Self.externalExpression(at: token.start)
        }
        guard next.keyword == .as || (next.isName && next.keyword == nil) else { return false }
        guard next.keyword == .as || !isOperator(next) else {
            throw Self.externalExpression(at: next.start)
        }
        guard scopes.depth == 0 else {
            throw Fault(
                .sqlError,
                "an entry that is kept in a file can have a name only as a result of the outermost SELECT; "
                    + "leave the name out here",
                offset: token.start)
        }
        awaitsExternalName = true
        return true
    }

    private static func externalExpression(at offset: Int) -> Fault {
        Fault(
            .sqlError,
            "an entry that is kept in a file cannot be a part of an expression or a condition; select it as it is, "
                + "or index the path",
            offset: offset)
    }

    /// Notes the name that was given to an entry in a file, and refuses any other use of it: SQL would search or sort
    /// by the reference.
    mutating func refuseExternalName(
        _ token: SQLToken, after previous: SQLToken, _ next: SQLToken
    ) throws(Fault) {
        guard !awaitsExternalName else {
            guard token.keyword != .as else { return }
            externalNames.append(token.start..<token.end)
            awaitsExternalName = false
            return
        }
        // A table may have the same name.
        guard !externalNames.isEmpty, token.kind == .word || token.kind == .quotedName,
            ![.dot, .end].contains(previous.kind), previous.keyword != .as, next.kind != .dot, !scopes.hasReadAlias
        else {
            return
        }
        let name = bytes[token.start..<token.end]
        if externalNames.contains(where: { SQLName.areSame(bytes[$0], name) }) {
            throw Fault(
                .sqlError, "an entry that is kept in a file cannot be searched or sorted by its name",
                offset: token.start)
        }
    }

    /// Whether a word is an operator. SQLite takes none of them for a name without AS.
    private func isOperator(_ token: SQLToken) -> Bool {
        let word = String(decoding: bytes[token.start..<token.end], as: UTF8.self).lowercased()
        return token.kind == .word
            && ["like", "glob", "regexp", "is", "isnull", "notnull", "in", "between", "collate"].contains(word)
    }
}
