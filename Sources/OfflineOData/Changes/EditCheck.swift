import JSONText
import LocalChanges
import OData
import Soups

/// Checks the values of an edit against the model, and brings them into the stored form.
struct EditCheck {
    let map: EntitySetMap
    let set: MappedEntitySet
    let isInsert: Bool
    /// The row that is changed; empty for a new one.
    var row = JSONObject()
    /// Whether the values are those of a whole entity that was read, which may have annotations.
    var isWhole = false

    /// The values in their stored form.
    ///
    /// Throws `unknownProperty`, and `invalidEntry` with the path for a value that the property cannot have.
    func checked(_ properties: JSONObject) throws(Fault) -> JSONObject {
        var members: [(String, JSONValue)] = []
        for (name, value) in properties.members {
            guard !RowMember.isForbidden(name) else {
                throw invalid("a reserved member cannot be changed; leave it out", name)
            }
            guard !set.isLocalOnly(name) else {
                members.append((name, value))
                continue
            }
            if name.isBinding {
                try checkBinding(value, name)
                try checkSpelling(name, properties)
            }
            guard isWhole || !name.isAnnotation else {
                throw invalid(
                    "annotations are not sent to the service; leave it out. A link is bound as Name@odata.bind", name)
            }
            members.append((name, try stored(value, name)))
        }
        return JSONObject(members)
    }

    /// A link leads from a navigation property to one entity, or from a collection to several.
    private func checkBinding(_ value: JSONValue, _ name: String) throws(Fault) {
        if let model = set.model, let type = set.entityType, !model.isOpen(type),
            model.navigation(name.boundNavigation, of: type) == nil
        {
            throw Fault(
                .unknownProperty, "the type has no navigation property of this name",
                context: [.soup(set.soup), .path(name)])
        }
        guard value.string != nil || value.array?.allSatisfy({ $0.string != nil }) ?? false else {
            throw invalid("a link must be a URL, or an array of URLs", name)
        }
    }

    /// A link is bound once, by one of the two names that it may have.
    private func checkSpelling(_ name: String, _ properties: JSONObject) throws(Fault) {
        let other = (properties.names + row.names).first { other in
            other.isBinding && ByteKey(other) != ByteKey(name)
                && ByteKey(other.boundNavigation) == ByteKey(name.boundNavigation)
        }
        if let other {
            throw invalid("the link is bound as \(other) already; set only that member", name)
        }
    }

    private func stored(_ value: JSONValue, _ name: String) throws(Fault) -> JSONValue {
        if let text = value.string, LocalId.isLocal(text), mayReferToNew(name) {
            return value
        }
        if set.isReadOnly(name, isInsert: isInsert), set.model != nil {
            throw invalid("the service computes this property, or does not let clients change it", name)
        }
        if set.entityType.flatMap({ set.model?.navigation(name, of: $0) }) != nil, !value.isNull {
            throw Self.deepInsert(name)
        }
        let stored: JSONValue
        do throws(Fault) {
            stored = try StoredTypes(model: set.model, version: map.version, entityType: set.entityType)
                .stored(value, named: name)
        } catch  where error.code == .unknownProperty {
            throw error.adding(.soup(set.soup))
        } catch {
            throw Fault(
                .invalidEntry, error.message, context: error.context.isEmpty ? [.path(name)] : error.context)
        }
        if let type = set.entityType.flatMap({ set.model?.property(name, of: $0)?.type }) {
            try check(stored, type, name)
        }
        return stored
    }

    private func check(_ value: JSONValue, _ type: EdmTypeReference, _ name: String) throws(Fault) {
        guard !value.isNull else {
            // Whether a collection is nullable says what its items may be: there is no null collection.
            guard !type.isCollection || isWhole else {
                throw invalid("a collection cannot be null; make it empty", name)
            }
            guard type.isNullable || set.isKey(name) && isInsert else {
                throw invalid("the property cannot be null", name)
            }
            return
        }
        for item in type.isCollection ? value.array ?? [] : [value] {
            guard !item.isNull || type.isNullable else {
                throw invalid("an item of the collection cannot be null", name)
            }
            try checkMembers(item, type, name)
            try checkFacets(item, type, name)
        }
    }

    /// Checks the members of a complex value, by the type that it states or else the declared one.
    private func checkMembers(_ value: JSONValue, _ type: EdmTypeReference, _ path: String) throws(Fault) {
        guard let model = set.model, let object = value.object else { return }
        let own = StatedEntityType.typeName(in: object) ?? type.name
        guard model.structuredType(own) != nil else { return }
        for (name, member) in object.members {
            guard let property = model.property(name, of: own) else { continue }
            try check(member, property.type, path + "/" + name)
        }
    }

    private func checkFacets(_ value: JSONValue, _ type: EdmTypeReference, _ name: String) throws(Fault) {
        let definition = set.model?.typeDefinition(type.name)?.underlying
        let primitive = type.primitiveType ?? definition?.primitiveType
        let facets = type.facets.filled(from: definition?.facets)
        if let maximum = facets.maxLength, let text = value.string {
            let length = primitive == .binary ? Base64.decode(text)?.count ?? 0 : text.unicodeScalars.count
            guard primitive != .string && primitive != .binary || length <= maximum else {
                throw invalid("the value is longer than \(maximum)", name)
            }
        }
        if let primitive, Self.haveSeconds.contains(primitive), let precision = facets.precision,
            let text = value.string, Self.digitsOfSecond(text) > precision
        {
            throw invalid("the second has more than \(precision) digits after the decimal point", name)
        }
        guard primitive == .decimal, let text = value.number?.text ?? value.string, let decimal = EdmDecimal(text)
        else { return }
        try checkDigits(DecimalDigits(decimal), facets, name)
    }

    /// The types whose precision is that of their seconds.
    private static let haveSeconds: Set<EdmPrimitiveType> = [.dateTime, .dateTimeOffset, .timeOfDay, .time, .duration]

    /// The number of digits of the second that count: after the point, without zeros at the end.
    private static func digitsOfSecond(_ text: String) -> Int {
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().prefix { $0 &- 0x30 <= 9 }
        return fraction.count - fraction.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    }

    private func checkDigits(_ digits: DecimalDigits, _ facets: EdmFacets, _ name: String) throws(Fault) {
        if let scale = facets.scale, digits.afterPoint > scale {
            throw invalid("the value has more than \(scale) digits after the decimal point", name)
        }
        if let precision = facets.precision, digits.beforePoint + digits.afterPoint > precision {
            throw invalid("the value has more than \(precision) digits", name)
        }
        // The digits after the point have their room also where a value has fewer (CSDL XML 4.01, 7.2.4). A variable
        // scale is greater than any precision.
        if let precision = facets.precision, let scale = facets.scale, scale <= precision,
            digits.beforePoint > precision - scale
        {
            throw invalid("the value has more than \(precision - scale) digits before the decimal point", name)
        }
    }

    /// The fault of related entities within an entity.
    static func deepInsert(_ name: String) -> Fault {
        Fault(
            .unsupported, "related entities within an entity (deepInserts) are not supported; create them apart",
            context: [.path(name)])
    }

    /// Whether a property may hold the local id of an entity that was created here. One that clients cannot write may
    /// if a link sets it.
    private func mayReferToNew(_ name: String) -> Bool {
        guard !set.isKey(name) else {
            return true
        }
        return map.isForeignKey(name, of: set) && (!set.isReadOnly(name, isInsert: isInsert) || set.isLinked(name))
    }

    private func invalid(_ message: String, _ path: String) -> Fault {
        Fault(.invalidEntry, message, context: [.soup(set.soup), .path(path)])
    }
}

/// The digits of a decimal that count: without zeros at its ends.
private struct DecimalDigits {
    let beforePoint: Int
    let afterPoint: Int

    init(_ decimal: EdmDecimal) {
        let parts = decimal.description.split(separator: ".", omittingEmptySubsequences: false)
        beforePoint = parts[0].drop { $0 == "-" || $0 == "0" }.count
        let fraction = parts.count > 1 ? parts[1] : ""
        afterPoint = fraction.count - fraction.reversed().prefix { $0 == "0" }.count
    }
}

extension EdmFacets {
    /// These facets, with those of a type definition where a property says nothing.
    fileprivate func filled(from definition: EdmFacets?) -> EdmFacets {
        var facets = self
        facets.maxLength = maxLength ?? definition?.maxLength
        facets.precision = precision ?? definition?.precision
        facets.scale = scale ?? definition?.scale
        return facets
    }
}
