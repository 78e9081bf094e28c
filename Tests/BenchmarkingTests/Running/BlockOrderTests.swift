import TestSupport
import Testing

@testable import Benchmarking

/// The order of blocks, simulated: costs are exact and the clock is a sum.
struct BlockOrderTests {
    /// Measures until the time is over; returns the blocks that each cell got, and the order of positions.
    private static func run(
        _ blocks: [Int], costs: [Double], seconds: Double?, controls: [Bool]? = nil
    ) -> (done: [Int], positions: [Int]) {
        var order = BlockOrder(blocks: blocks, controls: controls ?? blocks.map { _ in false })
        var spent = 0.0
        var positions: [Int] = []
        while let next = order.next(secondsLeft: seconds.map { $0 - spent }, cost: { costs[$0] }) {
            if let seconds, spent > seconds {
                break
            }
            spent += costs[next.position]
            positions.append(next.position)
            order.finish(next.position)
            order.postpone(secondsLeft: seconds.map { $0 - spent }, cost: { costs[$0] })
        }
        return (blocks.indices.map { position in positions.count { $0 == position } }, positions)
    }

    @Test func `without a limit of time each round has a block of each cell`() {
        #expect(Self.run([2, 3, 1], costs: [1, 1, 1], seconds: nil).positions == [0, 1, 2, 0, 1, 1])
    }

    @Test func `with enough time every cell gets all of its blocks`() {
        #expect(Self.run([10, 8, 24], costs: [1, 2, 0.5], seconds: 1_000).done == [10, 8, 24])
    }

    @Test func `all cells get six pairs before any gets more`() {
        #expect(Self.run([10, 10, 10], costs: [1, 1, 1], seconds: 20.5).done == [7, 7, 7])
        #expect(Self.run([10, 10, 10], costs: [1, 1, 1], seconds: 17.5).done.allSatisfy { $0 == 6 })
    }

    @Test func `where the time is too short the cheap cells get their pairs and the expensive one comes last`() {
        let (done, positions) = Self.run([10, 10, 10, 10], costs: [1, 30, 1, 2], seconds: 60)
        #expect(done[0] >= 6 && done[2] >= 6 && done[3] >= 6 && done[1] < 6)
        // Every cell was measured once first: before that its cost is not known.
        #expect(positions.prefix(4) == [0, 1, 2, 3])
    }

    @Test func `a control is never left for later`() {
        let done = Self.run([10, 10], costs: [5, 4], seconds: 30, controls: [true, false]).done
        #expect(done[0] >= 4 && done[0] >= done[1])
    }

    @Test func `a cell that was given up is not measured again`() {
        var order = BlockOrder(blocks: [3, 3], controls: [false, false])
        order.giveUp(0)
        #expect(order.next(secondsLeft: nil, cost: { _ in 1 })?.position == 1)
        order.giveUp(1)
        #expect(order.next(secondsLeft: 5, cost: { _ in 1 }) == nil)
    }
}
