/// The queries whose further pages can be asked for.
struct MockCursors: Sendable {
    struct Cursor: Sendable {
        let query: MiniQuery
        /// What was found when the query ran; values are read when their page is.
        let ids: [String]
        let pageSize: Int
        /// The query that a cursor of a sub-query came with: both expire at the same time.
        let group: Int
    }

    private var cursors: [String: Cursor] = [:]
    private var counter = 0
    private var lastGroup = 0
    /// The groups with cursors, ascending.
    private var groups: [Int] = []

    /// The cursor that a path names; nil for one that expired or never was.
    func cursor(_ name: String) -> Cursor? { cursors[name] }

    /// Begins the group of a query. It counts from its first cursor on: a query of one page needs none.
    mutating func beginGroup() -> Int {
        lastGroup += 1
        return lastGroup
    }

    /// Adds a cursor and returns its name. Groups beyond the limit expire, the oldest first.
    mutating func add(_ cursor: Cursor, limit: Int) -> String {
        if cursor.group > groups.last ?? 0 {
            groups.append(cursor.group)
        }
        while groups.count > max(1, limit) {
            let expired = groups.removeFirst()
            cursors = cursors.filter { $0.value.group != expired }
        }
        counter += 1
        let digits = String(counter)
        let name = "01g" + String(repeating: "0", count: max(0, 15 - digits.utf8.count)) + digits
        cursors[name] = cursor
        return name
    }

    mutating func expireAll() { cursors = [:] }
}
