import Soups

extension URLReader {
    /// Splits a query at `&` and each option at its first `=`, decodes the parts and parses the values of system
    /// options.
    mutating func options(_ query: ArraySlice<UInt8>?) throws(Fault) -> QueryOptions {
        var options = QueryOptions()
        guard let query, !query.isEmpty else {
            return options
        }
        var seen: Set<SystemOption> = []
        let parts = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        options.aliases.reserveCapacity(parts.count { $0.first == UInt8(ascii: "@") })
        aliasNames.reserveCapacity(options.aliases.capacity)
        for part in parts {
            let offset = part.startIndex
            guard !part.isEmpty else {
                throw Fault(.syntax, "empty query option", offset: offset)
            }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = try PercentDecoded(part[..<(equals ?? part.endIndex)], plusAsSpace: plusAsSpace)
            let value = try PercentDecoded(
                equals.map { part[($0 + 1)...] } ?? part[part.endIndex...], plusAsSpace: plusAsSpace)
            if let option = try systemOption(name, at: offset) {
                guard seen.insert(option).inserted else {
                    throw Fault(.syntax, "$\(option.rawValue) is given twice", offset: offset)
                }
                guard equals != nil else {
                    throw Fault(.syntax, "the option has no value", offset: part.endIndex)
                }
                try read(option, value, into: &options)
                texts[option] = value
                offsets[option] = offset
            } else if name.bytes.first == UInt8(ascii: "@"), version >= .v3 {
                try alias(name, value, hasValue: equals != nil, at: offset, into: &options)
            } else if name.bytes.isEmpty || name.bytes.first == UInt8(ascii: "@") {
                throw Fault(.syntax, "expected the name of a query option", offset: offset)
            } else {
                // A blank before `$filter` must not make another option of it, which would be passed over.
                if let blank = part[..<(equals ?? part.endIndex)].firstIndex(where: { $0 <= UInt8(ascii: " ") }) {
                    throw Fault(.syntax, "the name of a query option must not have a blank", offset: blank)
                }
                options.custom.append(QueryOptions.CustomOption(name: name.text, value: value.text))
            }
        }
        return options
    }

    /// The system option with a name; nil for a custom option. Names that start with `$` are never custom.
    private func systemOption(_ name: PercentDecoded, at offset: Int) throws(Fault) -> SystemOption? {
        let hasDollar = name.bytes.first == UInt8(ascii: "$")
        guard hasDollar || version == .v401 else { return nil }
        let option = name.bytes.withUnsafeBufferPointer { bytes in
            SystemOption.find(
                UnsafeBufferPointer(rebasing: bytes[(hasDollar ? 1 : 0)...]), ignoringCase: version == .v401)
        }
        guard let option, option != .levels else {
            if !hasDollar {
                return nil
            }
            throw Fault(.syntax, "unknown system query option", offset: offset)
        }
        guard option.isKnown(in: version) else {
            if !hasDollar {
                return nil
            }
            throw Fault(
                .unsupported, "$\(option.rawValue) does not exist in version \(version.rawValue)", offset: offset)
        }
        return option
    }

    private mutating func read(
        _ option: SystemOption, _ value: PercentDecoded, into options: inout QueryOptions
    ) throws(Fault) {
        var read = options
        try parse(value) { parser throws(Fault) in
            try parser.read(option, into: &read)
            try parser.end()
        }
        options = read
    }

    private mutating func alias(
        _ name: PercentDecoded, _ value: PercentDecoded, hasValue: Bool, at offset: Int,
        into options: inout QueryOptions
    ) throws(Fault) {
        let end = name.bytes.withUnsafeBufferPointer { Identifier.end(in: $0, from: 1) }
        guard hasValue, end == name.bytes.count else {
            throw Fault(.syntax, "expected a parameter alias such as @name=value", offset: offset)
        }
        guard aliasNames.insert(ByteKey(name.text)).inserted else {
            throw Fault(.syntax, "duplicate parameter alias", offset: offset)
        }
        var tree: ODataExpression?
        try parse(value) { parser throws(Fault) in
            tree = try parser.expression()
            try parser.end()
        }
        if let tree {
            options.aliases.append(QueryOptions.Alias(name: name.text, value: tree))
        }
    }

    /// Runs a parser on decoded bytes. All texts of the URL share one budget of nodes.
    mutating func parse(_ text: PercentDecoded, _ body: (inout OptionParser) throws(Fault) -> Void) throws(Fault) {
        do {
            budget = try text.bytes.withUnsafeBufferPointer { (buffer) throws(Fault) in
                var parser = try OptionParser(buffer, source: text.bytes, version: version, limits: limits)
                parser.parser.budget = budget
                parser.escapedSemicolons = text.escapedSemicolons
                try body(&parser)
                return parser.parser.budget
            }
        } catch {
            throw text.located(error)
        }
    }
}
