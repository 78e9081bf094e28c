/// The meaning of an element or attribute name in Atom payloads of any version. Only namespaces matter, never prefixes.
/// For names that are both elements and attributes, the suffix `Attribute` marks the attribute.
enum AtomRole: UInt8 {
    /// Not yet determined.
    case unknown
    /// Unknown to OData: such elements and attributes are skipped.
    case other
    // Elements of Atom and the Atom publishing protocol
    case feed, entry, id, title, summary, updated, published, rights, author, contributor, name, email, uri
    case link, category, content
    case service, workspace, collection
    case deletedEntry
    // Elements of the metadata namespace
    case properties, inline, count, metadataElement, error, code, message, innerError, details, detail, target, value,
        reference
    case singleton, functionImport, serviceDocument, deltaLink, deletedDeltaLink
    /// Any element of the data namespace.
    case data
    /// An element of GML, the format of spatial values.
    case gml
    // Attributes
    case base, language
    case rel, href, titleAttribute, typeAttribute, term, scheme, source, referenceAttribute, when, relationship,
        targetAttribute, idAttribute, nameAttribute
    case metadataType, null, etag, context, reason

    static let atomURI = "http://www.w3.org/2005/Atom"
    static let publishingURI = "http://www.w3.org/2007/app"
    static let dataURI = "http://schemas.microsoft.com/ado/2007/08/dataservices"
    static let metadataURI = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    static let dataV4URI = "http://docs.oasis-open.org/odata/ns/data"
    static let metadataV4URI = "http://docs.oasis-open.org/odata/ns/metadata"
    static let tombstonesURI = "http://purl.org/atompub/tombstones/1.0"
    static let gmlURI = "http://www.opengis.net/gml"
    static let xmlURI = "http://www.w3.org/XML/1998/namespace"

    init(namespace: String, local: String) {
        func among(_ table: [(String, AtomRole)]) -> AtomRole {
            table.first { $0.0.hasBytes(of: local) }?.1 ?? .other
        }
        func same(_ other: String) -> Bool { namespace.hasBytes(of: other) }
        if same("") {
            self = among([
                ("rel", .rel), ("href", .href), ("title", .titleAttribute), ("type", .typeAttribute), ("term", .term),
                ("scheme", .scheme), ("src", .source),
                ("source", .source), ("ref", .referenceAttribute), ("when", .when), ("relationship", .relationship),
                ("target", .targetAttribute),
                ("id", .idAttribute), ("reason", .reason),
            ])
        } else if same(Self.dataURI) || same(Self.dataV4URI) {
            self = .data
        } else if same(Self.atomURI) {
            self = among([
                ("feed", .feed), ("entry", .entry), ("id", .id), ("title", .title), ("summary", .summary),
                ("updated", .updated),
                ("published", .published), ("rights", .rights), ("author", .author), ("name", .name), ("email", .email),
                ("uri", .uri), ("contributor", .contributor),
                ("link", .link), ("category", .category), ("content", .content),
            ])
        } else if same(Self.metadataURI) || same(Self.metadataV4URI) {
            self = among([
                ("properties", .properties), ("inline", .inline), ("count", .count), ("element", .metadataElement),
                ("error", .error),
                ("code", .code), ("message", .message), ("innererror", .innerError), ("details", .details),
                ("detail", .detail),
                ("target", .target), ("value", .value), ("ref", .reference), ("singleton", .singleton),
                ("function-import", .functionImport),
                ("service-document", .serviceDocument), ("link", .deltaLink), ("deleted-link", .deletedDeltaLink),
                ("type", .metadataType),
                ("null", .null), ("etag", .etag), ("context", .context), ("reason", .reason), ("uri", .uri),
                ("name", .nameAttribute),
            ])
        } else if same(Self.publishingURI) {
            self = among([("service", .service), ("workspace", .workspace), ("collection", .collection)])
        } else if same(Self.tombstonesURI) {
            self = among([("deleted-entry", .deletedEntry)])
        } else if same(Self.xmlURI) {
            self = among([("base", .base), ("lang", .language)])
        } else if same(Self.gmlURI) {
            self = .gml
        } else {
            self = .other
        }
    }
}
