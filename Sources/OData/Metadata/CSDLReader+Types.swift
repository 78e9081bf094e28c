import Soups

extension CSDLReader {
    func structuredType(
        _ element: CSDLElement, _ kind: EdmStructuredType.Kind, in namespace: String
    ) throws(Fault) -> EdmStructuredType {
        var type = EdmStructuredType(kind: kind, name: try element.required("Name"))
        type.baseType = element["BaseType"].map { resolve($0) }
        type.isAbstract = try element.flag("Abstract", default: false)
        type.isOpen = try element.flag("OpenType", default: false)
        type.hasStream = try element.flag("HasStream", default: false) || element.metadata("HasStream") == "true"
        let keys = element.all("Key")
        guard keys.count <= 1 else {
            throw element.fault("the type \(type.name) has two Key elements")
        }
        var keyNames: Set<ByteKey> = []
        var keyPaths: Set<ByteKey> = []
        for reference in keys.first?.all("PropertyRef") ?? [] {
            let part = EdmStructuredType.KeyPart(try reference.required("Name"), alias: reference["Alias"])
            guard keyNames.insert(ByteKey(part.alias ?? part.path)).inserted,
                keyPaths.insert(ByteKey(part.path)).inserted
            else {
                throw reference.fault("duplicate property \(part.path) in the key of \(type.name)")
            }
            type.key.append(part)
        }
        for property in element.all("Property") {
            type.properties.append(try self.property(property))
        }
        for property in element.all("NavigationProperty") {
            type.navigation.append(try navigation(property))
        }
        return type
    }

    private func property(_ element: CSDLElement) throws(Fault) -> EdmProperty {
        let name = try element.required("Name")
        var property = EdmProperty(name, try type(of: element, named: "Type"))
        property.isConcurrencyToken = element["ConcurrencyMode"] == "Fixed"
        property.storeGeneratedPattern = element.metadata("StoreGeneratedPattern")
        if let target = element.metadata("FC_TargetPath") {
            property.feedMapping = EdmFeedMapping(
                targetPath: target, sourcePath: element.metadata("FC_SourcePath"),
                keepInContent: element.metadata("FC_KeepInContent") != "false",
                namespace: element.metadata("FC_NsUri"))
        }
        return property
    }

    func enumType(_ element: CSDLElement) throws(Fault) -> EdmEnumType {
        var type = EdmEnumType(name: try element.required("Name"))
        if let underlying = element["UnderlyingType"] {
            guard let primitive = EdmPrimitiveType(named: canonical(underlying)), primitive.isInteger else {
                throw element.fault("the underlying type of the enumeration \(type.name) must be an integer type")
            }
            type.underlyingType = primitive
        }
        type.isFlags = try element.flag("IsFlags", default: false)
        var next: Int64? = 0
        var names: Set<ByteKey> = []
        for member in element.all("Member") {
            let name = try member.required("Name")
            if let text = member["Value"] {
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
        let name = try element.required("Name")
        let type = canonical(try element.required("UnderlyingType"))
        let underlying = EdmTypeReference(type, facets: try facets(of: element, type))
        guard underlying.primitiveType?.isKnown(in: .v4) == true || underlying.name == "Edm.PrimitiveType" else {
            throw element.fault("the underlying type of \(name) must be a primitive type")
        }
        return EdmTypeDefinition(name: name, underlying: underlying)
    }

    func operation(_ element: CSDLElement, _ kind: EdmOperation.Kind) throws(Fault) -> EdmOperation {
        var operation = EdmOperation(kind: kind, name: try element.required("Name"))
        operation.isBound = try element.flag("IsBound", default: false)
        operation.isComposable = try element.flag("IsComposable", default: false)
        operation.parameters = try parameters(of: element)
        if element["ReturnType"] != nil {
            operation.returnType = try type(of: element, named: "ReturnType")
        } else if let result = element.all("ReturnType").first {
            operation.returnType = try type(of: result, named: "Type")
        }
        guard !operation.isBound || !operation.parameters.isEmpty else {
            throw element.fault("\(operation.name) is bound, but has no binding parameter")
        }
        return operation
    }

    func parameters(of element: CSDLElement) throws(Fault) -> [EdmOperation.Parameter] {
        var parameters: [EdmOperation.Parameter] = []
        var names: Set<ByteKey> = []
        for parameter in element.all("Parameter") {
            let name = try parameter.required("Name")
            guard names.insert(ByteKey(name)).inserted else {
                throw parameter.fault("duplicate parameter \(name)")
            }
            parameters.append(EdmOperation.Parameter(name, try type(of: parameter, named: "Type")))
        }
        return parameters
    }
}
