public import JSONText
public import Soups
import StepCounting

/// Describes a change to send to a service, and creates the request for it: method, URL, headers and body.
///
/// ```swift
/// let change = ODataChangeRequest(
///     .update, entitySet: "Items", key: 7, properties: JSONObject([("Name", "Milk"), ("Price", 3)]),
///     original: JSONObject([("Name", "Milk"), ("Price", 2)]), serviceRoot: "https://host/shop.svc")
/// let request = (change.method, try change.url(), try change.body())
/// ```
///
/// Nothing is sent here. Source: MS-ODATA 2.2.7; OData Protocol 4.0, 11.4.
public struct ODataChangeRequest: Sendable {
    /// What a change does to its entity.
    public enum Operation: String, Sendable {
        /// Adds an entity to the set.
        case insert
        /// Changes only the properties that are sent.
        case update
        /// Sets properties that are not sent back to their defaults.
        case replace
        /// Removes the entity.
        case delete
    }

    /// The format of the body.
    public enum Format: String, Sendable {
        /// An Atom entry.
        case atom
        /// The JSON of versions 1.0 and 2.0, which 3.0 calls verbose.
        case verboseJSON = "verbosejson"
        /// JSON light of version 3.0, or the JSON of version 4.
        case json
    }

    /// What the change does.
    public var operation: Operation
    /// The name of the entity set.
    public var entitySet: String
    /// A single value, or an object with the parts of a composite key; null for an insert.
    public var key: JSONValue
    /// The properties to send. They are ignored for a delete.
    public var properties: JSONObject
    /// The entity before the change. An update sends only the properties that differ from it.
    public var original: JSONObject?
    /// The ETag that the entity must still have, sent as `If-Match`, or `*` for any; nil sends no condition.
    public var etag: String?
    /// The URL of the service; empty for a relative URL.
    public var serviceRoot: String
    /// The version of the protocol.
    public var version: ODataVersion
    /// The format of the body.
    public var format: Format
    /// The model whose types the key and the properties have; nil to write values as they are.
    public var model: EdmModel?
    /// The qualified name of the type of the entity; nil for that of the entity set. A type derived from that of the
    /// set is stated in the body.
    public var entityType: String?
    /// Links to set with the change. They are ignored for a delete.
    public var links: [Link] = []
    /// Preferences, sent as `Prefer` as they are.
    public var prefer: String?
    /// What the service should answer with; nil leaves it to the service.
    public var returns: Answer?
    /// The media type of the body, for one with parameters; nil for that of the format. With the parameter
    /// `IEEE754Compatible=true`, JSON of version 4 has Int64 and Decimal as text.
    public var contentType: String?
    /// Whether the request is a `POST` with the method in the header `X-HTTP-Method`, for networks that block other
    /// methods.
    public var isTunnelled = false
    /// The name of the request within a batch, sent as `Content-ID`.
    public var contentID: String?
    /// The types of properties that no model declares, by name.
    package var statedTypes: [String: String] = [:]
    /// Whether properties that the model does not declare are written as those of an open type.
    package var acceptsUndeclared = false

    /// Describes a change. Nothing is checked until the URL or the body is created.
    public init(
        _ operation: Operation, entitySet: String, key: JSONValue = .null, properties: JSONObject = JSONObject(),
        original: JSONObject? = nil,
        etag: String? = nil, serviceRoot: String = "", version: ODataVersion = .v4, format: Format = .json,
        model: EdmModel? = nil, entityType: String? = nil
    ) {
        self.operation = operation
        self.entitySet = entitySet
        self.key = key
        self.properties = properties
        self.original = original
        self.etag = etag
        self.serviceRoot = serviceRoot
        self.version = version
        self.format = format
        self.model = model
        self.entityType = entityType
    }

    /// Whether the change has nothing to send: an update without links whose properties are those of the original.
    public var isEmpty: Bool { mayBeEmpty && hasNothing(in: changes) }

    private var mayBeEmpty: Bool { operation == .update && original != nil && links.isEmpty }

    private func hasNothing(in changes: JSONObject) -> Bool {
        changes.members.allSatisfy { ChangeTypes.isTypeControl($0.name) }
    }

    /// `POST`, `PUT`, `DELETE`; `MERGE` up to version 2.0, where `PATCH` does not exist yet. `POST` for a tunnelled
    /// request. Nil if nothing is to be sent.
    public var method: String? {
        if isEmpty {
            return nil
        }
        return isTunnelled ? "POST" : verb
    }

    /// Returns the URL of the entity set for an insert, otherwise of the entity.
    ///
    /// Throws `invalidArguments` if the key is missing, malformed or not that of the entity type, or if the service
    /// root has a control character, and `unknownProperty`, `typeMismatch` or `invalidLiteral` for a part that does not
    /// fit its declared type.
    public func url() throws(Fault) -> String {
        let serviceRoot = try BatchText.value(self.serviceRoot)
        let root = serviceRoot.isEmpty || serviceRoot.utf8.last == UInt8(ascii: "/") ? serviceRoot : serviceRoot + "/"
        let set = root + Self.percentEncoded(entitySet)
        if operation == .insert {
            return set
        }
        return set + (try ChangeKey(key: key, version: version, typing: try typing()).text())
    }

    /// Percent-encodes all characters except unreserved ones and the apostrophe (RFC 3986, section 2).
    static func percentEncoded(_ text: String) -> String {
        StepCounter.add(text.utf8.count)
        return text.percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "'") }
    }

    /// The properties that are sent. For an update with an original, only those whose value differs from it, by the
    /// declared type if there is a model.
    public var changes: JSONObject {
        guard operation == .update, let original else {
            return properties
        }
        let typing = try? typing()
        var values: [ByteKey: JSONValue] = Dictionary(minimumCapacity: original.count)
        for (name, value) in original.members {
            values[ByteKey(name)] = value
        }
        let changed = properties.members.filter { name, value in
            guard let before = values[ByteKey(name)] else { return true }
            return value != before && typing?.areSame(value, before, named: name) != true
        }
        return JSONObject(members: changed)
    }

    /// Returns the body of the request; nil for a delete, and if nothing is to be sent.
    ///
    /// Throws `invalidXML` for names and strings that are not allowed in XML, and `invalidArguments` for a member that
    /// would be written twice. With a model also `unknownProperty`,
    /// `typeMismatch` or `invalidLiteral` with the path of the property, `invalidEntry` for a date that verbose JSON
    /// cannot express, and `unsupported` for values that the format or version does not have.
    public func body() throws(Fault) -> String? {
        guard operation != .delete else { return nil }
        let changes = changes
        guard !mayBeEmpty || !hasNothing(in: changes) else { return nil }
        let typing = try typing()
        var writer = ODataEntryWriter(
            version: version, format: format, model: typing?.types.model, entityType: typing?.entityType)
        writer.statesType = typing?.isDerived == true
        writer.isIEEE754Compatible =
            contentType.map { ContentType($0)["ieee754compatible"]?.lowercased() == "true" } ?? false
        writer.links = links
        writer.types = statedTypes
        writer.acceptsUndeclared = acceptsUndeclared
        return try writer.text(of: changes)
    }
}
