import Soups

/// Reads the resource path of a URL, segment by segment.
///
/// Without metadata a name may be an entity set, property, function or type. The reader checks what the grammar alone
/// determines: literals in parentheses, which system segments end a path, and that a type does not follow itself.
struct URLReader {
    let version: ODataVersion
    let plusAsSpace: Bool
    let limits: Limits
    var budget: Int
    /// The texts of the system options that were read, and the offsets at which they start.
    var texts: [SystemOption: PercentDecoded] = [:]
    var offsets: [SystemOption: Int] = [:]
    /// The names of the aliases that were read.
    var aliasNames: Set<ByteKey> = []

    init(version: ODataVersion, plusAsSpace: Bool, limits: Limits) {
        self.version = version
        self.plusAsSpace = plusAsSpace
        self.limits = limits
        budget = limits.nodes
    }

    mutating func resource(_ path: [ArraySlice<UInt8>]) throws(Fault) -> [ResourceSegment] {
        var segments: [ResourceSegment] = []
        for raw in path {
            if segments.count >= limits.depth {
                throw Fault(.limitExceeded, "more than \(limits.depth) segments", offset: raw.startIndex)
            }
            let segment = try segment(raw, isFirst: segments.isEmpty)
            try check(segment, after: segments.last)
            try checkTypes(segments)
            try checkLinks(segment, after: segments)
            segments.append(segment)
        }
        if segments.last?.isLinks == true {
            throw Fault(.syntax, "expected a navigation property after $links", offset: path[path.count - 1].endIndex)
        }
        return segments
    }

    private func check(_ segment: ResourceSegment, after previous: ResourceSegment?) throws(Fault) {
        guard let previous else { return }
        if previous.kind == .system {
            let ends = !["$links", "$each", "$entity", "$all"].contains { $0.hasBytes(of: previous.name) }
            // The fault has the offset of the slash before the segment.
            if ends {
                throw Fault(.syntax, "nothing may follow \(previous.name)", offset: segment.offset - 1)
            }
        }
        if previous.kind == .system, previous.name.hasBytes(of: "$each"), segment.kind != .name {
            throw Fault(.syntax, "only an operation may follow $each", offset: segment.offset)
        }
        if segment.kind == .keySegment, previous.namesOneEntity {
            throw Fault(.syntax, "a second key: the segment before has one", offset: segment.offset)
        }
        if segment.isQualified, previous.isQualified, segment.arguments == nil, previous.arguments == nil,
            segment.name.hasBytes(of: previous.name)
        {
            throw Fault(.syntax, "duplicate type segment", offset: segment.offset + segment.name.utf8.count)
        }
    }

    /// Checks that a type does not follow another one. Only the last qualified name of a path may be an operation
    /// without parentheses instead of a type (OData ABNF, rule `boundOperation`), so this is known once a segment
    /// follows.
    private func checkTypes(_ segments: [ResourceSegment]) throws(Fault) {
        let last = segments.suffix(2)
        guard segments.count > 2, last.allSatisfy({ $0.isQualified && $0.arguments == nil }), let type = last.last
        else { return }
        throw Fault(
            .syntax, "a type cannot follow another type in a path; leave one out", offset: type.offset)
    }

    /// Checks what follows `$links`: a navigation property, and then at most the number of its links.
    private func checkLinks(_ segment: ResourceSegment, after segments: [ResourceSegment]) throws(Fault) {
        if segments.last?.isLinks == true, segment.kind == .system {
            throw Fault(.syntax, "expected a navigation property after $links", offset: segment.offset)
        }
        if segments.dropLast().last?.isLinks == true, segment.kind != .system || !segment.name.hasBytes(of: "$count") {
            throw Fault(
                .syntax, "only $count may follow the navigation property after $links", offset: segment.offset)
        }
    }

    private mutating func segment(_ raw: ArraySlice<UInt8>, isFirst: Bool) throws(Fault) -> ResourceSegment {
        let text = try PercentDecoded(raw, plusAsSpace: false)
        if text.bytes.first == UInt8(ascii: "$") {
            return try systemSegment(text, at: raw.startIndex, isFirst: isFirst)
        }
        if !isFirst, version == .v401, isKey(text.bytes) {
            return ResourceSegment(.keySegment, text.text, offset: raw.startIndex)
        }
        var result: ResourceSegment?
        try parse(text) { parser throws(Fault) in
            guard let (end, _) = parser.lexer.endOfQualifiedName() else {
                throw parser.lexer.unexpected("expected a name")
            }
            let name = String(bytes: parser.lexer.slice(0, end))
            parser.lexer.position = end
            let arguments = parser.lexer.next == UInt8(ascii: "(") ? try parser.segmentArguments() : nil
            var key: [ResourceSegment.Argument]?
            if let arguments, arguments.allSatisfy({ $0.name != nil }), parser.version.isV4,
                parser.lexer.next == UInt8(ascii: "(")
            {
                key = try parser.segmentArguments()
                guard key?.isEmpty == false else {
                    parser.lexer.position -= 1
                    throw parser.lexer.unexpected("expected the values of a key")
                }
            }
            try parser.end()
            result = ResourceSegment(.name, name, arguments: arguments, key: key, offset: raw.startIndex)
        }
        guard let result else {
            throw Fault(.syntax, "empty path segment", offset: raw.startIndex)
        }
        return result
    }

    /// Whether a segment cannot be a name, for example because of a digit or a quote, and so must be a key or an index.
    private func isKey(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            guard let end = Identifier.end(in: buffer, from: 0) else { return true }
            return end < buffer.count && buffer[end] != UInt8(ascii: "(") && buffer[end] != UInt8(ascii: ".")
        }
    }

    private mutating func systemSegment(
        _ text: PercentDecoded, at offset: Int, isFirst: Bool
    ) throws(Fault) -> ResourceSegment {
        func isText(_ name: String) -> Bool { text.bytes.elementsEqual(name.utf8) }
        let roots = version.isV4 ? ["$metadata", "$batch", "$entity", "$all"] : ["$metadata", "$batch"]
        let others = version.isV4 ? ["$count", "$value", "$ref"] : ["$count", "$value", "$links"]
        if let name = (isFirst ? roots : others).first(where: isText) {
            return ResourceSegment(.system, name, offset: offset)
        }
        if !isFirst, version == .v401, isText("$each") || isText("$query") {
            return ResourceSegment(.system, text.text, offset: offset)
        }
        if isFirst, version.isV4, text.bytes.starts(with: "$crossjoin(".utf8) {
            return try bracketed(text, .crossJoin, "$crossjoin", at: offset) { parser throws(Fault) in
                var sets: [ResourceSegment.Argument] = []
                repeat {
                    sets.append(
                        ResourceSegment.Argument(name: try parser.name(), value: ODataExpression.null(parser.version)))
                } while parser.eatComma()
                return (sets, nil)
            }
        }
        if !isFirst, version == .v401, text.bytes.starts(with: "$filter(".utf8) {
            return try bracketed(text, .filter, "$filter", at: offset) { parser throws(Fault) in
                (nil, try parser.expression())
            }
        }
        throw Fault(.syntax, "this path segment is not allowed here", offset: offset)
    }

    private mutating func bracketed(
        _ text: PercentDecoded, _ kind: ResourceSegment.Kind, _ name: String, at offset: Int,
        _ body: (inout OptionParser) throws(Fault) -> ([ResourceSegment.Argument]?, ODataExpression?)
    ) throws(Fault) -> ResourceSegment {
        var result: ([ResourceSegment.Argument]?, ODataExpression?) = (nil, nil)
        try parse(text) { parser throws(Fault) in
            parser.lexer.position = name.utf8.count + 1
            result = try body(&parser)
            try parser.lexer.expect(UInt8(ascii: ")"))
            try parser.end()
        }
        return ResourceSegment(kind, name, arguments: result.0, predicate: result.1, offset: offset, text: text)
    }
}

extension OptionParser {
    /// Parses key values or arguments: a single literal or alias, or named ones.
    mutating func segmentArguments() throws(Fault) -> [ResourceSegment.Argument] {
        try lexer.expect(UInt8(ascii: "("))
        lexer.skipBlanks()
        var arguments: [ResourceSegment.Argument] = []
        var names: Set<ByteKey> = []
        if lexer.eat(UInt8(ascii: ")")) {
            return arguments
        }
        repeat {
            var name: String?
            if let end = lexer.endOfName(), lexer.byte(at: end) == UInt8(ascii: "=") {
                name = try self.name()
                lexer.position += 1
            } else if !arguments.isEmpty {
                throw lexer.unexpected("every value of a composite key needs a name")
            }
            let offset = lexer.position
            let value = try expression()
            let kind = value.nodes[value.root].kind
            guard kind == .literal || kind == .alias || (kind == .null && name != nil) else {
                throw Fault(.syntax, "expected a literal or an alias", offset: offset)
            }
            if let name, !names.insert(ByteKey(name)).inserted {
                throw Fault(.syntax, "duplicate name", offset: offset)
            }
            arguments.append(ResourceSegment.Argument(name: name, value: value))
        } while arguments.last?.name != nil && eatComma()
        lexer.skipBlanks()
        try lexer.expect(UInt8(ascii: ")"))
        return arguments
    }
}

extension ODataExpression {
    static func null(_ version: ODataVersion) -> ODataExpression {
        ODataExpression(
            version: version, source: Array("null".utf8), nodes: [ExpressionNode(.null, start: 0, end: 4)], root: 0)
    }
}

extension ResourceSegment {
    /// Whether its parentheses have a key. Those with names may be the arguments of a function that returns a
    /// collection.
    fileprivate var namesOneEntity: Bool {
        key != nil || (arguments ?? []).contains { $0.name == nil }
    }
}

extension ResourceSegment {
    fileprivate var isLinks: Bool { kind == .system && name.hasBytes(of: "$links") }
}
