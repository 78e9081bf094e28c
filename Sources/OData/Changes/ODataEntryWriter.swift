public import JSONText
public import Soups

/// Writes the properties of an entity as the body of a request: an Atom entry, verbose JSON, JSON light of version 3.0,
/// or the JSON of versions 4.0 and 4.01.
///
/// ```swift
/// var writer = ODataEntryWriter(version: .v2, format: .atom)
/// writer.types = ["Price": "Edm.Decimal"]
/// let body = try writer.text(of: ["Name": "Milk", "Price": "2.50"])
/// ```
///
/// With a model and an entity type, values are checked against the declarations and written in the form that the
/// version has for their type: Int64 and Decimal as text where JSON numbers could lose digits, dates of verbose JSON as
/// `/Date(ms)/`, `m:type` for everything but strings in Atom. Without them, values are written as they are. The body is
/// the one of a request, without the `d` around answers in verbose JSON.
///
/// Nothing is sent or stored here, and a writer is a value that any thread may use. Source: MS-ODATA 2.2.6; OData JSON
/// Format 4.01; OData Atom Format 4.0.
public struct ODataEntryWriter: Sendable {
    /// The version of the protocol.
    public var version: ODataVersion
    /// The format of the body.
    public var format: ODataChangeRequest.Format
    /// The model whose types the properties have; nil to write values as they are.
    public var model: EdmModel?
    /// The qualified name of the type of the entity, in the model.
    public var entityType: String?
    /// The types of properties that the model does not declare, by name: `Edm.Decimal`, `Collection(Edm.Guid)`. They
    /// are written where the format has a place for them.
    public var types: [String: String] = [:]
    /// Whether JSON of version 4 has Int64 and Decimal as text (`IEEE754Compatible=true`). Verbose JSON and JSON light
    /// of version 3.0 always do.
    public var isIEEE754Compatible = false
    /// Whether dates of verbose JSON are ISO text in versions 1.0 and 2.0 too. Such a date keeps parts of a
    /// millisecond, but not every service reads it.
    public var usesISODates = false
    /// Whether the type of the entity is stated, because it is derived from that of its entity set.
    var statesType = false
    /// Whether properties that the model does not declare are written as those of an open type.
    var acceptsUndeclared = false
    /// The entities to link to.
    var links: [ODataChangeRequest.Link] = []

    /// Creates a writer.
    public init(
        version: ODataVersion = .v4, format: ODataChangeRequest.Format = .json, model: EdmModel? = nil,
        entityType: String? = nil
    ) {
        self.version = version
        self.format = format
        self.model = model
        self.entityType = entityType
    }

    /// Returns the body with these properties. Atom has them in the order of the model, JSON in the given order. O(n)
    /// in the size of the values.
    ///
    /// An entity that states its type (`@odata.type` and the like) is of that type, which is written if it is derived
    /// from `entityType`. Throws `invalidXML` for names and strings that are not allowed in XML, `invalidArguments` for
    /// a member that would be written twice, `typeMismatch` for an entity type that is
    /// not in the model, and `unknownProperty`, `typeMismatch` or `invalidLiteral` with the path of a property that
    /// does not fit its type; `invalidEntry` for a date that verbose JSON cannot express, `unsupported` for values that
    /// the format or version does not have, and `limitExceeded` for a value nested deeper than 64 levels.
    public func text(of properties: JSONObject) throws(Fault) -> String {
        try text(of: properties, stated: ChangeTypes.statedType(of: properties))
    }

    private func text(of properties: JSONObject, stated: String?) throws(Fault) -> String {
        let type = try rootType(stated: stated)
        return try text(
            try members(of: properties, type?.name), type: type?.isStated == true ? type?.name : nil,
            entityType: type?.name)
    }

    /// Returns the body with the properties of an entity that was read, and its type if it has one.
    ///
    /// Without a model the values keep the types that they were read with: Atom states them, and JSON those that the
    /// payload had stated. Links and expanded entities are not written. Throws the same faults as `text(of:)` for JSON.
    public func text(of entry: ODataEntry) throws(Fault) -> String {
        guard model == nil || entityType == nil else {
            let properties = JSONObject(entry.properties.map { ($0.name, JSONValue(stored: $0.value)) })
            return try text(of: properties, stated: entry.type)
        }
        let members = entry.properties.map { property in
            ChangeValue.Member(name: property.name, value: ChangeValue(property.value, stated: property.statedType))
        }
        return try text(members, type: entry.type, entityType: nil)
    }

    /// The type of the entity in the model: the one that it states, or else `entityType`; nil without a model. It is
    /// written if it is derived from the declared type. Throws `typeMismatch` for a type that is not.
    private func rootType(stated: String?) throws(Fault) -> (name: String, isStated: Bool)? {
        guard let model, let entityType else { return nil }
        guard model.structuredType(entityType) != nil else {
            throw Fault(.typeMismatch, "the entity type is not in the metadata")
        }
        let declared = model.resolve(entityType)
        guard let stated else { return (declared, statesType) }
        let type = model.resolve(StatedType(stated).text)
        guard model.type(type, isOrDerivesFrom: declared) else {
            throw Fault(
                .typeMismatch, "the type that the entity states is neither the declared type nor derived from it")
        }
        return (type, statesType || !type.hasBytes(of: declared))
    }

    /// The properties with their types, checked if there is a model.
    private func members(of properties: JSONObject, _ type: String?) throws(Fault) -> [ChangeValue.Member] {
        let stated = Dictionary(types.map { (ByteKey($0.key), $0.value) }) { first, _ in first }
        let reader = ChangeTypes(
            model: model ?? EdmModel(schemas: []), version: version, stated: stated,
            acceptsUndeclared: acceptsUndeclared)
        guard let type else {
            return try reader.untypedMembers(properties)
        }
        return try reader.members(properties, of: type)
    }

    private func text(_ members: [ChangeValue.Member], type: String?, entityType: String?) throws(Fault) -> String {
        let links = try links.map { (link) throws(Fault) in try link.checked(model, entityType) }
        switch format {
        case .atom:
            var ordered = members
            if let model, let entityType {
                var order = ModelOrder(model)
                ordered = order.sorted(members, of: entityType)
            }
            return try AtomWriter.entry(ordered, type: type, links: links, version: version)
        case .verboseJSON, .json:
            let writer = JSONWriter(
                version: version, format: format, isIEEE754Compatible: isIEEE754Compatible,
                usesISODates: usesISODates)
            return try writer.entity(members, type: type, links: links).text()
        }
    }
}
