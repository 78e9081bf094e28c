import TestSupport
import Testing

@testable import OfflineOData

@Suite struct TopologicalOrderTests {
    @Test func `the smallest number that needs nothing comes first`() {
        var order = TopologicalOrder([[2], [], [], [1]])
        #expect(order.run() == nil)
        #expect(order.result == [1, 2, 0, 3])
    }

    @Test func `a cycle is returned, and the order goes on when it is cut`() {
        var order = TopologicalOrder([[1], [2], [0], []])
        let cycle = order.run()
        #expect(cycle == [0, 1, 2])
        order.cut(from: 1, to: 2)
        #expect(order.run() == nil)
        #expect(order.result == [3, 1, 0, 2])
    }

    @Test func `random needs are met`() {
        let seed: UInt64 = 7
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let count = Int.random(in: 1...30, using: &random)
            let needs = (0..<count).map { number in
                (0..<number).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            }
            var order = TopologicalOrder(needs)
            #expect(order.run() == nil, "seed \(seed)")
            #expect(order.result.sorted() == Array(0..<count), "seed \(seed)")
            for (position, number) in order.result.enumerated() {
                #expect(needs[number].allSatisfy { order.result[..<position].contains($0) }, "seed \(seed)")
            }
        }
    }
}
