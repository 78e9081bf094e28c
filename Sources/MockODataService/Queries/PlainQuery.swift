import Soups

/// The options of a query, or of an expansion.
struct PlainQuery: Sendable {
    var filter: PlainFilter?
    var orderBy: [(path: [String], isDescending: Bool)] = []
    var top: Int?
    var skip = 0
    var select: [String]?
    var expand: [(name: String, query: PlainQuery)] = []
    var counts = false
    /// Where a further page begins.
    var skipToken: String?
    /// The number of the last change that the client knows.
    var deltaToken: String?
    /// The options that a link to a further page repeats, as they came.
    var repeated = ""

    init() {}

    /// Reads what follows the question mark. Throws 400 for what is malformed, and 501 for an option that the service
    /// does not have.
    init(_ encoded: String, _ version: MockODataVersion) throws(Refusal) {
        var repeated: [Substring] = []
        for pair in encoded.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts[0].utf8.percentDecoded(plusIsBlank: true),
                let value = (parts.count > 1 ? parts[1] : "").utf8.percentDecoded(plusIsBlank: true)
            else { throw .malformed("the query is not well-formed") }
            try set(name, value, version)
            if name != "$skiptoken", name != "$deltatoken", name != "$top", name != "$skip" {
                repeated.append(pair)
            }
        }
        self.repeated = repeated.joined(separator: "&")
    }

    private mutating func set(_ name: String, _ value: String, _ version: MockODataVersion) throws(Refusal) {
        let isSystem = name.hasPrefix("$")
        guard isSystem || version == .v401 else { return }
        switch isSystem ? String(name.dropFirst()) : name {
        case "filter": filter = try PlainFilterReader.filter(value)
        case "orderby":
            for item in value.split(separator: ",") {
                let words = item.split(separator: " ")
                guard let path = words.first, words.count < 3 else { throw .malformed("$orderby is malformed") }
                orderBy.append((path.split(separator: "/").map(String.init), words.last == "desc"))
            }
        case "top": top = try Self.number(value)
        case "skip": skip = try Self.number(value)
        case "select":
            select = value.split(separator: ",").map { $0.split(separator: " ").joined() }
        case "expand": expand = try Self.expansions(value, version)
        case "count": counts = value == "true"
        case "inlinecount": counts = value == "allpages"
        case "skiptoken": skipToken = value
        case "deltatoken": deltaToken = value
        case "format": break
        default:
            guard !isSystem else {
                throw .unsupported(name)
            }
        }
    }

    private static func number(_ text: String) throws(Refusal) -> Int {
        guard let number = Int(text), number >= 0 else {
            throw .malformed("$top and $skip take a whole number that is not negative")
        }
        return number
    }

    /// `Items($select=A;$expand=B),Customer`, or `Items/Part` up to version 3.0.
    private static func expansions(
        _ text: String, _ version: MockODataVersion
    ) throws(Refusal) -> [(name: String, query: PlainQuery)] {
        var result: [(name: String, query: PlainQuery)] = []
        for item in outside(text, at: ",") {
            let item = item.split(separator: " ").isEmpty ? "" : item
            guard let bracket = item.firstIndex(of: "("), item.last == ")" else {
                let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
                guard let name = parts.first else { throw .malformed("$expand is malformed") }
                var query = PlainQuery()
                if parts.count > 1 {
                    query.expand = try expansions(parts[1], version)
                }
                // Two paths may begin with one name.
                if let index = result.firstIndex(where: { $0.name == name }) {
                    result[index].query.expand += query.expand
                } else {
                    result.append((name, query))
                }
                continue
            }
            var query = PlainQuery()
            for option in outside(item[item.index(after: bracket)...].dropLast(), at: ";") {
                let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw .malformed("$expand is malformed") }
                try query.set(String(parts[0]), String(parts[1]), version)
            }
            result.append((String(item[..<bracket]), query))
        }
        return result
    }

    /// Splits a text at a character outside of parentheses and texts.
    private static func outside(_ text: some StringProtocol, at mark: Character) -> [String] {
        var (parts, depth, isQuoted) = ([""], 0, false)
        for character in text {
            if character == "'" {
                isQuoted.toggle()
            }
            if !isQuoted {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                if character == mark, depth == 0 {
                    parts.append("")
                    continue
                }
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }
}
