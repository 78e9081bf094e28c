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
    private var groups: [Int] = []

    /// The cursor that a path names; nil for one that expired or never was.
    func cursor(_ name: String) -> Cursor? { cursors[name] }

    /// Begins the group of a query. Older ones beyond the limit expire.
    mutating func beginGroup(limit: Int) -> Int {
        let group = (groups.last ?? 0) + 1
        groups.append(group)
        while groups.count > max(1, limit) {
            let expired = groups.removeFirst()
            cursors = cursors.filter { $0.value.group != expired }
        }
        return group
    }

    mutating func add(_ cursor: Cursor) -> String {
        counter += 1
        let digits = String(counter)
        let name = "01g" + String(repeating: "0", count: max(0, 15 - digits.utf8.count)) + digits
        cursors[name] = cursor
        return name
    }

    mutating func expireAll() { cursors = [:] }
}
