import Soups

/// The changes of a plan that the next batch takes: at most a number of requests, no change before what it needs.
struct BatchSelection {
    /// The positions of the changes of each change set, in the order of the batch.
    private(set) var groups: [[Int]] = []
    /// The changes that cannot be done, because an insert that they need was not.
    private(set) var waiting: [Int] = []
    /// The greatest length of the batch in bytes.
    var limitBytes = Int.max

    var isEmpty: Bool { groups.isEmpty }

    init(
        _ plan: [PlannedChange], isMet: (Int) -> Bool, isDone: (Int) -> Bool, mode: ChangeSetMode, limit: Int
    ) {
        var group: [Int: Int] = [:]
        var count = 0
        var failed: Set<Int> = []
        // Deletes come last: none is taken while an insert or update is left for a later batch.
        var isWaiting = false
        for (position, change) in plan.enumerated() where !isMet(position) && !(isWaiting && change.isDelete) {
            let needed = change.principals.map(\.position).filter { !isDone($0) }
            if needed.contains(where: { isMet($0) || failed.contains($0) }) {
                failed.insert(position)
                waiting.append(position)
                continue
            }
            guard count < limit else {
                isWaiting = true
                continue
            }
            if needed.isEmpty, !(change.isCompletion && !isReady(change, plan, isMet)) {
                group[position] = groups.count
                groups.append([position])
                count += 1
                continue
            }
            // All that it needs must be created in one change set, which it joins.
            let sets = Set(needed.map { group[$0] })
            guard mode == .perTree, sets.count == 1, let index = sets.first ?? nil else {
                isWaiting = true
                continue
            }
            group[position] = index
            groups[index].append(position)
            count += 1
        }
    }

    /// Whether the insert that an update completes was met in an earlier batch.
    private func isReady(_ change: PlannedChange, _ plan: [PlannedChange], _ isMet: (Int) -> Bool) -> Bool {
        plan.enumerated().allSatisfy { position, other in
            !other.isInsert || isMet(position)
        }
    }
}
