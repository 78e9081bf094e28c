import Soups

extension OptionParser {
    mutating func select() throws(Fault) -> [SelectItem] {
        var items: [SelectItem] = []
        repeat { items.append(try selectItem()) } while eatComma()
        return items
    }

    private mutating func selectItem() throws(Fault) -> SelectItem {
        let start = lexer.position
        var isAll = false
        while true {
            if lexer.eat(UInt8(ascii: "*")) {
                isAll = true
                break
            }
            let end = try segmentName()
            if lexer.eat("/") {
                continue
            }
            // `Ns.*`: all operations of a schema.
            if end.isName, lexer.next == UInt8(ascii: "."), lexer.byte(at: lexer.position + 1) == UInt8(ascii: "*") {
                guard version.isV4 else {
                    throw lexer.unexpected("all operations of a schema in $select require version 4.0")
                }
                lexer.position += 2
                isAll = true
            }
            break
        }
        let path = lexer.position
        guard version.isV4, !isAll, lexer.next == UInt8(ascii: "(") else {
            return SelectItem(path: String(bytes: lexer.slice(start, path)), offset: start)
        }
        if isParameterList {
            return SelectItem(path: String(bytes: lexer.slice(start, try skipParameterList())), offset: start)
        }
        guard version == .v401 else {
            throw lexer.unexpected("options of an item of $select require version 4.01")
        }
        let options = try nestedOptions(.select)
        return SelectItem(path: String(bytes: lexer.slice(start, path)), options: options.options, offset: start)
    }

    /// Reads a name, a qualified name or an annotation.
    mutating func segmentName() throws(Fault) -> (end: Int, isName: Bool) {
        if version.isV4, lexer.next == UInt8(ascii: "@") {
            let node = try parser.annotation()
            parser.nodes = []
            _ = node
            return (lexer.position, false)
        }
        guard let (end, _) = lexer.endOfQualifiedName() else {
            throw lexer.unexpected("expected a name")
        }
        lexer.position = end
        return (end, true)
    }

    /// Whether the parentheses contain only names separated by commas: the parameters of an overload.
    private var isParameterList: Bool {
        var ahead = self
        return (try? ahead.skipParameterList()) != nil
    }

    private mutating func skipParameterList() throws(Fault) -> Int {
        try lexer.expect(UInt8(ascii: "("))
        repeat { _ = try name() } while lexer.eat(UInt8(ascii: ","))
        try lexer.expect(UInt8(ascii: ")"))
        return lexer.position
    }
}
