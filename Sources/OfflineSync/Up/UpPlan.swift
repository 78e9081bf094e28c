import Soups

/// What a sync up does: its definition, and how it sends.
struct UpPlan: Sendable {
    let definition: UpDefinition
    let part: UpPart
    private let way: Way

    private enum Way: Sendable {
        case batches(any BatchSender)
        case trees(TreeParts)
    }

    /// - Throws: `invalidSync`, which names the key; `unknownTarget`.
    init(_ state: SyncState, registry: TargetRegistry) throws(Fault) {
        let definition = try UpDefinition(state.target, isRegistered: registry.hasUpTarget(state.target))
        try state.options.checkFields(of: .up)
        self.definition = definition
        let plain = UpPart(definition, soup: state.soupName, options: state.options).begun(by: state)
        part = definition.trees.map { TreeParts($0, definition, state.options).begun(by: state).parent } ?? plain
        switch definition.kind {
        case .single: way = .batches(SingleTarget())
        case .composite: way = .batches(CompositeTarget(batchSize: definition.batchSize ?? CompositeCall.greatestCount))
        case .collection: way = .batches(CollectionTarget(batchSize: definition.batchSize ?? 200))
        case .custom: way = .batches(try registry.upTarget(definition.given))
        case .parentChildren:
            guard let trees = definition.trees else { throw DefinitionReader.wrong("parent", "is missing") }
            way = .trees(TreeParts(trees, definition, state.options).begun(by: state))
        }
    }

    /// What a definition says of the rows of one of its soups.
    static func part(of soup: String, _ definition: UpDefinition, _ sync: SyncState) -> UpPart {
        guard let trees = definition.trees else {
            return UpPart(definition, soup: soup, options: sync.options)
        }
        let parts = TreeParts(trees, definition, sync.options)
        return ByteKey(soup) == ByteKey(parts.children.soup) ? parts.children : parts.parent
    }

    /// Checks that the soups of a run exist and have the indexes that it needs.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`.
    func checkSoups(_ check: SoupCheck) throws(Fault) {
        switch way {
        case .batches:
            try check.requireIndex(part.idField)
            try check.requireFlagIndex()
        case .trees(let trees):
            for part in [trees.parent, trees.children] {
                try check.of(part.soup).requireIndex(part.idField)
                try check.of(part.soup).requireFlagIndex()
            }
            try check.of(trees.children.soup).requireIndex(trees.parentIdField)
        }
    }

    /// Creates a run.
    func run(_ context: UpContext, _ progress: UpProgress, _ options: SyncManagerOptions) -> any SyncRun {
        switch way {
        case .batches(let sender):
            return UpRun(self, sender: sender, context: context, progress: progress, options: options)
        case .trees(let trees):
            return TreeRun(
                trees, holdsDoubts: definition.doubt == .hold, context: context, progress: progress, options: options)
        }
    }
}
