/// What a member name of a JSON payload means: a property, control information, an annotation, of the object or of one
/// of its properties.
enum JSONName: Sendable {
    case plain(String)
    case control(Control)
    case propertyControl(String, Control)
    /// An annotation or unknown control information: the name without its leading `@`.
    case annotation(String)
    /// An advertised operation, `#Ns.Action`.
    case operation

    enum Control: Sendable {
        case context, type, id, etag, editLink, readLink, mediaReadLink, mediaEditLink, mediaContentType, mediaEtag
        case navigationLink, associationLink, count, nextLink, deltaLink, removed, delta, verboseMetadata, other
    }

    /// The two kinds of control information that are looked for ahead of the others.
    enum Early {
        case context, type

        var control: Control { self == .context ? .context : .type }

        /// Whether a name may be of this kind, by its last byte: `context`, `metadata` of version 3, or `type`.
        func canEnd(_ byte: UInt8) -> Bool {
            switch self {
            case .context: byte == UInt8(ascii: "t") || byte == UInt8(ascii: "a")
            case .type: byte == UInt8(ascii: "e")
            }
        }
    }

    private static let controls: [String: Control] = [
        "context": .context, "metadata": .context, "type": .type, "id": .id, "etag": .etag, "editLink": .editLink,
        "readLink": .readLink,
        "mediaReadLink": .mediaReadLink, "mediaEditLink": .mediaEditLink, "mediaContentType": .mediaContentType,
        "mediaEtag": .mediaEtag,
        "mediaETag": .mediaEtag, "navigationLink": .navigationLink, "navigationLinkUrl": .navigationLink,
        "associationLink": .associationLink,
        "associationLinkUrl": .associationLink, "count": .count, "nextLink": .nextLink, "deltaLink": .deltaLink,
        "removed": .removed,
        "delta": .delta, "bind": .other, "metadataEtag": .other, "collectionAnnotations": .other,
        "context.delta": .other,
    ]

    /// Control information has the prefix `odata.`, which version 4.01 lets go; an annotation has a namespace of its
    /// own.
    init(_ text: String, format: JSONFormat) {
        if text.utf8.first == UInt8(ascii: "#") {
            self = .operation
            return
        }
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            if format == .verbose, text == "__metadata" {
                self = .control(.verboseMetadata)
            } else if format != .verbose, text.utf8.starts(with: "odata.".utf8) {
                // Of version 3; some services keep it in version 4, where no property has a point in its name.
                self = .control(Self.controls[String(text.dropFirst(6))] ?? .other)
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
        let control = isPrefixed || !term.utf8.contains(UInt8(ascii: ".")) ? Self.controls[String(term)] : nil
        switch control {
        case .other?, nil: self = .annotation(owner.isEmpty ? String(text.dropFirst()) : text)
        case let control?: self = owner.isEmpty ? .control(control) : .propertyControl(owner, control)
        }
    }
}

/// The dialects of JSON.
enum JSONFormat: Sendable {
    /// Versions 1.0 to 3.0 with `__metadata`.
    case verbose
    /// Version 3.0 with `odata.metadata`.
    case light3
    /// Versions 4.0 and 4.01.
    case v4
}

/// What a context URL says.
enum JSONContext {
    /// The URL in front of `$metadata`, to which relative URLs are relative.
    static func base(of context: String) -> BaseURL? {
        let name = Array("$metadata".utf8)
        let bytes = Array(context.utf8)
        guard bytes.count >= name.count else { return nil }
        for start in 0...(bytes.count - name.count) where bytes[start..<start + name.count].elementsEqual(name) {
            return start == 0 ? nil : BaseURL(String(decoding: bytes[..<start], as: UTF8.self))
        }
        return nil
    }

    /// Whether the context ends so: `#Set/$delta` or, since 4.01, `#$delta`.
    static func ends(_ context: String, with kind: String) -> Bool {
        context.utf8.count > kind.utf8.count
            && context.utf8.suffix(kind.utf8.count + 1).dropFirst().elementsEqual(kind.utf8)
            && ["/", "#"].contains(String(context.dropLast(kind.count).suffix(1)))
    }

    /// Whether the context is that of a collection of primitive values.
    static func isOfPrimitives(_ context: String) -> Bool { context.contains("Collection(Edm.") }

    /// The navigation properties that are expanded: names in front of a bracket inside the list of selected ones.
    static func expanded(_ context: String) -> Set<String> {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")), context.utf8.contains(UInt8(ascii: "(")) else {
            return []
        }
        var names: Set<String> = []
        var word: [UInt8] = []
        var depth = 0
        for byte in context.utf8[context.utf8.index(after: hash)...] {
            switch byte {
            case UInt8(ascii: "("):
                if depth > 0, !word.isEmpty {
                    names.insert(String(decoding: word, as: UTF8.self))
                }
                depth += 1
                word = []
            case UInt8(ascii: ")"):
                depth -= 1
                word = []
            case UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "'"), UInt8(ascii: "+"):
                word = []
            default: word.append(byte)
            }
        }
        return names
    }
}
