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

    /// Selects changes of a plan. It looks no further than the last one that it takes.
    ///
    /// - Parameter first: The first change that has no outcome.
    init(
        _ plan: [PlannedChange], from first: Int, isMet: (Int) -> Bool, isDone: (Int) -> Bool, mode: ChangeSetMode,
        limit: Int
    ) {
        var group: [Int: Int] = [:]
        var count = 0
        var failed: Set<Int> = []
        // Deletes come last. They wait while an insert or update is left for a later batch.
        var isWaiting = false
        // Inserts come first in a plan.
        let insertsAreMet = !(first < plan.count && plan[first].isInsert)
        for position in plan.indices.dropFirst(first) where !isMet(position) {
            let change = plan[position]
            guard count < limit, !(isWaiting && change.isDelete) else { break }
            let needed = change.needed.filter { !isDone($0) }
            if needed.contains(where: { isMet($0) || failed.contains($0) }) {
                failed.insert(position)
                waiting.append(position)
                continue
            }
            // An update that completes an insert waits for all inserts.
            if needed.isEmpty, !change.isCompletion || insertsAreMet {
                group[position] = groups.count
                groups.append([position])
                count += 1
                continue
            }
            // All that it needs must be created in one change set, which it joins.
            let sets = Set(needed.map { group[$0] })
            guard mode == .perTree, change.canReferToItsChangeSet, sets.count == 1, let index = sets.first ?? nil else {
                isWaiting = true
                continue
            }
            group[position] = index
            groups[index].append(position)
            count += 1
        }
    }
}
