public import Soups

/// Reads metadata documents (CSDL as XML) of all versions, from the namespaces of 2006 to that of OASIS.
///
/// Schemas may have any order, may refer to each other and may use aliases. Unknown elements and attributes are
/// skipped. Errors are `invalidMetadata` faults with the offset of the element. Source: CSDL 1.0 to 4.01.
struct CSDLReader {
    let isStrict: Bool
    /// The namespace of each alias in the document.
    var aliases: [ByteKey: String] = [:]
    /// The namespaces of referenced documents. Types in them are unknown here, which is not an error.
    var external: Set<ByteKey> = []
    var schemas: [EdmSchema] = []
    /// The elements of the schemas, for offsets in faults.
    var sources: [CSDLElement] = []
    var associations: [ByteKey: Association] = [:]
    /// The navigation properties of each type over each association.
    var associated: [Associated: [CSDLElement]] = [:]

    struct Associated: Hashable {
        let type: ByteKey
        let association: ByteKey
    }

    /// An association of versions 1.0 to 3.0, to which navigation properties refer.
    struct Association {
        struct End {
            var role: String
            var type: String
            var multiplicity: String
            var onDelete: String?
        }

        var ends: [End]
        var principal: (role: String, properties: [String])?
        var dependent: (role: String, properties: [String])?
    }

    init(isStrict: Bool) { self.isStrict = isStrict }

    mutating func read(_ root: CSDLElement) throws(Fault) -> EdmModel {
        sources = try schemaElements(root)
        guard !sources.isEmpty else {
            throw root.fault("no Schema in the metadata document")
        }
        for element in sources {
            try readNames(element)
        }
        for element in sources {
            try readAssociations(element)
        }
        for element in sources {
            schemas.append(try schema(element))
        }
        if !associations.isEmpty {
            associated = associatedProperties()
        }
        for index in sources.indices {
            try readContainers(sources[index], into: index)
        }
        var model = EdmModel(schemas: schemas)
        var validator = CSDLValidator(model: model, external: external, isStrict: isStrict)
        try validator.validate(sources)
        model.warn(of: validator.warnings)
        model.refer(to: external, aliases: aliases)
        return model
    }

    private mutating func schemaElements(_ root: CSDLElement) throws(Fault) -> [CSDLElement] {
        if root.space == .edm, root.word == .schema {
            return [root]
        }
        guard root.space == .edmx, root.word == .edmx else {
            throw root.fault("not a metadata document: the root element must be Edmx or Schema")
        }
        var found: [CSDLElement] = []
        for child in root.children where child.space == .edmx {
            switch child.word {
            case .reference: try readReference(child)
            case .dataServices: found += child.all(.schema)
            case .runtime:
                // Files of the Entity Framework designer contain storage and mappings in addition to the model.
                for models in child.children where models.word == .conceptualModels {
                    found += models.all(.schema)
                }
            default: continue
            }
        }
        return found
    }

    private mutating func readReference(_ element: CSDLElement) throws(Fault) {
        for include in element.children where include.space == .edmx && include.word == .include {
            let namespace = try include.required(.namespace)
            external.insert(ByteKey(namespace))
            if let alias = include[.alias] {
                try add(alias: alias, of: namespace, include)
            }
        }
    }

    private mutating func readNames(_ element: CSDLElement) throws(Fault) {
        let namespace = try element.required(.namespace)
        if let other = aliases[ByteKey(namespace)], !other.hasBytes(of: namespace) {
            throw element.fault("the namespace \(namespace) is also the alias of another one")
        }
        if let alias = element[.alias], !alias.isEmpty {
            try add(alias: alias, of: namespace, element)
        }
        for using in element.all(.using) {
            guard let alias = using[.alias], let namespace = using[.namespace] else { continue }
            aliases[ByteKey(alias)] = namespace
            external.insert(ByteKey(namespace))
        }
    }

    private mutating func add(alias: String, of namespace: String, _ element: CSDLElement) throws(Fault) {
        if let other = aliases[ByteKey(alias)], !other.hasBytes(of: namespace) {
            throw element.fault("the alias is used for two namespaces")
        }
        aliases[ByteKey(alias)] = namespace
    }

    /// The name with its alias replaced by the namespace.
    func resolve(_ name: String) -> String {
        guard !aliases.isEmpty, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let namespace = aliases[ByteKey(String(name[..<dot]))]
        else {
            return name
        }
        return namespace + name[dot...]
    }

    /// The target of annotations with the aliases of all its names replaced, as in `Self.T/Self.D/P` and
    /// `Self.F(Collection(Self.T))`.
    private func resolve(target: String) -> String {
        var resolved = ""
        var rest = Substring(target)
        while !rest.isEmpty {
            let name = Substring(rest.utf8.prefix { !Self.separators.contains($0) })
            resolved += resolve(String(name))
            rest = Substring(rest.utf8.dropFirst(name.utf8.count))
            if let separator = rest.utf8.first {
                resolved.unicodeScalars.append(Unicode.Scalar(separator))
                rest = Substring(rest.utf8.dropFirst())
            }
        }
        return resolved
    }

    private static let separators = Array("/(),@".utf8)

    private func schema(_ element: CSDLElement) throws(Fault) -> EdmSchema {
        let namespace = try element.required(.namespace)
        var schema = EdmSchema(namespace: namespace, alias: element[.alias])
        for child in element.children where child.space == .edm {
            switch child.word {
            case .entityType: schema.entityTypes.append(try structuredType(child, .entity, in: namespace))
            case .complexType: schema.complexTypes.append(try structuredType(child, .complex, in: namespace))
            case .enumType: schema.enumTypes.append(try enumType(child))
            case .typeDefinition: schema.typeDefinitions.append(try typeDefinition(child))
            case .function: schema.functions.append(try operation(child, .function))
            case .action: schema.actions.append(try operation(child, .action))
            case .annotations:
                guard let target = child[.target] else { continue }
                let resolved = resolve(target: target)
                schema.annotations += child.children.compactMap { element in
                    annotation(element, target: resolved, qualifier: child[.qualifier])
                }
            default: continue
            }
            if let name = child[.name] {
                schema.annotations += annotations(of: child, path: namespace + "." + name)
            }
        }
        return schema
    }

    /// The annotations of an element and of its children, such as those of a type and its properties.
    func annotations(of element: CSDLElement, path: String) -> [EdmAnnotation] {
        var found: [EdmAnnotation] = []
        for child in element.children where child.space == .edm {
            if child.word == .annotation {
                if let annotation = annotation(child, target: path) {
                    found.append(annotation)
                }
            } else if let name = child[.name], child.children.contains(where: { $0.word == .annotation }) {
                found += child.all(.annotation).compactMap { annotation($0, target: path + "/" + name) }
            }
        }
        return found
    }

    /// - Parameter qualifier: That of the annotations around it, for one without its own.
    private func annotation(_ element: CSDLElement, target: String, qualifier: String? = nil) -> EdmAnnotation? {
        guard element.space == .edm, Self.annotations.contains(element.word), let term = element[.term] else {
            return nil
        }
        return EdmAnnotation(
            target: target, term: resolve(term), qualifier: element[.qualifier] ?? qualifier, value: expression(element)
        )
    }

    private static let annotations: [CSDLWord] = [.annotation, .valueAnnotation, .typeAnnotation]

    private static let constants: [CSDLWord] = [
        .string, .bool, .int, .float, .decimal, .date, .dateTimeOffset, .duration, .timeOfDay, .guid, .binary,
        .enumMember, .path, .propertyPath, .navigationPropertyPath, .annotationPath, .modelElementPath, .urlRef,
    ]

    /// The expression of an annotation: in an attribute for constants and paths, otherwise in a child element.
    private func expression(_ element: CSDLElement) -> EdmAnnotation.Expression {
        if let known = element.expression {
            return known.value
        }
        for kind in Self.constants {
            if let value = element[kind] {
                return .init(kind: kind.rawValue, text: value, name: element[.property])
            }
        }
        guard let first = element.children.first(where: { $0.space == .edm && $0.word != .annotation }) else {
            return .init(kind: "Default", name: element[.property])
        }
        var value = written(first)
        value.name = element[.property] ?? value.name
        return value
    }

    private func written(_ element: CSDLElement) -> EdmAnnotation.Expression {
        var parts: [EdmAnnotation.Expression] = []
        for child in element.children where child.space == .edm && child.word != .annotation {
            parts.append(child.word == .propertyValue ? expression(child) : written(child))
        }
        return .init(
            kind: element.name, text: parts.isEmpty ? element.text : "", name: element[.type] ?? element[.function],
            parts: parts)
    }
}

extension EdmModel {
    /// Reads a metadata document: XML of any version, or JSON since 4.01.
    ///
    /// O(n) in the number of bytes. Other documents are not opened; references to them only declare their namespaces.
    /// XML and JSON forms of one model give equal models, except that JSON has constants of annotations only as
    /// strings, numbers and booleans.
    ///
    /// - Parameters:
    ///   - bytes: The document: XML in UTF-8, UTF-16, ISO-8859-1 or US-ASCII, or JSON in UTF-8.
    ///   - isDecodedText: Whether the bytes are UTF-8 regardless of their XML declaration.
    ///   - isStrict: Whether what `EdmModel.warnings` would report is an error.
    /// - Throws: `invalidMetadata` with the offset of the element, and `invalidXML`, `invalidJSON`, `doctypeForbidden`,
    ///   `truncated` or `limitExceeded` as for any XML or JSON.
    public init(csdl bytes: [UInt8], isDecodedText: Bool = false, isStrict: Bool = false) throws(Fault) {
        var reader = CSDLReader(isStrict: isStrict)
        self = try reader.read(
            JSONMetadata.isRoot(of: bytes)
                ? try JSONMetadata.root(of: bytes) : try CSDLElement.read(bytes, isDecodedText: isDecodedText))
    }
}
