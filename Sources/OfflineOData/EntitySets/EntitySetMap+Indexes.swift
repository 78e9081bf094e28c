import OData
import Soups

extension EntitySetMap {
    /// The indexes of a set's soup: on its key text, on `__local__`, on the key properties and foreign keys, and those
    /// of its settings.
    func indexSpecs(of set: MappedEntitySet, _ derivedTypes: DerivedTypes) -> [IndexSpec] {
        var specs: [IndexSpec] = [.string(RowMember.key), .string("__local__")]
        var seen = Set(specs.map { ByteKey($0.path) })
        let foreignKeys = references.filter { ByteKey($0.dependent) == ByteKey(set.name) }.flatMap(\.foreignKey)
        for path in set.key.map({ $0.replacingSlashes }) + foreignKeys where seen.insert(ByteKey(path)).inserted {
            specs.append(IndexSpec(path: path, type: indexType(of: path, in: set, derivedTypes)))
        }
        for spec in set.settings.indexSpecs {
            if let index = specs.firstIndex(where: { ByteKey($0.path) == ByteKey(spec.path) }) {
                specs[index] = spec
            } else {
                specs.append(spec)
            }
        }
        return specs
    }

    /// json1 for numbers and booleans, whose cells tell a number from a text; string for everything else.
    private func indexType(
        of path: String, in set: MappedEntitySet, _ derivedTypes: DerivedTypes
    ) -> IndexType {
        guard let model, let entityType = set.entityType else { return .string }
        let types = [entityType] + derivedTypes.derived(from: entityType)
        let declared = types.lazy.compactMap { model.property(along: path.dottedNames, of: $0)?.type }.first
        guard let type = declared else { return .string }
        let primitive =
            type.primitiveType ?? model.typeDefinition(type.name).flatMap { $0.underlying.primitiveType }
        guard let primitive else { return .string }
        return primitive.isNumeric || primitive == .boolean ? .json1 : .string
    }
}

extension EdmModel {
    /// The property at the end of a path of properties.
    func property(along names: [String], of type: String) -> EdmProperty? {
        var owner = type
        var found: EdmProperty?
        for name in names {
            found = property(name, of: owner)
            guard let found else { return nil }
            owner = found.type.name
        }
        return found
    }
}

extension String {
    /// A path of OData as a path of an index: `A/B` is `A.B`.
    var replacingSlashes: String {
        utf8.contains(UInt8(ascii: "/")) ? segments.joined(separator: ".") : self
    }
}
