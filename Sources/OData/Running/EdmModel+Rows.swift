import Soups

extension EdmModel {
    /// The model with the members that every row of a store has as properties of its entity types. A type's own
    /// property of such a name stays. The schemas do not show them, so that nothing is copied.
    package func describingRows() -> EdmModel {
        var model = self
        model.describesRows = true
        return model
    }

    /// The model with further properties of an entity type, whose types are not known. A type's own property of such a
    /// name stays.
    package func adding(_ names: [String], toEntityType name: String) -> EdmModel {
        let own = Set(properties(of: name).map { ByteKey($0.name) })
        let added = names.filter { !own.contains(ByteKey($0)) }
            .map { EdmProperty($0, EdmTypeReference(text: "Edm.Untyped")) }
        let name = resolve(name)
        let schemas = schemas.map { schema in
            var schema = schema
            for index in schema.entityTypes.indices
            where name.hasBytes(of: schema.namespace + "." + schema.entityTypes[index].name) {
                schema.entityTypes[index].properties += added
            }
            return schema
        }
        var model = EdmModel(schemas: schemas)
        model.refer(as: self)
        model.describesRows = describesRows
        return model
    }
}
