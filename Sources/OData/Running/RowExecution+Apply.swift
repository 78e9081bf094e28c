import Soups

extension RowExecution {
    /// Whether the filters with which `$apply` begins keep a row.
    package mutating func startsPipeline(with row: RowNode) throws(Fault) -> Bool {
        for step in options.transformations {
            guard case .filter(let predicate) = step else { return true }
            guard try execution.evaluate(predicate, for: .data(row)).boolean == true else { return false }
        }
        return true
    }

    /// The steps after the filters with which `$apply` begins.
    private var laterSteps: [PreparedTransformation] {
        Array(
            options.transformations.drop { step in
                if case .filter = step {
                    true
                } else {
                    false
                }
            })
    }

    /// The names of the members of a row that the later steps look at; nil if they may look at any of them, or if the
    /// rows themselves are the results.
    package var appliedMembers: [String]? { laterSteps.first?.readMembers }

    /// The texts of the results of `$apply` and of the options after it, and their number before `$skip` and `$top` if
    /// it is asked for.
    ///
    /// - Parameter rows: The rows that the first filters keep.
    package mutating func applied(to rows: [RowNode]) throws(Fault) -> (texts: [[UInt8]], count: Int64?) {
        var rest = options
        rest.transformations = laterSteps
        let (texts, count) = try execution.run(rest, on: rows.lazy.map { RowResult.data($0) }) { result -> [UInt8] in
            var text: [UInt8] = []
            RowText.append(result, to: &text)
            return text
        }
        return (texts, count)
    }
}

extension RowNode {
    /// A row with the members of some names alone, which does not keep the others in memory.
    package func keeping(_ names: [String]) -> RowNode {
        RowText.text(of: self, keeping: names).withUnsafeBytes { RowDocument(checked: $0).root }
    }
}

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

extension PreparedTransformation {
    /// The names of the members that the step looks at, if its results have nothing else of the entities.
    fileprivate var readMembers: [String]? {
        switch self {
        case .aggregate(let items):
            var names: [String] = []
            for item in items {
                guard let read = item.source.readMembers else { return nil }
                names += read
            }
            return names
        case .groupBy(let paths, let steps):
            guard steps.count < 2, paths.allSatisfy(\.isPlain) else { return nil }
            let names = paths.map { $0.names[0] }
            guard let step = steps.first else { return names }
            guard case .aggregate = step, let read = step.readMembers else { return nil }
            return names + read
        case .filter, .compute, .choose: return nil
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

extension PreparedTransformation.Aggregate.Source {
    fileprivate var readMembers: [String]? {
        switch self {
        case .entities: []
        case .path(let path): path.isPlain ? [path.names[0]] : nil
        case .expression(let evaluator): evaluator.readMembers
        }
    }
}

extension PropertyPath {
    fileprivate var use: PathUse {
        PathUse(name: names.first ?? "", isFollowed: names.count > 1, isNavigation: startsAtNavigation, offset: offset)
    }
}
