import JSONText
import Soups

/// Reads the members of a feed other than its entries and annotations: count, links, context.
enum JSONEnvelope {
    static func fill(
        _ feed: inout ODataFeed, from members: [(name: String, value: JSONValue)], base: BaseURL?, at offset: Int
    ) throws(Fault) {
        for (name, value) in members {
            switch member(name) {
            case .context:
                feed.context = value.string
                if let context = value.string, JSONContext.ends(context, with: "$delta") {
                    feed.isDelta = true
                }
            case .count: feed.count = count(value) ?? feed.count
            case .nextLink: feed.nextLink = value.string.map { URLReference($0, base: base) }
            case .deltaLink: feed.deltaLink = value.string.map { URLReference($0, base: base) }
            case .id: feed.id = value.string.map { URLReference($0, base: base) }
            case nil: continue
            }
        }
        guard feed.nextLink == nil || feed.deltaLink == nil else {
            throw Fault(.invalidJSON, "a page must not have both a next link and a delta link", offset: offset)
        }
    }

    /// What an object says of the collection of values in it; nil if it says nothing.
    ///
    /// - Throws: `invalidJSON` for a link that is not a text, `invalidLiteral` for a count that is not a whole number.
    static func page(of node: JSONNode, base: BaseURL?) throws(Fault) -> ODataEntry.ValuePage? {
        var members: [(name: String, value: JSONValue)] = []
        for member in node.members {
            let name = member.name.string
            guard [.count, .nextLink].contains(self.member(name)) else { continue }
            let value = member.value.value
            try check(name, value, at: member.value.offset)
            members.append((name, value))
        }
        var feed = ODataFeed()
        try fill(&feed, from: members, base: base, at: node.offset)
        guard feed.count != nil || feed.nextLink != nil else { return nil }
        return ODataEntry.ValuePage(count: feed.count, nextLink: feed.nextLink)
    }

    private static func check(_ name: String, _ value: JSONValue, at offset: Int) throws(Fault) {
        if namesURL(name), !value.isNull, value.string == nil {
            throw Fault(.invalidJSON, "a URL must be a string", offset: offset)
        }
        if isMalformedCount(name, value) {
            throw Fault(.invalidLiteral, "the count must be a whole number", offset: offset)
        }
    }

    /// The term, with its qualifier, of a member that is an annotation of the body; nil for any other member.
    static func term(of name: String) -> String? {
        guard name.utf8.first == UInt8(ascii: "@"), name.utf8.contains(UInt8(ascii: ".")),
            !name.utf8.starts(with: "@odata.".utf8)
        else {
            return nil
        }
        return String(name.dropFirst())
    }

    /// Whether a member of a body is a URL, such as the link to the next page.
    static func namesURL(_ name: String) -> Bool {
        switch member(name) {
        case .context, .nextLink, .deltaLink, .id: true
        case .count, nil: false
        }
    }

    /// Whether a member of a body is a count, but neither a whole number nor null.
    static func isMalformedCount(_ name: String, _ value: JSONValue) -> Bool {
        member(name) == .count && !value.isNull && count(value) == nil
    }

    private static func count(_ value: JSONValue) -> Int64? {
        guard let count = value.int64 ?? value.string.flatMap({ Int64($0) }), count >= 0 else { return nil }
        return count
    }

    /// The members of a body that mean the same in every form of JSON.
    private enum Member {
        case context, count, nextLink, deltaLink, id
    }

    private static func member(_ name: String) -> Member? {
        // That of the older form of JSON is an object.
        guard name != "__metadata" else { return nil }
        switch word(name) {
        case "context", "metadata": return .context
        case "count": return .count
        case "nextLink", "next": return .nextLink
        case "deltaLink", "delta": return .deltaLink
        case "id": return .id
        default: return nil
        }
    }

    /// The name of a control information without its prefix.
    private static func word(_ name: String) -> String {
        for prefix in ["@odata.", "odata.", "__", "@"] where name.utf8.starts(with: prefix.utf8) {
            return String(name.dropFirst(prefix.count))
        }
        return ""
    }
}
