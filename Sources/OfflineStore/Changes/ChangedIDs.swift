import Soups

/// Collects the ids of changed entries, up to the number of different ones that a delivery names.
struct ChangedIDs {
    /// The most ids that one delivery names.
    static let limit = 1000

    private(set) var isAll: Bool
    private var ids: [Int64] = []

    static let all = ChangedIDs(isAll: true)

    init(isAll: Bool = false) { self.isAll = isAll }

    mutating func insert(_ id: Int64) {
        guard !isAll, ids.last != id else { return }
        ids.append(id)
        shorten()
    }

    mutating func formUnion(_ other: ChangedIDs) {
        guard !isAll, !other.isAll else { return becomeAll() }
        ids += other.ids
        shorten()
    }

    mutating func becomeAll() {
        isAll = true
        ids = []
    }

    /// Whether an id is among them.
    func contains(where isMeant: (Int64) -> Bool) -> Bool { isAll || ids.contains(where: isMeant) }

    /// The ids in the form of a change.
    var changeIDs: StoreChange.IDs {
        guard !isAll else { return .all }
        let different = ids.sortedWithoutRepetition
        return different.count > Self.limit ? .all : .some(different)
    }

    /// Keeps each id once, where there are many. Half of the room is free again, or all are meant: each id is sorted a
    /// few times at most.
    private mutating func shorten() {
        guard ids.count > 2 * Self.limit else { return }
        ids = ids.sortedWithoutRepetition
        if ids.count > Self.limit {
            becomeAll()
        }
    }
}
