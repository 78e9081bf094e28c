import OData
import Soups

/// Refuses queries that need related rows elsewhere than at the end of a path of `$expand`: the rows of a soup do not
/// have them, and an answer without them would be wrong.
struct RelationUse {
    let run: SoupQueryRun
    /// The soups whose rows keep related entities as members.
    let inlineSoups: Set<ByteKey>

    /// Checks the options of a query, with those of `$expand`.
    ///
    /// - Throws: `unsupported` with the offset of the path.
    func check() throws(Fault) { try check(run.options, of: run.soup, inside: nil) }

    private func check(
        _ options: PreparedOptions, of soup: String, inside outer: SystemOption?
    ) throws(Fault) {
        if !inlineSoups.contains(ByteKey(soup)) {
            for (option, use) in options.pathUses where isOverRelation(use, of: soup) {
                throw run.query.query.located(
                    Fault(
                        .unsupported,
                        "\(use.name) leads to rows of another soup: paths over relations (soupRelations) are not supported "
                            + "in $\(option.rawValue); query the other soup",
                        offset: use.offset), in: outer ?? option)
            }
        }
        for expansion in options.expansions {
            try check(expansion, of: soup)
            guard options.applies, let name = expansion.firstName, run.relation(name, of: soup) != nil else { continue }
            throw run.query.query.located(
                Fault(
                    .unsupported, "the results of $apply have no related rows; leave $expand out",
                    offset: expansion.offset), in: .expand)
        }
    }

    private func check(_ expansion: PreparedOptions.Expansion, of soup: String) throws(Fault) {
        guard let first = expansion.firstName, let relation = run.relation(first, of: soup) else { return }
        guard expansion.name != nil || inlineSoups.contains(ByteKey(soup)) else {
            throw run.query.query.located(
                Fault(
                    .unsupported,
                    "a path of $expand cannot continue after \(first), whose rows are in another soup; nest another $expand "
                        + "in its parentheses",
                    offset: expansion.offset), in: .expand)
        }
        guard !expansion.isCount || relation.isCollection else {
            throw run.query.query.located(
                Fault(.typeMismatch, "$count needs a collection", offset: expansion.offset, context: [.path(first)]),
                in: .expand)
        }
        try check(expansion.options, of: relation.soup, inside: .expand)
    }

    /// Whether a path asks for related rows. A name alone may be a property of the row that has the name of a relation.
    private func isOverRelation(_ use: PathUse, of soup: String) -> Bool {
        guard use.isFollowed || use.isNavigation else { return false }
        return run.relation(use.name, of: soup) != nil
    }
}
