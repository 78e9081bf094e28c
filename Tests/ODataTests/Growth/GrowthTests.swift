import Foundation
import OData
import Testing

/// How the cost of each construct grows with its size. Counted steps gate here; `ci/growth` measures processor time.
@Suite struct GrowthTests {
    @Test(arguments: GrowthConstruct.evaluations)
    func `steps of evaluations grow with the input`(construct: GrowthConstruct) throws {
        let steps = try [4_000, 8_000, 16_000].map { try #require(try construct.steps($0)) }
        for (small, large) in zip(steps, steps.dropFirst()) {
            let bound = Double(small) * pow(2, GrowthConstruct.exponent) + 16
            #expect(Double(large) <= bound, "\(construct.name): \(steps) steps")
        }
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
