import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import OfflineOData

/// A query gives what an evaluation of all rows gives, whatever the indexes are.
///
/// `SOUP_ODATA_PAIRS` sets how many pairs of a soup and a query are drawn for each back end, `SOUP_ODATA_SEED` from
/// which seed.
@Suite struct EqualityTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = Int(environment["SOUP_ODATA_PAIRS"] ?? "") ?? 10_000
    private static let seed = UInt64(environment["SOUP_ODATA_SEED"] ?? "") ?? UInt64.random(in: 0 ... .max)

    @Test(arguments: [BackEnd.plain, .cipher])
    func `a query gives what an evaluation of all rows gives`(backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        // Each back end has other soups.
        var run = EqualityRun(backEnd, seed: Self.seed &+ (backEnd.isKeyed ? 1 : 0))
        try run.run(Self.count, checksEvery: 2)
        print("\(run.pairs) pairs on \(backEnd.rawValue), \(run.refused) queries refused, SOUP_ODATA_SEED=\(Self.seed)")
        for line in DecisionLine.allCases {
            let tally = run.tallies[line] ?? EqualityRun.Tally()
            print("  \(line.rawValue): \(tally.exact) exact, \(tally.superset) superset, \(tally.residual) residual")
        }
        #expect(run.differences.isEmpty, "SOUP_ODATA_SEED=\(Self.seed): \(run.differences)")
    }
}
