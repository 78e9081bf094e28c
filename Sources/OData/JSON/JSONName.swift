/// The meaning of a member name in a JSON payload: a property, or control information or an annotation of the object or
/// of one of its properties.
enum JSONName: Sendable {
    case plain(String)
    case control(Control)
    case propertyControl(String, Control)
    /// An annotation or unknown control information: the name without its leading `@`.
    case annotation(String)
    /// An advertised operation, `#Ns.Action` or `Property#Ns.Action`.
    case operation

    enum Control: Sendable {
        case context, type, id, etag, editLink, readLink, mediaReadLink, mediaEditLink, mediaContentType, mediaEtag
        case navigationLink, associationLink, count, nextLink, deltaLink, removed, delta, verboseMetadata, other

        /// The control information with a name without prefix; nil for a name that is not known.
        init?(named name: String) {
            switch name {
            case "context", "metadata": self = .context
            case "type": self = .type
            case "id": self = .id
            case "etag": self = .etag
            case "editLink": self = .editLink
            case "readLink": self = .readLink
            case "mediaReadLink": self = .mediaReadLink
            case "mediaEditLink": self = .mediaEditLink
            case "mediaContentType": self = .mediaContentType
            case "mediaEtag", "mediaETag": self = .mediaEtag
            case "navigationLink", "navigationLinkUrl": self = .navigationLink
            case "associationLink", "associationLinkUrl": self = .associationLink
            case "count": self = .count
            case "nextLink": self = .nextLink
            case "deltaLink": self = .deltaLink
            case "removed": self = .removed
            case "delta": self = .delta
            case "bind", "metadataEtag", "collectionAnnotations", "context.delta": self = .other
            default: return nil
            }
        }
    }

    /// The two kinds of control information that are needed before all others.
    enum Early {
        case context, type

        var control: Control { self == .context ? .context : .type }

        /// Whether a name with this last byte may be of this kind: `context`, `metadata` (version 3.0) or `type`.
        func canEnd(_ byte: UInt8) -> Bool {
            switch self {
            case .context: byte == UInt8(ascii: "t") || byte == UInt8(ascii: "a")
            case .type: byte == UInt8(ascii: "e")
            }
        }
    }

    /// Control information has the prefix `odata.`, which version 4.01 may omit; annotations have another namespace.
    init(_ text: String, format: JSONFormat) {
        if text.utf8.first == UInt8(ascii: "#") {
            self = .operation
            return
        }
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            if format == .verbose, text == "__metadata" {
                self = .control(.verboseMetadata)
            } else if format != .verbose, text.utf8.starts(with: "odata.".utf8) {
                // The form of version 3.0. Some services use it in version 4.0 too, where property names have no dots.
                self = .control(Control(named: String(text.dropFirst(6))) ?? .other)
            } else if format == .light3, text.utf8.contains(UInt8(ascii: ".")) {
                // An annotation of the object. Up to version 3.0 they have no other mark than their qualified name.
                self = .annotation(text)
            } else if format == .v4, text.utf8.contains(UInt8(ascii: "#")) {
                // An operation that can be bound to a property, `Items#Ns.Action`.
                self = .operation
            } else {
                self = .plain(text)
            }
            return
        }
        let owner = String(text[..<at])
        var term = text[text.utf8.index(after: at)...]
        let isPrefixed = term.utf8.starts(with: "odata.".utf8)
        if isPrefixed {
            term = term.dropFirst(6)
        }
        let control = isPrefixed || !term.utf8.contains(UInt8(ascii: ".")) ? Control(named: String(term)) : nil
        switch control {
        case .other?, nil: self = .annotation(owner.isEmpty ? String(text.dropFirst()) : text)
        case let control?: self = owner.isEmpty ? .control(control) : .propertyControl(owner, control)
        }
    }
}
