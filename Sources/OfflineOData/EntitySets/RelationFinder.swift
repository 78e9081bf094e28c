import OData
import Soups

/// Finds the foreign keys between the sets of a map: in the model's referential constraints, and in the relations that
/// the caller names.
struct RelationFinder {
    private let map: EntitySetMap
    private let derivedTypes: DerivedTypes
    private(set) var references: [EntityReference] = []

    init(_ map: EntitySetMap, _ derivedTypes: DerivedTypes) {
        self.map = map
        self.derivedTypes = derivedTypes
        for set in map.sets {
            for relation in set.settings.relations {
                add(relation, of: set)
            }
        }
        guard let model = map.model else { return }
        for set in map.sets {
            guard let type = set.entityType else { continue }
            for navigation in model.navigation(of: type) where !navigation.containsTarget {
                add(navigation, of: set, type, model)
            }
        }
        for set in map.sets {
            addOwn(of: set.entityType.map(derivedTypes.derived(from:)) ?? [], to: set, model)
        }
    }

    /// Adds what types derived from that of a set declare themselves. A relation is one of all rows of a soup: it is
    /// left out where rows of other types could be taken for related ones.
    private mutating func addOwn(of types: [String], to set: MappedEntitySet, _ model: EdmModel) {
        let declared = types.flatMap { type in
            (model.structuredType(type)?.navigation ?? []).map { (type: type, navigation: $0) }
        }
        let named = Dictionary(grouping: declared) { ByteKey($0.navigation.name) }
        for (type, navigation) in declared where !navigation.containsTarget && !isKnown(navigation.name, in: set) {
            let isOnly = named[ByteKey(navigation.name)]?.count == 1
            if isOnly, hasOwnForeignKey(navigation, type, of: types, set, model) {
                add(navigation, of: set, type, model)
            }
        }
    }

    /// Whether no row of a set but one of a type has a property of a foreign key of the type.
    private func hasOwnForeignKey(
        _ navigation: EdmNavigationProperty, _ type: String, of types: [String], _ set: MappedEntitySet,
        _ model: EdmModel
    ) -> Bool {
        let others = types.filter { !model.type($0, isOrDerivesFrom: type) } + [set.entityType].compactMap(\.self)
        return navigation.constraints.allSatisfy { constraint in
            let name = constraint.property.segments.first ?? constraint.property
            return others.allSatisfy { model.property(name, of: $0) == nil && !model.isOpen($0) }
        }
    }

    private func isKnown(_ name: String, in set: MappedEntitySet) -> Bool {
        references.contains { reference in
            ByteKey(reference.dependent) == ByteKey(set.name)
                && reference.navigation.map { ByteKey($0) } == ByteKey(name)
                || ByteKey(reference.principal) == ByteKey(set.name)
                    && reference.inverse.map { ByteKey($0) } == ByteKey(name)
        }
    }

    /// A relation of the caller. It leads from the dependent to the principal entity where it ends at the key of the
    /// other set.
    private mutating func add(_ relation: SoupRelation, of set: MappedEntitySet) {
        guard let target = map.set(inSoup: relation.soup) else { return }
        let isPrincipal =
            relation.isCollection || relation.foreign.map { ByteKey($0) } != target.key.map { ByteKey($0) }
        append(
            EntityReference(
                dependent: isPrincipal ? target.name : set.name,
                foreignKey: isPrincipal ? relation.foreign : relation.local,
                principal: isPrincipal ? set.name : target.name,
                principalKey: isPrincipal ? relation.local : relation.foreign,
                navigation: isPrincipal ? nil : relation.name, inverse: isPrincipal ? relation.name : nil,
                isCollection: isPrincipal ? relation.isCollection : true, isRequired: false, cascades: false,
                owners: nil))
    }

    /// Adds what a navigation property says that a type of a set has.
    private mutating func add(
        _ navigation: EdmNavigationProperty, of set: MappedEntitySet, _ type: String, _ model: EdmModel
    ) {
        guard let target = map.target(of: navigation, in: set), let targetType = target.entityType else { return }
        let inverse = inverse(of: navigation, of: type, in: targetType, model)
        if !navigation.constraints.isEmpty {
            let keys = navigation.constraints.map { $0.property.replacingSlashes }
            append(
                EntityReference(
                    dependent: set.name, foreignKey: keys, principal: target.name,
                    principalKey: navigation.constraints.map { $0.referencedProperty.replacingSlashes },
                    navigation: navigation.name, inverse: inverse?.name,
                    isCollection: inverse?.type.isCollection ?? true,
                    isRequired: isRequired(keys, of: type, model), cascades: inverse?.onDelete == "Cascade",
                    owners: owners(type, in: set)))
        } else if !navigation.dependentConstraints.isEmpty {
            let keys = navigation.dependentConstraints.map { $0.referencedProperty.replacingSlashes }
            append(
                EntityReference(
                    dependent: target.name, foreignKey: keys, principal: set.name,
                    principalKey: navigation.dependentConstraints.map { $0.property.replacingSlashes },
                    navigation: inverse?.name, inverse: navigation.name, isCollection: navigation.type.isCollection,
                    isRequired: isRequired(keys, of: targetType, model), cascades: navigation.onDelete == "Cascade",
                    owners: owners(model.resolve(navigation.type.name), in: target)))
        }
    }

    /// The types whose entities have what a type declares; nil for all of a set.
    private func owners(_ type: String, in set: MappedEntitySet) -> RowTypes? {
        guard let entityType = set.entityType,
            derivedTypes.derived(from: entityType).contains(where: { ByteKey($0) == ByteKey(type) })
        else { return nil }
        return RowTypes([type] + derivedTypes.derived(from: type))
    }

    /// Adds a foreign key, unless it is known; a name that only one end has is taken over.
    private mutating func append(_ new: EntityReference) {
        let index = references.firstIndex { known in
            ByteKey(known.dependent) == ByteKey(new.dependent) && ByteKey(known.principal) == ByteKey(new.principal)
                && known.foreignKey.map { ByteKey($0) } == new.foreignKey.map { ByteKey($0) }
        }
        guard let index else {
            references.append(new)
            return
        }
        let known = references[index]
        references[index] = EntityReference(
            dependent: known.dependent, foreignKey: known.foreignKey, principal: known.principal,
            principalKey: known.principalKey, navigation: known.navigation ?? new.navigation,
            inverse: known.inverse ?? new.inverse,
            isCollection: known.inverse == nil ? new.isCollection : known.isCollection,
            isRequired: known.isRequired || new.isRequired, cascades: known.cascades || new.cascades,
            owners: known.owners)
    }

    /// The navigation property that leads back: the partner, the other end of the association, or the only one of the
    /// type, where this one is the only foreign key to that type.
    private func inverse(
        of navigation: EdmNavigationProperty, of type: String, in targetType: String, _ model: EdmModel
    ) -> EdmNavigationProperty? {
        let candidates = model.navigation(of: targetType)
        if let partner = navigation.partner {
            return candidates.first { ByteKey($0.name) == ByteKey(partner) }
        }
        if let association = navigation.association {
            return candidates.first { candidate in
                candidate.association == association
                    && (ByteKey(candidate.name) != ByteKey(navigation.name) || type != targetType)
            }
        }
        if let partnered = candidates.first(where: { $0.partner.map { ByteKey($0) } == ByteKey(navigation.name) }) {
            return partnered
        }
        let back = candidates.filter { candidate in
            candidate.partner == nil && candidate.constraints.isEmpty
                && model.type(type, isOrDerivesFrom: candidate.type.name)
        }
        guard back.count == 1 else { return nil }
        // Of several foreign keys to types that have the collection, nothing says which of them it belongs to. One that
        // another collection names as its partner is not among them.
        let partners = Set(candidates.compactMap { $0.partner.map { ByteKey($0) } })
        let alike = model.navigation(of: type).filter { other in
            other.partner == nil && !other.constraints.isEmpty && !partners.contains(ByteKey(other.name))
                && model.type(targetType, isOrDerivesFrom: other.type.name)
                && model.navigation(back[0].name, of: other.type.name) != nil
        }
        return alike.count < 2 ? back[0] : nil
    }

    private func isRequired(_ keys: [String], of type: String, _ model: EdmModel) -> Bool {
        keys.contains { key in
            model.property(along: key.dottedNames, of: type)?.type.isNullable == false
        }
    }
}

extension EntitySetMap {
    /// The mapped set that a navigation property leads to: by its binding, or the only set of its type.
    func target(of navigation: EdmNavigationProperty, in set: MappedEntitySet) -> MappedEntitySet? {
        guard let model else { return nil }
        // The navigation property is the last part of the path.
        let isLast: (String) -> Bool = { path in path.segments.last.map { ByteKey($0) } == ByteKey(navigation.name) }
        if let binding = model.entitySet(set.name)?.bindings.first(where: { isLast($0.path) }) {
            let name = binding.target.segments.last ?? binding.target
            return find(name)
        }
        let wanted = model.resolve(navigation.type.name)
        let candidates = sets.filter { $0.entityType == wanted && !$0.isSingleton }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
