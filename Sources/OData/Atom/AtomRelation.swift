/// The meaning of the `rel` attribute of a link.
struct AtomRelation: BitwiseCopyable {
    enum Kind { case edit, itself, editMedia, next, delta, navigation, association, media, other }

    var kind: Kind
    /// The offset of the property name in the bytes of the relation, if the relation ends with one.
    var nameStart = 0

    private static let roots = [
        "http://schemas.microsoft.com/ado/2007/08/dataservices/", "http://docs.oasis-open.org/odata/ns/",
    ]
    private static let words: [(word: String, kind: Kind)] = [
        ("edit", .edit), ("self", .itself), ("edit-media", .editMedia), ("next", .next), ("delta", .delta),
    ]
    private static let families: [(word: String, kind: Kind)] = [
        ("related", .navigation), ("relatedlinks", .association), ("mediaresource", .media), ("edit-media", .media),
    ]

    init(kind: Kind) { self.kind = kind }

    /// The kind of the link in the entry's list of links.
    var linkKind: ODataEntry.Link.Kind {
        switch kind {
        case .association: .association
        case .media: .media
        default: .navigation
        }
    }

    /// What a relation begins with that is written as a URI (RFC 4287, section 4.2.7.2).
    private static let registry = "http://www.iana.org/assignments/relation/"

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let word = bytes.starts(with: Self.registry.utf8) ? bytes.dropFirst(Self.registry.utf8.count) : bytes[...]
        if let known = Self.words.first(where: { word.elementsEqual($0.word.utf8) }) {
            kind = known.kind
            return
        }
        kind = .other
        guard let root = Self.roots.first(where: { bytes.starts(with: $0.utf8) }) else { return }
        let rest = bytes[root.utf8.count...]
        if rest.elementsEqual("delta".utf8) {
            kind = .delta
            return
        }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")),
            let family = Self.families.first(where: { rest[..<slash].elementsEqual($0.word.utf8) })
        else {
            return
        }
        kind = family.kind
        nameStart = slash + 1
    }
}
