import OData
import Soups

/// The entity types of a model by the types that they derive from.
struct DerivedTypes {
    private var derivedTypes: [ByteKey: [String]] = [:]

    /// - Parameter model: The metadata; nil for no types.
    init(of model: EdmModel?) {
        guard let model else { return }
        for schema in model.schemas {
            for type in schema.entityTypes {
                let name = schema.namespace + "." + type.name
                for base in Self.bases(of: type, in: model) {
                    derivedTypes[ByteKey(base), default: []].append(name)
                }
            }
        }
    }

    /// The qualified names of the types that derive from one, in the order of the metadata.
    func derived(from type: String) -> [String] { derivedTypes[ByteKey(type)] ?? [] }

    private static func bases(of type: EdmStructuredType, in model: EdmModel) -> [String] {
        var bases: [String] = []
        var next = type.baseType.map { model.resolve($0) }
        // A cycle of base types is an error of the metadata, and ends here.
        while let base = next, !bases.contains(where: { ByteKey($0) == ByteKey(base) }) {
            bases.append(base)
            next = model.structuredType(base)?.baseType.map { model.resolve($0) }
        }
        return bases
    }
}
