import JSONText
import Soups

extension ODataChangeRequest {
    /// The types that the values of the change follow, if there is a model.
    struct Typing {
        let types: ChangeTypes
        /// The qualified name of the type of the entity.
        let entityType: String
        /// Whether the entity has a type derived from that of its set.
        let isDerived: Bool
    }

    /// Finds the type of the entity: the one that it states, otherwise `entityType`, otherwise that of the set; nil if
    /// there is no model or both are unknown. Throws `typeMismatch` for a type that the model or the set does not have.
    func typing() throws(Fault) -> Typing? {
        guard let model else { return nil }
        let types = ChangeTypes(model: model, version: version, acceptsUndeclared: acceptsUndeclared)
        let declared = model.entitySet(entitySet).map { model.resolve($0.entityType) }
        var type = declared
        if let entityType {
            guard model.structuredType(entityType) != nil else {
                throw Fault(.typeMismatch, "the entity type is not in the metadata")
            }
            type = try derived(model.resolve(entityType), from: declared, model)
        }
        if let stated = ChangeTypes.statedType(of: properties) ?? original.flatMap({ ChangeTypes.statedType(of: $0) }),
            type != nil
        {
            type = try derived(model.resolve(StatedType(stated).text), from: type, model)
        }
        guard let type else { return nil }
        let isDerived = (declared ?? entityType.map { model.resolve($0) }).map { !$0.hasBytes(of: type) }
        return Typing(types: types, entityType: type, isDerived: isDerived ?? false)
    }

    /// The type, if it is the other one or derived from it.
    private func derived(_ type: String, from base: String?, _ model: EdmModel) throws(Fault) -> String {
        guard let base, !model.type(type, isOrDerivesFrom: base) else {
            return type
        }
        throw Fault(
            .typeMismatch, "the type of the entity is neither the type of the entity set nor derived from it")
    }
}

extension ODataChangeRequest.Typing {
    /// Whether two values of a property are the same by its declared type. Values that do not fit it are not.
    func areSame(_ value: JSONValue, _ original: JSONValue, named name: String) -> Bool {
        func read(_ value: JSONValue) -> ChangeValue? {
            try? types.value(value, named: name, of: entityType, path: ValuePath(name))
        }
        guard let new = read(value), let old = read(original) else {
            return false
        }
        return new == old
    }
}
