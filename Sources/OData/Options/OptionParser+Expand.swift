import Soups

extension OptionParser {
    mutating func expand() throws(Fault) -> [ExpandItem] {
        var items: [ExpandItem] = []
        var paths: Set<ByteKey> = []
        // Growing it again and again would take a third of the time. An item and its comma are three bytes or more.
        paths.reserveCapacity(min(parser.expandBudget, (lexer.bytes.count - lexer.position) / 3))
        repeat {
            let offset = lexer.position
            parser.expandBudget -= 1
            guard parser.expandBudget >= 0 else {
                throw Fault(
                    .limitExceeded, "too many items in $expand; raise Limits.expandItems", offset: offset)
            }
            var item = try expandItem()
            item.offset = offset
            guard paths.insert(item.key).inserted else {
                throw Fault(.syntax, "duplicate path in $expand", offset: offset)
            }
            items.append(item)
        } while eatComma()
        return items
    }

    private mutating func expandItem() throws(Fault) -> ExpandItem {
        let start = lexer.position
        if version.isV4, lexer.eat("$value") {
            return ExpandItem(plain: "$value")
        }
        var isStar = false
        var namesProperty = false
        var end = start
        while true {
            if version.isV4, lexer.eat(UInt8(ascii: "*")) {
                isStar = true
            } else {
                let first = lexer.position
                let isAnnotation = try !segmentName().isName
                let isType = lexer.slice(first, lexer.position).contains(UInt8(ascii: "."))
                namesProperty = namesProperty || isAnnotation || !isType
            }
            end = lexer.position
            guard !isStar, lexer.next == UInt8(ascii: "/"), lexer.byte(at: end + 1) != UInt8(ascii: "$") else {
                break
            }
            lexer.position += 1
        }
        guard isStar || namesProperty else {
            throw lexer.unexpected("expected '/' and a navigation property after the type")
        }
        let path = String(bytes: lexer.slice(start, end))
        guard version.isV4 else {
            return ExpandItem(plain: path)
        }
        let isReference = lexer.eat("/$ref")
        let isCount = !isReference && !isStar && lexer.eat("/$count")
        guard lexer.next == UInt8(ascii: "("), !(isStar && isReference) else {
            return ExpandItem(plain: path, isReference: isReference, isCount: isCount)
        }
        let (options, levels) = try nestedOptions(
            isStar ? .star : isReference ? .reference : isCount ? .count : .expand)
        return ExpandItem(path: path, isReference: isReference, isCount: isCount, levels: levels, options: options)
    }

    /// The kind of item that nested options belong to. It determines which options are allowed.
    enum ItemKind {
        case expand, reference, count, star, select

        func allows(_ option: SystemOption) -> Bool {
            switch option {
            case .filter, .search: self != .star
            case .orderby, .skip, .top, .count: self != .star && self != .count
            case .select, .expand, .compute: self == .expand || (self == .select && option != .expand)
            case .levels: self == .expand || self == .star
            // Source: OData Data Aggregation ABNF 4.0, section 1.
            case .apply: self == .expand
            default: false
            }
        }
    }

    /// Parses `(option;option;...)` after an item.
    mutating func nestedOptions(_ kind: ItemKind) throws(Fault) -> (options: QueryOptions, levels: ExpandItem.Levels?) {
        try lexer.expect(UInt8(ascii: "("))
        try parser.enter()
        lexer.skipBlanks()
        var options = QueryOptions()
        var levels: ExpandItem.Levels?
        var seen: Set<SystemOption> = []
        var aliasNames: Set<ByteKey> = []
        repeat {
            let start = lexer.position
            if version == .v401, lexer.next == UInt8(ascii: "@"), kind == .expand || kind == .select {
                try nestedAlias(into: &options, &aliasNames)
                continue
            }
            guard let option = try eatOptionName() else {
                throw Fault(
                    .syntax, "unknown option; only options of $select and $expand are allowed here", offset: start)
            }
            guard kind.allows(option) else {
                let known = option.isKnown(in: version)
                throw Fault(known ? .syntax : .unsupported, "$\(option.rawValue) is not allowed here", offset: start)
            }
            if !option.isKnown(in: version) {
                throw Fault(
                    .unsupported, "$\(option.rawValue) does not exist in version \(version.rawValue)", offset: start)
            }
            guard seen.insert(option).inserted else {
                throw Fault(.syntax, "$\(option.rawValue) is given twice", offset: start)
            }
            if option == .levels {
                levels = try readLevels()
            } else {
                try read(option, into: &options)
            }
        } while eat(separator: UInt8(ascii: ";"))
        lexer.skipBlanks()
        try lexer.expect(UInt8(ascii: ")"))
        parser.leave()
        return (options, levels)
    }

    private mutating func nestedAlias(into options: inout QueryOptions, _ names: inout Set<ByteKey>) throws(Fault) {
        let start = lexer.position
        lexer.position += 1
        let name = "@" + (try name())
        try lexer.expect(UInt8(ascii: "="))
        guard names.insert(ByteKey(name)).inserted else {
            throw Fault(.syntax, "duplicate parameter alias", offset: start)
        }
        options.aliases.append(QueryOptions.Alias(name: name, value: try expression()))
    }

    /// Reads the name of a system option and its `=`; nil for other names. The `$` is optional in 4.01.
    private mutating func eatOptionName() throws(Fault) -> SystemOption? {
        let start = lexer.position
        let hasDollar = lexer.eat(UInt8(ascii: "$"))
        guard hasDollar || version == .v401, let end = lexer.endOfName(),
            let option = SystemOption.find(lexer.slice(lexer.position, end), ignoringCase: version == .v401)
        else {
            lexer.position = start
            return nil
        }
        lexer.position = end
        try lexer.expect(UInt8(ascii: "="))
        return option
    }

    /// Reads a positive number without a leading zero, or `max`.
    private mutating func readLevels() throws(Fault) -> ExpandItem.Levels {
        if let end = lexer.endOfName(), lexer.isWord("max", from: lexer.position, to: end) {
            lexer.position = end
            return .max
        }
        guard lexer.next != UInt8(ascii: "0") else {
            throw lexer.unexpected("expected a positive number or 'max'")
        }
        return .levels(try digits())
    }
}

extension ExpandItem {
    /// What tells an item from others: its path. The count of a collection is shown next to it.
    fileprivate var key: ByteKey { ByteKey(isCount ? path + "/$count" : path) }
}
