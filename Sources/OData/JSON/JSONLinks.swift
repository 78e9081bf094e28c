import JSONText

/// How the URLs of related entities are written: as `uri` in verbose JSON, as `url` in the JSON light of version 3.0.
///
/// From version 4.0 on they are entity references, which are entries.
struct JSONLinks {
    /// The name of the member that has the URL.
    let name: StaticString

    static let verbose = JSONLinks(name: "uri")

    private init(name: StaticString) { self.name = name }

    /// The links of a body whose context URL leads to `$links`; nil for any other context.
    init?(context: String, version: ODataVersion) {
        guard version == .v3, JSONContext.contains(context, "/$links/") else { return nil }
        name = "url"
    }

    /// The URL in an object that has nothing else but control information; nil for any other object.
    func url(of node: JSONNode) -> JSONNode? {
        var url: JSONNode?
        for member in node.members {
            if member.name == name {
                url = member.value
            } else if !member.name.writtenBytes.starts(with: "odata.".utf8) {
                return nil
            }
        }
        return url?.kind == .string ? url : nil
    }
}
