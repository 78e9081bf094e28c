import OData
import Soups
import Synchronization

/// The plans of one query for the soups that it ran over last.
///
/// A soup is known by all that the store says of it, at the time of the query. One that was altered, or registered
/// again with other indexes, by whatever process, is another one and gets a plan of its own.
final class KeptPlans: Sendable {
    private let plans = Mutex<[SoupPlan]>([])

    /// How many plans are kept. A query runs over few soups, but a soup may change.
    static let maximum = 4

    /// The plan of a filter for a soup.
    func plan(_ filter: ODataEvaluator?, soup: RegisteredSoup, usesIndexes: Bool) -> SoupPlan {
        let known = plans.withLock { plans in plans.first { $0.filter === filter && $0.soup == soup } }
        if let known {
            return known
        }
        // Made without the lock: others need not wait, and it does not matter whose plan is kept.
        let plan = SoupPlan(filter, soup: soup, usesIndexes: usesIndexes)
        plans.withLock { plans in
            if plans.count >= Self.maximum {
                plans.removeFirst()
            }
            plans.append(plan)
        }
        return plan
    }

    /// How many plans are kept now.
    var count: Int { plans.withLock(\.count) }
}
