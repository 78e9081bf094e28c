import Soups

/// The names of relations, whose entities are found elsewhere than in the entity that has them.
package struct RelationNames: Sendable {
    /// Those of the outermost entities, in the order in which they were given.
    let outermost: [String]
    private let outermostKeys: Set<ByteKey>
    private let others: [Owner]

    /// The relations of entities that are related to others.
    package struct Owner: Sendable {
        /// The type of the entities; nil if it is not known.
        let type: String?
        let names: Set<ByteKey>

        package init(type: String?, names: [String]) {
            self.type = type
            self.names = Set(names.map { ByteKey($0) })
        }
    }

    /// - Parameters:
    ///   - names: The relations of the outermost entities.
    ///   - others: Those of the related ones, by their types; if there are none, these have the same relations.
    package init(_ names: [String] = [], others: [Owner] = []) {
        outermost = names
        outermostKeys = Set(names.map { ByteKey($0) })
        self.others = others
    }

    /// Whether entities may have a relation.
    ///
    /// - Parameters:
    ///   - type: The type of the entities; nil if it is not known.
    ///   - isOutermost: Whether the entities are the outermost ones.
    func contains(_ name: String, ofType type: String?, in model: EdmModel?, isOutermost: Bool) -> Bool {
        guard !isOutermost, !others.isEmpty else {
            return outermostKeys.contains(ByteKey(name))
        }
        return others.contains { owner in
            guard owner.names.contains(ByteKey(name)) else { return false }
            guard let type, let ownerType = owner.type, let model else { return true }
            return model.type(type, isOrDerivesFrom: ownerType)
        }
    }
}
