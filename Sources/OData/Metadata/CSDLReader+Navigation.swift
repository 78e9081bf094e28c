import Soups

extension CSDLReader {
    mutating func readAssociations(_ schema: CSDLElement) throws(Fault) {
        let namespace = try schema.required(.namespace)
        for element in schema.all(.association) {
            let name = try element.required(.name)
            var association = Association(ends: [])
            for end in element.all(.end) {
                let type = resolve(try end.required(.type))
                let multiplicity = try end.required(.multiplicity)
                guard ["0..1", "1", "*"].contains(multiplicity) else {
                    throw end.fault("the multiplicity must be 0..1, 1 or *")
                }
                let role = end[.role] ?? String(type.split(separator: ".").last ?? "")
                association.ends.append(
                    Association.End(
                        role: role, type: type, multiplicity: multiplicity,
                        onDelete: end.all(.onDelete).first?[.action]))
            }
            guard association.ends.count == 2 else {
                throw element.fault("the association \(name) must have two ends")
            }
            if let constraint = element.all(.referentialConstraint).first {
                association.principal = try side(constraint, .principal)
                association.dependent = try side(constraint, .dependent)
            }
            let key = ByteKey(namespace + "." + name)
            guard associations[key] == nil else {
                throw element.fault("duplicate association \(name)")
            }
            associations[key] = association
        }
    }

    private func side(
        _ constraint: CSDLElement, _ word: CSDLWord
    ) throws(Fault) -> (role: String, properties: [String])? {
        guard let side = constraint.all(word).first else {
            throw constraint.fault("a referential constraint has no \(word.rawValue)")
        }
        var properties: [String] = []
        for reference in side.all(.propertyRef) {
            properties.append(try reference.required(.name))
        }
        return (try side.required(.role), properties)
    }

    func navigation(_ element: CSDLElement) throws(Fault) -> EdmNavigationProperty {
        let name = try element.required(.name)
        if let relationship = element[.relationship] {
            return try navigation(name, over: resolve(relationship), element)
        }
        var property = EdmNavigationProperty(name, try type(of: element, named: .type))
        property.partner = element[.partner]
        property.onDelete = element.all(.onDelete).first?[.action]
        property.containsTarget = try element.flag(.containsTarget, default: false)
        for constraint in element.all(.referentialConstraint) {
            property.constraints.append(
                .init(
                    property: try constraint.required(.property),
                    referencedProperty: try constraint.required(.referencedProperty)))
        }
        return property
    }

    /// Reads a navigation property of versions 1.0 to 3.0, whose target is defined by an association.
    private func navigation(
        _ name: String, over relationship: String, _ element: CSDLElement
    ) throws(Fault) -> EdmNavigationProperty {
        let fromRole = try element.required(.fromRole)
        let toRole = try element.required(.toRole)
        guard let association = associations[ByteKey(relationship)] else {
            if isExternal(relationship) {
                return EdmNavigationProperty(name, EdmTypeReference("Edm.EntityType"))
            }
            throw element.fault("unknown association of the navigation property \(name)")
        }
        func end(_ role: String) -> Association.End? {
            association.ends.first { $0.role.hasBytes(of: role) }
        }
        guard let target = end(toRole), let source = end(fromRole) else {
            throw element.fault("unknown role of the navigation property \(name)")
        }
        var property = EdmNavigationProperty(
            name,
            EdmTypeReference(
                target.type, isCollection: target.multiplicity == "*", isNullable: target.multiplicity != "1"))
        property.association = relationship
        property.onDelete = source.onDelete
        guard let dependent = association.dependent, let principal = association.principal else {
            return property
        }
        guard dependent.role.hasBytes(of: fromRole) else {
            property.dependentConstraints = zip(principal.properties, dependent.properties).map {
                .init(property: $0, referencedProperty: $1)
            }
            return property
        }
        guard dependent.properties.count == principal.properties.count else {
            throw element.fault(
                "the referential constraint of \(name) has different numbers of principal and dependent properties")
        }
        property.constraints = zip(dependent.properties, principal.properties).map {
            .init(property: $0, referencedProperty: $1)
        }
        return property
    }

    func isExternal(_ name: String) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return external.contains(ByteKey(String(name[..<dot])))
    }
}
