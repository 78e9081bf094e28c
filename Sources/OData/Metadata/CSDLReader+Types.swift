import Soups

extension CSDLReader {
    func structuredType(
        _ element: CSDLElement, _ kind: EdmStructuredType.Kind, in namespace: String
    ) throws(Fault) -> EdmStructuredType {
        var type = EdmStructuredType(kind: kind, name: try element.required(.name))
        type.baseType = element[.baseType].map { resolve($0) }
        type.isAbstract = try element.flag(.abstract, default: false)
        type.isOpen = try element.flag(.openType, default: false)
        type.hasStream = try element.flag(.hasStream, default: false) || element.metadata(.hasStream) == "true"
        let keys = element.all(.key)
        guard keys.count <= 1 else {
            throw element.fault("the type \(type.name) has two Key elements")
        }
        if let key = keys.first {
            type.key = try keyParts(of: key, type.name)
        }
        let properties = element.all(.property)
        type.properties.reserveCapacity(properties.count)
        for property in properties {
            type.properties.append(try self.property(property))
        }
        for property in element.all(.navigationProperty) {
            type.navigation.append(try navigation(property))
        }
        return type
    }

    private func keyParts(of key: CSDLElement, _ type: String) throws(Fault) -> [EdmStructuredType.KeyPart] {
        let references = key.all(.propertyRef)
        var parts: [EdmStructuredType.KeyPart] = []
        for reference in references {
            parts.append(.init(try reference.required(.name), alias: reference[.alias]))
        }
        // Most keys have one part.
        guard parts.count > 1 else {
            return parts
        }
        var names: Set<ByteKey> = []
        var paths: Set<ByteKey> = []
        for (part, reference) in zip(parts, references) {
            guard names.insert(ByteKey(part.alias ?? part.path)).inserted, paths.insert(ByteKey(part.path)).inserted
            else {
                throw reference.fault("duplicate property \(part.path) in the key of \(type)")
            }
        }
        return parts
    }

    private func property(_ element: CSDLElement) throws(Fault) -> EdmProperty {
        let name = try element.required(.name)
        let type = try type(of: element, named: .type)
        let isConcurrencyToken = element[.concurrencyMode] == "Fixed"
        guard !element.metadataAttributes.isEmpty else {
            return EdmProperty(name, type, isConcurrencyToken: isConcurrencyToken)
        }
        var mapping: EdmFeedMapping?
        if let target = element.metadata(.feedTargetPath) {
            mapping = EdmFeedMapping(
                targetPath: target, sourcePath: element.metadata(.feedSourcePath),
                keepInContent: element.metadata(.feedKeepInContent) != "false",
                namespace: element.metadata(.feedNamespace))
        }
        var property = EdmProperty(name, type, isConcurrencyToken: isConcurrencyToken, feedMapping: mapping)
        property.storeGeneratedPattern = element.metadata(.storeGeneratedPattern)
        return property
    }

    func enumType(_ element: CSDLElement) throws(Fault) -> EdmEnumType {
        var type = EdmEnumType(name: try element.required(.name))
        if let underlying = element[.underlyingType] {
            guard let primitive = EdmPrimitiveType(named: canonical(underlying)), primitive.isInteger else {
                throw element.fault("the underlying type of the enumeration \(type.name) must be an integer type")
            }
            type.underlyingType = primitive
        }
        type.isFlags = try element.flag(.isFlags, default: false)
        var next: Int64? = 0
        var names: Set<ByteKey> = []
        for member in element.all(.member) {
            let name = try member.required(.name)
            if let text = member[.value] {
                guard let value = Int64(text) else {
                    throw member.fault("the value of the enumeration member \(name) must be an integer")
                }
                next = value
            }
            guard let value = next, type.underlyingType.includes(integer: value) else {
                throw member.fault("the value of the enumeration member \(name) is out of range")
            }
            guard names.insert(ByteKey(name)).inserted else {
                throw member.fault("duplicate enumeration member \(name)")
            }
            type.members.append(EdmEnumType.Member(name, value))
            next = value == .max ? nil : value + 1
        }
        return type
    }

    func typeDefinition(_ element: CSDLElement) throws(Fault) -> EdmTypeDefinition {
        let name = try element.required(.name)
        let type = canonical(try element.required(.underlyingType))
        let underlying = EdmTypeReference(type, facets: try facets(of: element, type))
        guard underlying.primitiveType?.isKnown(in: .v4) == true || underlying.name == "Edm.PrimitiveType" else {
            throw element.fault("the underlying type of \(name) must be a primitive type")
        }
        return EdmTypeDefinition(name: name, underlying: underlying)
    }

    func operation(_ element: CSDLElement, _ kind: EdmOperation.Kind) throws(Fault) -> EdmOperation {
        var operation = EdmOperation(kind: kind, name: try element.required(.name))
        operation.isBound = try element.flag(.isBound, default: false)
        operation.isComposable = try element.flag(.isComposable, default: false)
        operation.parameters = try parameters(of: element)
        if element[.returnType] != nil {
            operation.returnType = try type(of: element, named: .returnType)
        } else if let result = element.all(.returnType).first {
            operation.returnType = try type(of: result, named: .type)
        }
        guard kind == .action || operation.returnType != nil || !element.isV4 else {
            throw element.fault("the function \(operation.name) has no return type")
        }
        guard !operation.isBound || !operation.parameters.isEmpty else {
            throw element.fault("\(operation.name) is bound, but has no binding parameter")
        }
        return operation
    }

    func parameters(of element: CSDLElement) throws(Fault) -> [EdmOperation.Parameter] {
        var parameters: [EdmOperation.Parameter] = []
        var names: Set<ByteKey> = []
        for parameter in element.all(.parameter) {
            let name = try parameter.required(.name)
            guard names.insert(ByteKey(name)).inserted else {
                throw parameter.fault("duplicate parameter \(name)")
            }
            parameters.append(EdmOperation.Parameter(name, try type(of: parameter, named: .type)))
        }
        return parameters
    }
}
