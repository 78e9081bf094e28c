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

    /// Finds the type of the entity: `entityType`, otherwise that of the set; nil if there is no model or neither is
    /// known. Throws `typeMismatch` for a type that the model or the set does not have.
    func typing() throws(Fault) -> Typing? {
        guard let model else { return nil }
        let types = ChangeTypes(model: model, version: version)
        let declared = model.entitySet(entitySet).map { model.resolve($0.entityType) }
        guard let entityType else {
            return declared.map { Typing(types: types, entityType: $0, isDerived: false) }
        }
        guard model.structuredType(entityType) != nil else {
            throw Fault(.typeMismatch, "the entity type is not in the metadata")
        }
        let type = model.resolve(entityType)
        guard let declared else {
            return Typing(types: types, entityType: type, isDerived: false)
        }
        guard model.type(type, isOrDerivesFrom: declared) else {
            throw Fault(.typeMismatch, "the entity type is neither the type of the entity set nor derived from it")
        }
        return Typing(types: types, entityType: type, isDerived: !type.hasBytes(of: declared))
    }

}

extension ODataChangeRequest.Typing {
    /// Whether two values of a property are the same by its declared type. Values that do not fit it are not.
    func areSame(_ value: JSONValue, _ original: JSONValue, named name: String) -> Bool {
        func read(_ value: JSONValue) -> ChangeValue? {
            try? types.value(value, named: name, of: entityType, path: name)
        }
        guard let new = read(value), let old = read(original) else {
            return false
        }
        return new == old
    }
}
