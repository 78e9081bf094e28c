/// Orders numbers so that each comes after those that it needs; where that leaves a choice, the smallest first.
struct TopologicalOrder {
    /// What each number needs.
    private var needs: [[Int]]
    /// How many of its needs are not in the result yet.
    private var missing: [Int]
    /// Which numbers need a number.
    private var users: [[Int]]
    private var ready: SmallestFirst
    private var isDone: [Bool]
    /// The numbers in their order.
    private(set) var result: [Int] = []

    init(_ needs: [[Int]]) {
        self.needs = needs
        missing = needs.map(\.count)
        users = Array(repeating: [], count: needs.count)
        isDone = Array(repeating: false, count: needs.count)
        ready = SmallestFirst()
        for (number, list) in needs.enumerated() {
            for need in list {
                users[need].append(number)
            }
            if list.isEmpty {
                ready.insert(number)
            }
        }
    }

    /// Orders as much as it can. Returns a cycle that is in the way, each number needing the next one; nil at the end.
    mutating func run() -> [Int]? {
        while let number = ready.removeFirst() {
            isDone[number] = true
            result.append(number)
            for user in users[number] {
                missing[user] -= 1
                if missing[user] == 0 {
                    ready.insert(user)
                }
            }
        }
        guard result.count < needs.count, let start = isDone.firstIndex(of: false) else { return nil }
        return cycle(from: start)
    }

    /// Does without a need of a number.
    mutating func cut(from number: Int, to need: Int) {
        let count = needs[number].count
        needs[number].removeAll { $0 == need }
        users[need].removeAll { $0 == number }
        missing[number] -= count - needs[number].count
        if missing[number] == 0, !isDone[number] {
            ready.insert(number)
        }
    }

    /// Follows needs that are not met until one comes twice.
    private func cycle(from start: Int) -> [Int] {
        var path: [Int] = []
        var positions: [Int: Int] = [:]
        var number = start
        while positions[number] == nil {
            positions[number] = path.count
            path.append(number)
            guard let next = needs[number].first(where: { !isDone[$0] }) else { return path }
            number = next
        }
        return Array(path[(positions[number] ?? 0)...])
    }
}

/// A heap that gives its smallest number first.
private struct SmallestFirst {
    private var numbers: [Int] = []

    mutating func insert(_ number: Int) {
        numbers.append(number)
        var child = numbers.count - 1
        while child > 0, numbers[(child - 1) / 2] > numbers[child] {
            numbers.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func removeFirst() -> Int? {
        guard let first = numbers.first else { return nil }
        let last = numbers.removeLast()
        guard !numbers.isEmpty else { return first }
        numbers[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < numbers.count else { return first }
            let right = left + 1
            let child = right < numbers.count && numbers[right] < numbers[left] ? right : left
            guard numbers[child] < numbers[parent] else { return first }
            numbers.swapAt(child, parent)
            parent = child
        }
    }
}
