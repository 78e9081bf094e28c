extension QueryOptions {
    /// Returns the options as text in the order in which a service evaluates them, each with its `$`, joined by
    /// `separator`. The text is not percent-encoded.
    ///
    /// Source: OData Protocol 4.01, 11.2.1, for the order.
    public func canonicalText(separator: String) -> String { text(separator: separator, as: .decoded) }

    /// The options as a percent-encoded query without `?`, in the order in which a service evaluates them.
    public var query: String { text(separator: "&", as: .encoded) }

    /// The options in a form, joined by `separator`.
    fileprivate func text(separator: String, as form: OptionTextForm) -> String {
        parts(as: form).map { $0.name + ($0.value.map { "=" + $0 } ?? "") }.joined(separator: separator)
    }

    /// The names and canonical values of the options; the value is nil for a custom option without `=`.
    private func parts(as form: OptionTextForm) -> [(name: String, value: String?)] {
        var parts: [(name: String, value: String?)] = []
        /// Adds an option whose value is in the form already.
        func putWritten(_ name: String, _ value: String?) {
            if let value {
                parts.append(("$" + name, value))
            }
        }
        func put(_ name: String, _ value: String?) { putWritten(name, value.map { form.value($0) }) }
        put("schemaversion", schemaVersion)
        putWritten("apply", apply.map { form.search($0.canonicalText) })
        put("compute", compute?.canonicalText)
        putWritten("search", search.map { form.search($0.canonicalText) })
        put("filter", filter?.canonicalText)
        put("count", count.map { $0 ? "true" : "false" })
        put("inlinecount", inlineCount.map { $0 ? "allpages" : "none" })
        put(
            "orderby",
            orderBy.map { $0.map(\.canonicalText).joined(separator: ",") })
        put("skip", skip.map(String.init))
        put("top", top.map(String.init))
        put("index", index.map(String.init))
        put("skiptoken", skipToken)
        put("deltatoken", deltaToken)
        putWritten("expand", expand.map { $0.map { $0.text(as: form) }.joined(separator: ",") })
        putWritten("select", select.map { $0.map { $0.text(as: form) }.joined(separator: ",") })
        put("format", format)
        put("id", id)
        parts += aliases.map { (form.name($0.name), form.value($0.value.canonicalText)) }
        parts += custom.map { (form.name($0.name), $0.value.isEmpty ? nil : form.value($0.value)) }
        return parts
    }
}

extension SelectItem {
    /// The path with its nested options in canonical form.
    public var canonicalText: String { text(as: .decoded) }

    fileprivate func text(as form: OptionTextForm) -> String {
        form.value(path) + (options.map { "(" + $0.text(separator: ";", as: form) + ")" } ?? "")
    }
}

extension ExpandItem {
    /// The item as text. Parsing it gives the same item.
    public var canonicalText: String { text(as: .decoded) }

    fileprivate func text(as form: OptionTextForm) -> String {
        var text = form.value(path) + (isReference ? "/$ref" : isCount ? "/$count" : "")
        var inner: [String] = []
        switch levels {
        case .levels(let number): inner.append("$levels=\(number)")
        case .max: inner.append("$levels=max")
        case nil: break
        }
        let nested = options.text(separator: ";", as: form)
        if !nested.isEmpty {
            inner.append(nested)
        }
        if !inner.isEmpty {
            text += "(" + inner.joined(separator: ";") + ")"
        }
        return text
    }
}

extension OrderByItem {
    var canonicalText: String {
        isDescending ? expression.canonicalTextBeforeWord + " desc" : expression.canonicalText
    }
}

extension [ComputeItem] {
    var canonicalText: String {
        map { "\($0.expression.canonicalTextBeforeWord) as \($0.name)" }.joined(separator: ",")
    }
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
            "groupby((\(properties.map(\.path).joined(separator: ",")))"
                + (steps.isEmpty ? "" : "," + steps.canonicalText) + ")"
        case .aggregate(let items): "aggregate(" + items.map(\.canonicalText).joined(separator: ",") + ")"
        case .search(let expression): "search(\(expression.canonicalText))"
        case .orderBy(let items): "orderby(" + items.map(\.canonicalText).joined(separator: ",") + ")"
        case .skip(let count): "skip(\(count))"
        case .top(let count): "top(\(count))"
        }
    }
}

extension Transformation.Aggregate {
    var canonicalText: String {
        (expression?.canonicalTextBeforeWord ?? "$count") + (method.map { " with \($0.rawValue)" } ?? "")
            + " as \(name)"
    }
}

extension SearchExpression {
    /// The search with all operators written out, and only the parentheses that precedence requires. O(n) in the length
    /// of the result.
    public var canonicalText: String {
        guard !nodes.isEmpty else {
            return ""
        }
        var output: [UInt8] = []
        // The pieces that are still to be written, the next one last. Chains may be as long as the text, so the
        // function does not recurse.
        var pending: [Piece] = [.node(root, least: 0)]
        while let piece = pending.popLast() {
            switch piece {
            case .text(let text): output.append(contentsOf: text.utf8)
            case .node(let index, let least):
                let isBracketed = rank(of: index) < least
                if isBracketed {
                    output.append(UInt8(ascii: "("))
                }
                if isBracketed {
                    pending.append(.text(")"))
                }
                switch nodes[index] {
                case .term(let text):
                    output.append(contentsOf: Self.canonical(term: text, isWhole: nodes.count == 1).utf8)
                case .phrase(let text): output.append(contentsOf: ("\"" + text + "\"").utf8)
                case .not(let inner):
                    output.append(contentsOf: "NOT ".utf8)
                    pending.append(.node(inner, least: 2))
                case .and(let left, let right):
                    pending += [.node(right, least: 2), .text(" AND "), .node(left, least: 1)]
                case .or(let left, let right):
                    pending += [.node(right, least: 1), .text(" OR "), .node(left, least: 0)]
                }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A word as it reads back: one that is also an operator in parentheses, and an incomplete search, which is a term
    /// of its own in version 4.01, in single quotes.
    private static func canonical(term: String, isWhole: Bool) -> String {
        if ["AND", "OR", "NOT"].contains(where: { term.hasBytes(of: $0) }) {
            return "(\(term))"
        }
        let isWord =
            !term.isEmpty && term.utf8.first != UInt8(ascii: "'")
            && !term.utf8.contains { $0 <= 0x20 || separators.contains($0) }
        guard isWhole, !isWord else { return term }
        return "'" + term.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    private static let separators = Array("()\"".utf8)

    private enum Piece {
        case text(String)
        case node(Int, least: Int)
    }

    private func rank(of index: Int) -> Int {
        switch nodes[index] {
        case .or: 0
        case .and: 1
        default: 2
        }
    }
}
