import OData
import Soups

extension SoupQuery {
    /// Refuses what `$apply` cannot do over the rows of a soup.
    ///
    /// - Throws: `unsupported`.
    func checkApply() throws(Fault) {
        if let item = query.options.expansionWithApply {
            throw query.located(
                Fault(
                    .unsupported, "$apply in $expand over soups is not supported; leave it out",
                    offset: item.offset), in: .expand)
        }
        guard let steps = query.options.apply else { return }
        guard query.options.search == nil else {
            throw query.unsupported(
                .search, "$search after $apply over soups is not supported: it has no full-text index; filter instead")
        }
        guard steps.allSatisfy(Self.isSupported) else {
            throw query.unsupported(
                .apply,
                "$apply over soups takes filter, compute, groupby and aggregate; order and limit its results by "
                    + "$orderby, $skip and $top")
        }
    }

    private static func isSupported(_ step: Transformation) -> Bool {
        switch step {
        case .filter, .compute, .aggregate: true
        case .groupBy(_, let inner): inner.allSatisfy(isSupported)
        case .search, .orderBy, .skip, .top: false
        }
    }
}
