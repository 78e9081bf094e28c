import Soups

extension PreparedOptions {
    /// Whether the options have `$apply`.
    package var applies: Bool { !transformations.isEmpty }
}

extension PreparedTransformation {
    /// The paths of the step that start at the entities, not at what another step made of them.
    var pathUses: [PathUse] {
        switch self {
        case .filter(let predicate): predicate.pathUses
        case .compute(let items): items.flatMap(\.evaluator.pathUses)
        case .aggregate(let items): items.flatMap(\.source.pathUses)
        case .groupBy(let paths, let steps): paths.map(\.use) + steps.flatMap(\.pathUses)
        case .choose(let options): options.order.flatMap(\.evaluator.pathUses)
        }
    }
}

extension PreparedTransformation.Aggregate.Source {
    fileprivate var pathUses: [PathUse] {
        switch self {
        case .entities: []
        case .path(let path): [path.use]
        case .expression(let evaluator): evaluator.pathUses
        }
    }
}

extension PropertyPath {
    fileprivate var use: PathUse {
        PathUse(name: names.first ?? "", isFollowed: names.count > 1, isNavigation: startsAtNavigation, offset: offset)
    }
}
