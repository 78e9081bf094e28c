import Foundation
import OData
import StepCounting
import Testing

/// How the cost of each construct grows with its size. Counted steps gate here; `ci/growth` measures processor time.
@Suite struct GrowthTests {
    private static let sizes = [4_000, 8_000, 16_000]

    /// Fewer steps grow in jumps.
    private static let noise = 64.0

    @Test(.enabled(if: StepCounter.isCounting), arguments: GrowthConstruct.all)
    func `steps of every construct grow with its size`(construct: GrowthConstruct) throws {
        let steps = try Self.sizes.map { size in
            let work = try construct.prepared(size)
            return try #require(try StepCounter.steps(of: work))
        }
        // Both doublings must be steep, because a hash table that grows makes one steep.
        let isSteep = zip(steps, steps.dropFirst()).allSatisfy { small, large in
            Double(large) > Double(small) * pow(2, GrowthConstruct.exponent) + Self.noise
        }
        #expect(!isSteep, "\(construct.name): \(steps) steps")
    }

    /// A counter that a reader does not reach would hold for any reader.
    @Test(.enabled(if: StepCounter.isCounting), arguments: GrowthConstruct.parsed)
    func `the steps of every reader are counted`(construct: GrowthConstruct) throws {
        let work = try construct.prepared(Self.sizes[0])
        let steps = try #require(try StepCounter.steps(of: work))
        #expect(steps > Self.sizes[0] / 64, "\(construct.name): \(steps) steps")
    }

    /// A construct that is refused would measure nothing.
    @Test(arguments: GrowthConstruct.all)
    func `every construct is read`(construct: GrowthConstruct) throws {
        let work = try construct.prepared(2_000)
        #expect(throws: Never.self) { try work() }
    }
}

extension GrowthConstruct: CustomTestStringConvertible {
    var testDescription: String { name }
}
