import Soups

extension EdmModel {
    /// Throws `typeMismatch` for an entity type that is not in the model: nothing could be checked against it. Of the
    /// schemas to which the document refers nothing is known, so that their types are accepted.
    func requireType(_ name: String?) throws(Fault) {
        guard let name else { return }
        let resolved = resolve(name)
        guard structuredType(resolved) == nil, AbstractType(named: resolved) == nil, !isOfReferredSchema(resolved)
        else { return }
        throw Fault(.typeMismatch, "the entity type is not in the metadata", context: [.path(name)])
    }
}
