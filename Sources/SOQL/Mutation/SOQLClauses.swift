import Soups

/// The clauses of a query and their texts, and how they are found and printed.
struct SOQLClauses {
    /// A text for each clause, in the order of clauses; nil for one that the query lacks.
    private var texts = [SOQLClauseText?](repeating: nil, count: SOQLClause.allCases.count)

    subscript(clause: SOQLClause) -> SOQLClauseText? {
        get { texts[clause.rawValue] }
        set {
            printedLength -= Self.length(of: clause, texts[clause.rawValue])
            texts[clause.rawValue] = newValue.flatMap { $0.isEmpty ? nil : $0 }
            printedLength += Self.length(of: clause, texts[clause.rawValue])
        }
    }

    /// The number of bytes of the printed query.
    private(set) var printedLength = -1

    /// The number of bytes of a clause with a blank before it.
    private static func length(of clause: SOQLClause, _ text: SOQLClauseText?) -> Int {
        text.map { clause.keyword.utf8.count + 2 + $0.count } ?? 0
    }

    /// Finds the clauses of a query.
    ///
    /// - Throws: `invalidSOQL` at 0 if the query does not begin with `select`, and at its end if it has no `from`.
    init(of query: SOQLText) throws(Fault) {
        let query = query.trimmed
        let spans = query.spans
        guard let first = spans.indices.first, let keyword = SOQLKeyword(at: first, of: spans, in: query.bytes),
            keyword.clause == .select
        else {
            throw Fault(.invalidSOQL, "a query must begin with select", offset: 0)
        }
        var current = keyword
        var index = keyword.end
        while index < spans.endIndex {
            guard let next = SOQLKeyword(at: index, of: spans, in: query.bytes),
                next.canFollow(current, query.part(spans[current.end..<index]))
            else {
                index += 1
                continue
            }
            self[current.clause] = SOQLClauseText(query.part(spans[current.end..<index]))
            current = next
            index = next.end
        }
        self[current.clause] = SOQLClauseText(query.part(spans[current.end..<index]))
        guard self[.select] != nil, self[.from] != nil else {
            throw Fault(.invalidSOQL, "a query must have from, and an object after it", offset: query.bytes.count)
        }
    }

    /// The query, with keywords in lower case and one blank around each text.
    var printed: String {
        String(unsafeUninitializedCapacity: max(printedLength, 0)) { buffer in
            var end = 0
            for clause in SOQLClause.allCases {
                guard let text = self[clause] else { continue }
                if end > 0 {
                    buffer[end] = UInt8(ascii: " ")
                    end += 1
                }
                end = buffer[end...].update(fromContentsOf: clause.keyword.utf8)
                buffer[end] = UInt8(ascii: " ")
                end = text.copy(to: buffer, at: end + 1)
            }
            return end
        }
    }
}

extension SOQLKeyword {
    /// Whether the keyword ends the clause of another keyword. A field may have the
    /// name of a keyword: it is one in a list, after an operator, directly after a keyword, and before `from`.
    ///
    /// - Parameter before: What is between the keywords.
    fileprivate func canFollow(_ current: SOQLKeyword, _ before: @autoclosure () -> SOQLText) -> Bool {
        guard clause > current.clause, current.clause != .select || clause == .from else { return false }
        guard let last = before().content.last else { return false }
        return !SOQLBytes.joins(last)
    }
}
