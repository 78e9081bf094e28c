import Soups

extension PayloadTypes {
    /// The declared type of a document that is one property. It is the type that the context URL leads to or, if that
    /// is not in the model, the type of the property of this name in the expected entity type, or the result type of
    /// the operation of this name. Nil if neither exists.
    func rootType(named name: String, of entityType: String?, context: String? = nil) -> EdmTypeReference? {
        if let context, let found = type(ofContext: context), !found.isOfSet {
            return found.type
        }
        if let entityType, let property = model.property(name, of: entityType) {
            return property.type
        }
        return model.operationImport(name)?.returnType
    }

    /// Converts a property that is a whole document to its declared type, or to the structured type that it states.
    func root(
        _ value: ODataValue, named name: String, stated: String?, of entityType: String?, context: String?,
        at offset: Int
    ) throws(Fault) -> ODataValue {
        if let declared = rootType(named: name, of: entityType, context: context) {
            return try convert(value, to: declared, stated: stated, at: offset)
        }
        guard let stated, model.structuredType(StatedType(stated).itemName) != nil else {
            return StatedComplex.withoutTypes(value)
        }
        return try convert(value, to: EdmTypeReference(text: stated), stated: nil, at: offset)
    }
}
