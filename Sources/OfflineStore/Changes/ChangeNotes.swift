import Soups

/// What was changed in one soup.
struct ChangePart {
    /// The number of the soup's table; another soup of the same name has another one.
    let table: Int64
    let soup: String
    var kinds: StoreChange.Kinds
    var ids: ChangedIDs
}

/// Notes what the transaction of a session has changed, for those who watch the store.
///
/// Each open level (the transaction, and the savepoints inside it) has a range of the list. A level that is kept joins
/// the level around it; a level that is undone drops its range.
struct ChangeNotes {
    private var parts: [ChangePart] = []
    /// Where the range of the innermost level begins.
    private var start = 0
    /// Whether ids are kept: only if there was a watcher when the transaction began.
    private var keepsIDs = false

    /// The level around the one that begins.
    struct Level {
        fileprivate let start: Int
    }

    var isEmpty: Bool { parts.isEmpty }

    // MARK: - Levels

    /// Begins the outermost level.
    mutating func begin(keepingIDs: Bool) -> Level {
        parts.removeAll(keepingCapacity: true)
        start = 0
        keepsIDs = keepingIDs
        return Level(start: 0)
    }

    /// Begins a level inside another one.
    mutating func enter() -> Level {
        defer { start = parts.count }
        return Level(start: start)
    }

    /// Ends a level whose changes are kept.
    mutating func join(_ outer: Level) {
        let first = start
        start = outer.start
        guard parts.count > first else { return }
        let inner = parts[first...]
        parts.removeSubrange(first...)
        for part in inner {
            let index = index(of: part.table, part.soup)
            parts[index].kinds.formUnion(part.kinds)
            parts[index].ids.formUnion(part.ids)
        }
    }

    /// Ends a level whose changes are undone.
    mutating func drop(_ outer: Level) {
        parts.removeSubrange(start...)
        start = outer.start
    }

    /// Gives all that was noted, once the outermost level is committed.
    mutating func take() -> [ChangePart] {
        defer {
            parts.removeAll(keepingCapacity: parts.count <= 8)
            start = 0
        }
        return parts
    }

    // MARK: - Changes

    /// Notes that an entry was changed.
    mutating func note(_ kind: StoreChange.Kinds, of id: Int64, in soup: RegisteredSoup) {
        let index = index(of: soup.id, soup.name)
        parts[index].kinds.formUnion(kind)
        if keepsIDs {
            parts[index].ids.insert(id)
        }
    }

    /// Notes that a soup was changed as a whole.
    mutating func note(_ kind: StoreChange.Kinds, table: Int64, soup: String) {
        let index = index(of: table, soup)
        parts[index].kinds.formUnion(kind)
        parts[index].ids.becomeAll()
    }

    /// Notes that a soup was registered; it has no entries yet.
    mutating func noteRegistration(table: Int64, soup: String) {
        parts[index(of: table, soup)].kinds.formUnion(.registered)
    }

    /// The part of a soup in the innermost level, the one used last first.
    private mutating func index(of table: Int64, _ soup: String) -> Int {
        var index = parts.count
        while index > start {
            index -= 1
            if parts[index].table == table {
                return index
            }
        }
        parts.append(ChangePart(table: table, soup: soup, kinds: [], ids: keepsIDs ? ChangedIDs() : .all))
        return parts.count - 1
    }
}
