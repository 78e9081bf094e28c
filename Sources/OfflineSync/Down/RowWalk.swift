import OfflineStore
import Soups

/// Walks rows of a soup by their entry ids, a page at a time, without a cursor.
struct RowWalk {
    static let pageSize = 2_000

    let store: SmartStore
    let condition: FlagCondition
    let idField: String
    private(set) var last: Int64 = 0
    /// Whether the walk has seen all rows.
    private(set) var isAtEnd = false

    init(_ store: SmartStore, _ condition: FlagCondition, idField: String) {
        self.store = store
        self.condition = condition
        self.idField = idField
    }

    /// A row of a page: its entry id and its id on the service, as text; nil without one.
    struct Row {
        let entryId: Int64
        let id: RecordId?
    }

    /// The next rows that a condition holds for; empty at the end.
    mutating func next(_ clean: (text: String, arguments: [SQLValue])) throws(Fault) -> [Row] {
        try next(clean) { _ in true }
    }

    /// Visits the next rows that a condition holds for, and returns those whose ids on the service are wanted and those
    /// without one. An empty page is not the end.
    ///
    /// - Parameter isWanted: Gets the bytes of an id, which are valid only during the call.
    mutating func next(
        _ clean: (text: String, arguments: [SQLValue]), where isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(Fault) -> [Row] {
        let entry = condition.column("_soupEntryId")
        let text =
            "SELECT \(entry), \(condition.column(idField)) FROM {\(condition.soup)} WHERE \(clean.text) AND \(entry) > ? ORDER BY \(entry)"
        var page: [Row] = []
        var visited = 0
        var last = last
        try store.visitRows(text, arguments: clean.arguments + [.integer(last)]) { (row) throws(Fault) in
            last = row.integer(at: 0)
            visited += 1
            // Most ids are texts that are not wanted: they are seen in place.
            if try row.withText(at: 1, { (id) throws(Fault) in isWanted(id) }) != false {
                let id = RecordId(cell: try row.cell(at: 1))
                if id?.isWanted(isWanted) ?? true {
                    page.append(Row(entryId: last, id: id))
                }
            }
            return visited < Self.pageSize
        }
        self.last = last
        isAtEnd = visited < Self.pageSize
        return page
    }
}

extension RecordId {
    fileprivate func isWanted(_ test: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var text = text
        return text.withUTF8 { test(UnsafeRawBufferPointer($0)) }
    }
}
