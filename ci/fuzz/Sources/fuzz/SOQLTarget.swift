import SOQL
import Soups

/// Reads an input as a SOQL text. It is refused with an offset in it, or its tokens joined are the text; a query prints as a
/// text that is the same query, and every change of it can be read again token by token.
enum SOQLTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(Fault) {
            try checkTokens(of: text)
            try checkQuery(text)
        } catch {
            precondition(
                (0...text.utf8.count).contains(error.offset ?? -1), "a refusal has an offset in the text: \(error)")
        }
        checkValues(text)
        // The same bytes as a part of a query that is not at fault.
        try? check(changesOf: SOQLQuery("select Id from A where B = 1 or C = 2 order by D"), with: text)
    }

    private static func checkTokens(of text: String) throws(Fault) {
        let tokens = try SOQLToken.tokens(of: text)
        let ends = tokens.dropFirst().map(\.offset) + [text.utf8.count]
        precondition(tokens.first?.offset ?? 0 == 0, "the first token is not at the beginning")
        for (token, end) in zip(tokens, ends) {
            precondition(token.offset < end, "a token is empty")
            let written = text.utf8.dropFirst(token.offset).prefix(end - token.offset)
            switch token.kind {
            case .orderBy, .groupBy: precondition(token.text.utf8.count == 8, "a pair is not two words and a blank")
            default: precondition(written.elementsEqual(token.text.utf8), "a token is not what was written")
            }
        }
    }

    private static func checkQuery(_ text: String) throws(Fault) {
        let query = try SOQLQuery(text)
        do throws(Fault) {
            let again = try SOQLQuery(query.text)
            precondition(again == query, "what was printed is another query")
        } catch {
            preconditionFailure("what was printed is refused: \(error)")
        }
        _ = query.isSelecting("Id")
        _ = query.isOrdering(by: text)
        _ = query.isAscending(by: "Id")
        try? check(changesOf: query, with: "P")
    }

    /// Parts that are refused change nothing; what is accepted gives a text with whole tokens, which has the part.
    private static func check(changesOf query: SOQLQuery, with part: String) throws(Fault) {
        let changes: [SOQLQuery] = [
            try query.addingSelect(part), try query.replacingSelect(with: part), try query.addingWhere(part),
            try query.replacingOrderBy(with: part),
        ]
        for changed in changes {
            do throws(Fault) {
                _ = try SOQLToken.tokens(of: changed.text)
            } catch {
                preconditionFailure("a change leaves a quote or parenthesis open: \(error)")
            }
        }
    }

    /// Whatever the text is, its literal is one token, and a name that is accepted needs no quotes.
    private static func checkValues(_ text: String) {
        if let literal = try? SOQLLiteral.text(text) {
            let tokens = try? SOQLToken.tokens(of: "a = \(literal) and b")
            precondition(tokens?.map(\.kind).filter { $0 == .quoted }.count == 1, "a literal does not stay one")
            precondition(tokens?.count == 9, "a literal ends early")
        }
        if SOQLName.isValid(text) {
            let kinds = (try? SOQLToken.tokens(of: text))?.map(\.kind)
            precondition(kinds == [.word], "a name is not a word")
        }
        let spec = SOSLReturning(objectName: "Account", fields: [text], where: text)
        _ = try? SOSLBuilder(term: text, returning: [spec]).text()
        _ = try? SOQLBuilder(fields: [text], from: text, where: text, limit: 1).text()
    }
}
