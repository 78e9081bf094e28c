import OData
import Soups

extension SoupQueryRun {
    /// How the indexes of the soup answer the filter, or how a walk over its table does.
    func plan(for soup: RegisteredSoup, walks: Bool) -> FilterPlan {
        guard let filter = options.filter, options.computations.isEmpty, query.usesIndexes, soup.canBeNamed else {
            return FilterPlan(evaluating: options.filter)
        }
        return FilterPlan(filter, soup: soup, walks: walks)
    }

    /// The plan of the statement that finds candidates first.
    func firstPlan(for soup: RegisteredSoup) -> FilterPlan {
        let indexed = plan(for: soup, walks: false)
        return indexed.narrows ? indexed : plan(for: soup, walks: true)
    }

    /// The statement that finds candidates first.
    func firstStatement(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        guard plan.narrows else {
            return .walk(plan, soup, after: .min)
        }
        guard let point = plan.point else {
            return .ids(plan, soup, after: .min)
        }
        return .point(point, plan, soup, after: .min)
    }
}
