import OData
import Soups

extension SoupQueryRun {
    /// How the query is answered over the soup as it is now.
    func plan(for soup: RegisteredSoup) -> SoupPlan {
        query.plans.plan(
            options.filter, soup: soup, usesIndexes: query.usesIndexes && options.computations.isEmpty)
    }
}
