/// What the `rel` of a link means.
enum AtomRelation {
    case edit, itself, editMedia, next, delta
    case navigation(String)
    case association(String)
    case media(String)
    case mediaEdit(String)
    case other

    private static let roots = ["http://schemas.microsoft.com/ado/2007/08/dataservices/", "http://docs.oasis-open.org/odata/ns/"]

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = String(bytes: bytes)
        switch text {
        case "edit": self = .edit
        case "self": self = .itself
        case "edit-media": self = .editMedia
        case "next": self = .next
        case "delta": self = .delta
        default:
            guard let root = Self.roots.first(where: { text.utf8.starts(with: $0.utf8) }) else {
                self = .other
                return
            }
            let rest = text.dropFirst(root.count)
            if rest == "delta" {
                self = .delta
                return
            }
            guard let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) else {
                self = .other
                return
            }
            let name = String(rest[rest.utf8.index(after: slash)...])
            switch rest[..<slash] {
            case "related": self = .navigation(name)
            case "relatedlinks": self = .association(name)
            case "mediaresource": self = .media(name)
            case "edit-media": self = .mediaEdit(name)
            default: self = .other
            }
        }
    }
}
