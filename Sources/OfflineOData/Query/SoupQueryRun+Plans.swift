import OData
import Soups

extension SoupQueryRun {
    /// How the indexes of the soup answer the filter, and how a walk over its table does.
    func plans(for soup: RegisteredSoup) -> (indexed: FilterPlan, walking: FilterPlan) {
        guard let filter = options.filter, options.computations.isEmpty, query.usesIndexes, soup.canBeNamed else {
            let plan = FilterPlan(evaluating: options.filter)
            return (plan, plan)
        }
        return (
            FilterPlan(filter, soup: soup, walks: false), FilterPlan(filter, soup: soup, walks: true)
        )
    }
}
