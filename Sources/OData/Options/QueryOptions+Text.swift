extension QueryOptions {
    /// The options as text in the order of their evaluation, each with its `$`, joined by `separator`; not percent-encoded.
    ///
    /// Source: odata.md 3.3 and 3.10.
    public func canonicalText(separator: String) -> String {
        var parts: [String] = []
        func put(_ name: String, _ value: String?) {
            if let value { parts.append("$\(name)=\(value)") }
        }
        put("schemaversion", schemaVersion)
        put("apply", apply?.canonicalText)
        put("compute", compute?.canonicalText)
        put("search", search?.canonicalText)
        put("filter", filter?.canonicalText)
        put("count", count.map { $0 ? "true" : "false" })
        put("inlinecount", inlineCount.map { $0 ? "allpages" : "none" })
        put("orderby", orderBy.map { $0.map { $0.expression.canonicalText + ($0.isDescending ? " desc" : "") }.joined(separator: ",") })
        put("skip", skip.map(String.init))
        put("top", top.map(String.init))
        put("index", index.map(String.init))
        put("skiptoken", skipToken)
        put("deltatoken", deltaToken)
        put("expand", expand.map { $0.map(\.canonicalText).joined(separator: ",") })
        put("select", select.map { $0.map(\.canonicalText).joined(separator: ",") })
        put("format", format)
        put("id", id)
        parts += aliases.map { "\($0.name)=\($0.value.canonicalText)" }
        parts += custom.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }
        return parts.joined(separator: separator)
    }
}

extension SelectItem {
    /// The path, and its nested options in canonical text.
    public var canonicalText: String { path + (options.map { "(" + $0.canonicalText(separator: ";") + ")" } ?? "") }
}

extension ExpandItem {
    public var canonicalText: String {
        var text = path + (isReference ? "/$ref" : isCount ? "/$count" : "")
        var inner: [String] = []
        switch levels {
        case .levels(let number): inner.append("$levels=\(number)")
        case .max: inner.append("$levels=max")
        case nil: break
        }
        let nested = options.canonicalText(separator: ";")
        if !nested.isEmpty { inner.append(nested) }
        if !inner.isEmpty { text += "(" + inner.joined(separator: ";") + ")" }
        return text
    }
}

extension [ComputeItem] {
    var canonicalText: String { map { "\($0.expression.canonicalText) as \($0.name)" }.joined(separator: ",") }
}

extension [Transformation] {
    var canonicalText: String { map(\.canonicalText).joined(separator: "/") }
}

extension Transformation {
    var canonicalText: String {
        switch self {
        case .filter(let predicate): "filter(\(predicate.canonicalText))"
        case .compute(let items): "compute(\(items.canonicalText))"
        case .groupBy(let properties, let steps):
            "groupby((\(properties.joined(separator: ",")))" + (steps.isEmpty ? "" : "," + steps.canonicalText) + ")"
        case .aggregate(let items): "aggregate(" + items.map(\.canonicalText).joined(separator: ",") + ")"
        }
    }
}

extension Transformation.Aggregate {
    var canonicalText: String {
        (expression?.canonicalText ?? "$count") + (method.map { " with \($0.rawValue)" } ?? "") + " as \(name)"
    }
}

extension SearchExpression {
    /// The search with its words upper case and brackets only where the ranks ask for them.
    public var canonicalText: String {
        var texts: [(text: String, rank: Int)] = []
        texts.reserveCapacity(nodes.count)
        func inBrackets(_ index: Int, above rank: Int) -> String {
            texts[index].rank < rank ? "(" + texts[index].text + ")" : texts[index].text
        }
        for node in nodes {
            switch node {
            case .term(let text): texts.append((text, 3))
            case .phrase(let text): texts.append(("\"" + text + "\"", 3))
            case .not(let inner): texts.append(("NOT " + inBrackets(inner, above: 3), 3))
            case .and(let left, let right): texts.append((inBrackets(left, above: 1) + " AND " + inBrackets(right, above: 2), 1))
            case .or(let left, let right): texts.append((inBrackets(left, above: 0) + " OR " + inBrackets(right, above: 1), 0))
            }
        }
        return texts.last?.text ?? ""
    }
}
