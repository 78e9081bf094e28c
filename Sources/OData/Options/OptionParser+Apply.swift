import Soups

/// Parses `$apply`: a sequence of `filter`, `search`, `compute`, `aggregate`, `groupby`, `orderby`, `skip` and `top`.
/// Other transformations are `unsupported`.
extension OptionParser {
    mutating func apply() throws(Fault) -> [Transformation] {
        var steps: [Transformation] = []
        repeat { steps.append(try transformation()) } while lexer.eat(UInt8(ascii: "/"))
        return steps
    }

    private mutating func transformation() throws(Fault) -> Transformation {
        let start = lexer.position
        guard let (end, isQualified) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected("expected a transformation")
        }
        lexer.position = end
        let name = String(bytes: lexer.slice(start, end))
        if !isQualified, lexer.next == UInt8(ascii: "(") {
            switch name {
            case "filter": return .filter(try bracketed { p throws(Fault) in try p.expression() })
            case "search": return .search(try bracketed { p throws(Fault) in try p.search() })
            case "compute": return .compute(try bracketed { p throws(Fault) in try p.compute() })
            case "aggregate": return .aggregate(try bracketed { p throws(Fault) in try p.aggregates() })
            case "groupby": return try bracketed { p throws(Fault) in try p.groupBy() }
            case "orderby": return .orderBy(try bracketed { p throws(Fault) in try p.orderBy() })
            case "skip": return .skip(try bracketed { p throws(Fault) in try p.digits() })
            case "top": return .top(try bracketed { p throws(Fault) in try p.digits() })
            default: break
            }
        }
        guard isQualified || Self.otherTransformations.contains(name) else {
            throw Fault(.syntax, "unknown transformation", offset: start)
        }
        throw Fault(.unsupported, "this transformation is not supported", offset: start)
    }

    private static let otherTransformations: Set = [
        "identity", "concat", "topcount", "topsum", "toppercent", "bottomcount", "bottomsum", "bottompercent", "join",
        "outerjoin", "nest", "addnested", "ancestors", "descendants", "traverse",
    ]

    private mutating func bracketed<Result>(
        _ body: (inout OptionParser) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        try lexer.expect(UInt8(ascii: "("))
        try parser.enter()
        lexer.skipBlanks()
        let result = try body(&self)
        lexer.skipBlanks()
        try lexer.expect(UInt8(ascii: ")"))
        parser.leave()
        return result
    }

    private mutating func aggregates() throws(Fault) -> [Transformation.Aggregate] {
        var items: [Transformation.Aggregate] = []
        var names: Set<ByteKey> = []
        repeat {
            let item = try aggregate()
            guard names.insert(ByteKey(item.name)).inserted else {
                throw Fault(
                    .syntax, "two results of aggregate have the same name",
                    offset: lexer.position - item.name.utf8.count)
            }
            items.append(item)
        } while eatComma()
        return items
    }

    /// Parses `$count as Name`, `Path/$count as Name` or `expression with method as Name`.
    private mutating func aggregate() throws(Fault) -> Transformation.Aggregate {
        if lexer.eat("$count") {
            try refuseFrom()
            guard eatWord("as") else {
                throw parser.trailing()
            }
            return Transformation.Aggregate(expression: nil, method: nil, name: try name())
        }
        let expression = try expression()
        if expression.nodes[expression.root].kind == .count {
            try refuseFrom()
            guard eatWord("as") else {
                throw parser.trailing()
            }
            return Transformation.Aggregate(expression: expression, method: nil, name: try name())
        }
        guard eatWord("with") else {
            throw parser.trailing()
        }
        let offset = lexer.position
        guard let (end, isQualified) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected("expected a method")
        }
        lexer.position = end
        if isQualified {
            throw Fault(.unsupported, "custom aggregation methods are not supported", offset: offset)
        }
        guard let method = Transformation.Method(rawValue: String(bytes: lexer.slice(offset, end))) else {
            throw Fault(.syntax, "unknown aggregation method", offset: offset)
        }
        try refuseFrom()
        guard eatWord("as") else {
            throw parser.trailing()
        }
        return Transformation.Aggregate(expression: expression, method: method, name: try name())
    }

    private mutating func refuseFrom() throws(Fault) {
        var ahead = lexer
        ahead.skipBlanks()
        if eatWord("from") {
            throw Fault(.unsupported, "'from' is not supported in aggregate", offset: ahead.position)
        }
    }

    /// Whether a step of hierarchies is at the position, `rollup(...)` or `rolluprecursive(...)`, and not a property
    /// with such a name.
    private var isRollup: Bool {
        guard lexer.isAt("rollup"), let end = lexer.endOfName() else { return false }
        return lexer.byte(at: end) == UInt8(ascii: "(")
    }

    /// Parses `(path,path)` and, after a comma, the steps for each group.
    private mutating func groupBy() throws(Fault) -> Transformation {
        try lexer.expect(UInt8(ascii: "("))
        var properties: [Transformation.GroupingProperty] = []
        repeat {
            lexer.skipBlanks()
            let start = lexer.position
            if isRollup {
                throw Fault(.unsupported, "rollup is not supported", offset: start)
            }
            var segment = start
            repeat {
                // Annotations are not allowed in the paths of aggregations.
                if lexer.next == UInt8(ascii: "@") {
                    throw lexer.unexpected("expected a property")
                }
                segment = lexer.position
                _ = try segmentName()
            } while lexer.eat(UInt8(ascii: "/"))
            // A type must be followed by one of its properties.
            if lexer.slice(segment, lexer.position).contains(UInt8(ascii: ".")) {
                throw lexer.unexpected("expected '/' and a property after the type")
            }
            properties.append(
                Transformation.GroupingProperty(path: String(bytes: lexer.slice(start, lexer.position)), offset: start))
        } while eatComma()
        lexer.skipBlanks()
        try lexer.expect(UInt8(ascii: ")"))
        let steps = eatComma() ? try apply() : []
        try refuseNames(of: properties, in: steps)
        return .groupBy(properties: properties, steps)
    }

    /// A result of `aggregate` is a property next to the grouping properties, so it needs another name.
    private func refuseNames(
        of properties: [Transformation.GroupingProperty], in steps: [Transformation]
    ) throws(Fault) {
        // What a step makes is gone after the next one that reduces.
        let last = steps.last { step in
            switch step {
            case .aggregate, .groupBy: true
            case .filter, .compute, .search, .orderBy, .skip, .top: false
            }
        }
        guard case .aggregate(let items)? = last else { return }
        let names = Set(items.map { ByteKey($0.name) })
        for property in properties {
            let first = property.path.segments.first { !$0.utf8.contains(UInt8(ascii: ".")) }
            if let first, names.contains(ByteKey(String(first))) {
                throw Fault(.syntax, "a result of aggregate has the name of this property", offset: property.offset)
            }
        }
    }
}
