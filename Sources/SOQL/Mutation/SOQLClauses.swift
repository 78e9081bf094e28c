import Soups

/// The clauses of a query and their texts, and how they are found and printed.
struct SOQLClauses {
    /// A text for each clause, in the order of clauses; nil for one that the query lacks.
    private var texts = [SOQLText?](repeating: nil, count: SOQLClause.allCases.count)

    subscript(clause: SOQLClause) -> SOQLText? {
        get { texts[clause.rawValue] }
        set { texts[clause.rawValue] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// Finds the clauses of a query.
    ///
    /// - Throws: `invalidSOQL` at 0 if the query does not begin with `select`, and at its end if it has no `from`.
    init(of query: SOQLText) throws(Fault) {
        let query = query.trimmed
        guard let first = query.spans.indices.first, let keyword = SOQLKeyword(at: first, in: query),
            keyword.clause == .select
        else {
            throw Fault(.invalidSOQL, "a query must begin with select", offset: 0)
        }
        var current = keyword
        var index = keyword.end
        while index < query.spans.endIndex {
            guard let next = SOQLKeyword(at: index, in: query), next.canFollow(current, from: index, in: query) else {
                index += 1
                continue
            }
            self[current.clause] = query.part(current.end..<index)
            current = next
            index = next.end
        }
        self[current.clause] = query.part(current.end..<index)
        guard self[.select] != nil, self[.from] != nil else {
            throw Fault(.invalidSOQL, "a query must have from, and an object after it", offset: query.bytes.count)
        }
    }

    /// The query, with keywords in lower case and one blank around each text.
    var printed: [UInt8] {
        var bytes: [UInt8] = []
        for clause in SOQLClause.allCases {
            guard let text = self[clause] else { continue }
            if !bytes.isEmpty {
                bytes.append(UInt8(ascii: " "))
            }
            bytes += clause.keyword.utf8
            bytes.append(UInt8(ascii: " "))
            bytes += text.content
        }
        return bytes
    }
}

extension SOQLKeyword {
    /// Whether the keyword, whose first token is at `index`, ends the clause of another keyword. A field may have the
    /// name of a keyword: it is one in a list, after an operator, directly after a keyword, and before `from`.
    fileprivate func canFollow(_ current: SOQLKeyword, from index: Int, in query: SOQLText) -> Bool {
        guard clause > current.clause, current.clause != .select || clause == .from else { return false }
        let before = query.part(current.end..<index)
        guard let last = before.content.last else { return false }
        return !SOQLBytes.joins(last)
    }
}
