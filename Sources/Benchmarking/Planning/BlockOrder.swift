/// The order in which a run measures its blocks: round by round, one block of each cell in each round.
///
/// So slow minutes affect all cells alike. If a run has little time, cells get as many pairs as a ratio needs before
/// any gets more, and those for which the time is too short come last: ten rows with an interval say more than twenty
/// without.
struct BlockOrder {
    /// With fewer pairs a ratio has no interval of 95 %.
    static let fewestPairs = 6

    private let blocks: [Int]
    private let isNeverLate: [Bool]
    /// The blocks of each cell that are done, or were given up.
    private(set) var done: [Int]
    /// The cells for which the time is too short.
    private var late: Set<Int> = []

    init(_ cells: [PlannedCell]) { self.init(blocks: cells.map(\.blocks), controls: cells.map(\.cell.isControl)) }

    /// - Parameter controls: Which cells are controls, without which no run is valid.
    init(blocks: [Int], controls: [Bool]) {
        self.blocks = blocks
        isNeverLate = controls
        done = blocks.map { _ in 0 }
    }

    /// The position of the cell whose next block is measured, and the number of that block; nil when nothing is left.
    ///
    /// - Parameters:
    ///   - secondsLeft: nil for a run that may take as long as it takes.
    ///   - cost: What a block of a cell took so far (seconds).
    func next(secondsLeft: Double?, cost: (Int) -> Double) -> (position: Int, round: Int)? {
        let open = blocks.indices.filter { done[$0] < blocks[$0] }
        var chosen = open
        if secondsLeft != nil {
            let short = open.filter { left($0) > 0 }
            let early = short.filter { !late.contains($0) }
            chosen = !early.isEmpty ? early : short.min { cost($0) < cost($1) }.map { [$0] } ?? open
        }
        return chosen.min { (done[$0], $0) < (done[$1], $1) }.map { ($0, done[$0]) }
    }

    /// Decides which cells come last, when each has been measured once: the most expensive ones, until the others reach
    /// the fewest pairs in time.
    mutating func postpone(secondsLeft: Double?, cost: (Int) -> Double) {
        guard let secondsLeft, blocks.indices.allSatisfy({ done[$0] > 0 || blocks[$0] == 0 }) else { return }
        let early = blocks.indices.filter { left($0) > 0 && !late.contains($0) }
        var needed = early.reduce(0) { $0 + Double(left($1)) * cost($1) }
        for position in early.sorted(by: { cost($0) > cost($1) }) where needed > secondsLeft && !isNeverLate[position] {
            needed -= Double(left(position)) * cost(position)
            late.insert(position)
        }
    }

    mutating func finish(_ position: Int) { done[position] += 1 }

    /// Leaves out what is left of a cell.
    mutating func giveUp(_ position: Int) { done[position] = blocks[position] }

    /// The blocks that a cell lacks until it has the fewest pairs.
    private func left(_ position: Int) -> Int { max(0, min(blocks[position], Self.fewestPairs) - done[position]) }
}
