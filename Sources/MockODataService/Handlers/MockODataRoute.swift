import JSONText
import Soups

/// What a method and a path ask for.
struct MockODataRoute: Sendable {
    var call: MockODataCall
    var set = ""
    /// The key predicate of the entity, decoded, without parentheses.
    var predicate: String?
    /// The property or navigation property after the key, and the one of an entity in `$links`.
    var name: String?
    /// The key predicate after the navigation property of a link.
    var linkPredicate: String?
    var isRaw = false
    /// The name of an earlier part of a change set in place of the set and key: `$1`.
    var contentId: String?

    /// Throws 404 for a path that the service does not have, and 405 for a method that the path does not have.
    ///
    /// - Parameter path: The path below the root, still encoded.
    init(method: String, path: String, query: String, isNavigation: (String, String) -> Bool) throws(Refusal) {
        var parts: [(name: String, predicate: String?)] = []
        for part in path.split(separator: "/") {
            guard let text = part.utf8.percentDecoded() else { throw .malformed("the path is not well-formed") }
            parts.append(Self.part(text))
        }
        let isGet = method == "GET"
        call = .service
        guard let first = parts.first else {
            guard isGet else { throw .notAllowed }
            return
        }
        switch first.name {
        case "$metadata":
            call = .metadata
            guard isGet, parts.count == 1 else { throw .notAllowed }
            return
        case "$batch":
            call = .batch
            guard method == "POST", parts.count == 1 else { throw .notAllowed }
            return
        default: break
        }
        if first.name.hasPrefix("$") {
            contentId = String(first.name.dropFirst())
        }
        set = first.name
        predicate = first.predicate
        guard predicate != nil || contentId != nil else {
            try setSet(method, parts.dropFirst().map(\.name), query)
            return
        }
        try setEntity(method, Array(parts.dropFirst()), isNavigation)
    }

    private mutating func setSet(_ method: String, _ rest: [String], _ query: String) throws(Refusal) {
        guard rest.isEmpty else {
            guard rest == ["$count"] else { throw .notFound }
            guard method == "GET" else { throw .notAllowed }
            call = .count
            return
        }
        switch method {
        case "GET":
            call = query.contains("skiptoken=") ? .nextPage : query.contains("deltatoken=") ? .delta : .set
        case "POST": call = .create
        default: throw .notAllowed
        }
    }

    private mutating func setEntity(
        _ method: String, _ rest: [(name: String, predicate: String?)], _ isNavigation: (String, String) -> Bool
    ) throws(Refusal) {
        switch rest.count {
        case 0:
            switch method {
            case "GET": call = .entity
            case "PATCH", "MERGE": call = .update
            case "PUT": call = .replace
            case "DELETE": call = .delete
            default: throw .notAllowed
            }
        case 1:
            name = rest[0].name
            let isLink = contentId != nil || isNavigation(set, rest[0].name)
            call = isLink ? (method == "POST" ? .create : .navigation) : .property
            guard method == "GET" || method == "POST" && isLink else { throw .notAllowed }
        case 2 where rest[1].name == "$ref":
            (call, name, linkPredicate) = (.links, rest[0].name, rest[0].predicate)
        case 2 where rest[0].name == "$links":
            (call, name, linkPredicate) = (.links, rest[1].name, rest[1].predicate)
        case 2 where rest[1].name == "$value" && method == "GET":
            (call, name, isRaw) = (.property, rest[0].name, true)
        default: throw .notFound
        }
    }

    /// A name and its predicate.
    private static func part(_ text: String) -> (name: String, predicate: String?) {
        guard let start = text.firstIndex(of: "("), text.last == ")" else { return (text, nil) }
        return (String(text[..<start]), String(text[text.index(after: start)...].dropLast()))
    }

    /// The parts of a key predicate by name; the name is empty in a key of one part without a name.
    static func keyParts(_ predicate: String) -> [(name: String, literal: String)] {
        var (parts, isQuoted) = ([""], false)
        for character in predicate {
            if character == "'" {
                isQuoted.toggle()
            }
            if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { part in
            let quote = part.firstIndex(of: "'") ?? part.endIndex
            guard let equals = part[..<quote].firstIndex(of: "=") else { return ("", part) }
            return (String(part[..<equals]), String(part[part.index(after: equals)...]))
        }
    }
}
