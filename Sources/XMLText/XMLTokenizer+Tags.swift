extension XMLTokenizer {
    /// `</name>`: compared with the element that is open, never looked up.
    func endTagEnd(_ start: Int) throws(XMLError) -> Int? {
        guard let open = stack.last else { throw error(.syntax, at: start, "An end tag without a start tag.") }
        let at = Int(open.written)
        let count = names.qualified[at].count
        let nameStart = start + 2
        guard nameStart + count < window.end else { return nil }
        var matches = names.qualified[at].begins(UnsafeRawPointer(window.bytes + nameStart))
        if matches, count > 16 {
            matches = names.texts.withBytes(of: names.qualified[at].text) { text in
                for index in 16..<count where text[index] != window.bytes[nameStart + index] { return false }
                return true
            }
        }
        guard matches else { throw error(.syntax, at: start, "The end tag is not that of the element that is open.") }
        var place = nameStart + count
        if window.bytes[place] == UInt8(ascii: ">") { return place + 1 }
        place = spaceEnd(from: place)
        guard place < window.end else { return nil }
        guard window.bytes[place] == UInt8(ascii: ">") else {
            throw error(.syntax, at: place, "The end tag is not that of the element that is open.")
        }
        return place + 1
    }

    /// `<name attribute="value" ...>`; nil where the window ends inside it, and nothing has happened then but that names were learnt.
    mutating func readStartTag() throws(XMLError) -> XMLToken? {
        let start = window.position
        guard !rootIsClosed else { throw error(.syntax, at: start, "A second root element.") }
        let predicted = lastElement >= 0 ? names.qualified[Int(lastElement)].nextElement : -1
        guard let (element, nameEnd) = try readName(at: start + 1, predicted: predicted) else { return nil }
        if lastElement >= 0, predicted != element { names.qualified[Int(lastElement)].nextElement = element }
        if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
        if !declarations.isEmpty { declarations.removeAll(keepingCapacity: true) }
        rewritten.removeAll()

        var place = nameEnd
        var previous = element
        var isEmpty = false
        while true {
            var byte = window.bytes[place]
            if byte == UInt8(ascii: ">") { break }
            let gap = place
            if Self.isSpace(byte) {
                place = spaceEnd(from: place)
                byte = window.bytes[place]
                if byte == UInt8(ascii: ">") { break }
            }
            guard place < window.end else { return nil }
            if byte == UInt8(ascii: "/") {
                guard place + 1 < window.end else { return nil }
                guard window.bytes[place + 1] == UInt8(ascii: ">") else { throw error(.syntax, at: place, "A slash inside a tag.") }
                isEmpty = true
                place += 1
                break
            }
            guard place > gap else { throw error(.syntax, at: place, "White space is missing in front of an attribute.") }
            guard let (attribute, next) = try readAttribute(at: place, after: previous) else { return nil }
            previous = attribute
            place = next
        }
        guard stack.count < limits.depth else {
            throw error(.limitExceeded, at: start, "Elements are nested deeper than \(limits.depth).")
        }
        let state = declarations.isEmpty ? stack.last?.state ?? NamespaceStates.root : try bindNamespaces()
        guard let expanded = names.element(element, in: state) else {
            throw error(.namespace, at: start + 1, "The prefix of an element is not declared.")
        }
        guard names.qualified[Int(element)].prefix != NameTable.xmlns else {
            throw error(.namespace, at: start + 1, "An element cannot have the prefix xmlns.")
        }
        if !attributes.isEmpty { try expandAttributes(in: state) }
        lastElement = element
        name = XMLName(index: expanded)
        stack.append(Open(written: element, name: name, state: state))
        textTotal = 0
        endFollows = isEmpty
        window.position = place + 1
        return .startElement
    }

    /// `name = "value"`.
    private mutating func readAttribute(at start: Int, after previous: Int32) throws(XMLError) -> (name: Int32, end: Int)? {
        let predicted = names.qualified[Int(previous)].nextAttribute
        guard let (name, nameEnd) = try readName(at: start, predicted: predicted) else { return nil }
        if predicted != name { names.qualified[Int(previous)].nextAttribute = name }
        var place = nameEnd
        if window.bytes[place] != UInt8(ascii: "=") {
            place = spaceEnd(from: place)
            guard place < window.end else { return nil }
            guard window.bytes[place] == UInt8(ascii: "=") else { throw error(.syntax, at: place, "An attribute has no value.") }
        }
        place += 1
        if Self.isSpace(window.bytes[place]) { place = spaceEnd(from: place) }
        guard place < window.end else { return nil }
        let quote = window.bytes[place]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(.syntax, at: place, "The value of an attribute stands in quotes.")
        }
        guard attributes.count + declarations.count < limits.attributes else {
            throw error(.limitExceeded, at: start, "An element has more than \(limits.attributes) attributes.")
        }
        let valueStart = place + 1
        let rewrittenStart = rewritten.count
        guard let close = try valueEnd(from: valueStart, quote: quote) else { return nil }
        let isRewritten = rewritten.count > rewrittenStart || (close.changed)
        let attribute = Attribute(
            written: name, name: XMLName(index: -1), start: isRewritten ? rewrittenStart : valueStart,
            count: isRewritten ? rewritten.count - rewrittenStart : close.end - valueStart, isRewritten: isRewritten, place: start)
        let prefix = names.qualified[Int(name)].prefix
        if prefix == NameTable.xmlns || names.qualified[Int(name)].text == NameTable.xmlns {
            declarations.append(attribute)
        } else {
            attributes.append(attribute)
        }
        return (name, close.end + 1)
    }

    /// Finds the closing quote. White space other than blanks and references are rewritten into `rewritten` (XML 1.0, 3.3.3).
    private mutating func valueEnd(from start: Int, quote: UInt8) throws(XMLError) -> (end: Int, changed: Bool)? {
        var place = start
        // What stands in the window from here on is not copied yet; nil while nothing had to be rewritten.
        var copied: Int?
        func copy(_ tokenizer: inout XMLTokenizer, upTo end: Int) {
            let from = copied ?? start
            tokenizer.rewritten.append(UnsafeBufferPointer(start: UnsafePointer(tokenizer.window.bytes + from), count: end - from))
        }
        while true {
            place = plainEnd(from: place, stop: quote)
            let byte = window.bytes[place]
            if byte == quote {
                guard place - start <= limits.attributeBytes else {
                    throw error(.limitExceeded, at: start, "The value of an attribute is longer than \(limits.attributeBytes) bytes.")
                }
                if copied != nil { copy(&self, upTo: place) }
                return (place, copied != nil)
            }
            if byte == UInt8(ascii: "<") { throw error(.syntax, at: place, "The sign < in the value of an attribute.") }
            if place >= window.end {
                guard place - start <= limits.attributeBytes else {
                    throw error(.limitExceeded, at: start, "The value of an attribute is longer than \(limits.attributeBytes) bytes.")
                }
                return nil
            }
            if byte >= 0x80 {
                guard let count = try sequence(at: place) else { return nil }
                place += count
                continue
            }
            switch byte {
            case UInt8(ascii: "&"):
                guard let reference = try reference(at: place) else { return nil }
                copy(&self, upTo: place)
                rewritten.append(scalar: reference.scalar)
                place = reference.end
                copied = place
            case 0x09, 0x0A, 0x0D:
                copy(&self, upTo: place)
                rewritten.append(0x20)
                if byte == 0x0D {
                    guard place + 1 < window.end else { return nil }
                    if window.bytes[place + 1] == 0x0A { place += 1 }
                }
                place += 1
                copied = place
            default:
                throw error(.invalidText, at: place, "A control character that XML cannot carry.")
            }
        }
    }

    /// Applies the declarations of the tag and gives the state inside the element.
    private mutating func bindNamespaces() throws(XMLError) -> Int32 {
        var state = stack.last?.state ?? NamespaceStates.root
        try checkUnique(declarations.map(\.written), of: declarations)
        for attribute in declarations {
            let isDefault = names.qualified[Int(attribute.written)].text == NameTable.xmlns
            let prefix = isDefault ? NameTable.empty : names.qualified[Int(attribute.written)].local
            let namespace: Int32
            let start = attribute.isRewritten ? UnsafePointer(rewritten.bytes) : UnsafePointer(window.bytes)
            namespace = names.text(UnsafeBufferPointer(start: start + attribute.start, count: attribute.count))
            let allowed =
                if prefix == NameTable.xml {
                    namespace == NameTable.xmlURI
                } else if prefix == NameTable.xmlns {
                    false
                } else {
                    namespace != NameTable.xmlURI && namespace != NameTable.xmlnsURI && (isDefault || namespace != NameTable.empty)
                }
            guard allowed else { throw error(.namespace, at: attribute.place, "This namespace declaration is not allowed.") }
            state = names.states.bind(prefix, to: namespace, in: state)
        }
        guard declarations.isEmpty || names.states.depth(of: state) <= limits.namespacesInScope else {
            throw error(.limitExceeded, at: window.position, "More than \(limits.namespacesInScope) namespaces are in scope.")
        }
        guard names.states.count <= limits.names, names.count <= limits.names else {
            throw error(.limitExceeded, at: window.position, "The document has more than \(limits.names) different names.")
        }
        return state
    }

    /// Finds the expanded names of the attributes; no two may be the same.
    private mutating func expandAttributes(in state: Int32) throws(XMLError) {
        for index in attributes.indices {
            guard let expanded = names.attribute(attributes[index].written, in: state) else {
                throw error(.namespace, at: attributes[index].place, "The prefix of an attribute is not declared.")
            }
            attributes[index].name = XMLName(index: expanded)
        }
        guard attributes.count > 16 else {
            // Few: pairs are cheaper than a table.
            for index in attributes.indices.dropFirst() {
                for earlier in 0..<index where attributes[earlier].name == attributes[index].name { throw twice(attributes[index]) }
            }
            return
        }
        try checkUnique(attributes.map(\.name.index), of: attributes)
    }

    private func checkUnique(_ keys: [Int32], of found: [Attribute]) throws(XMLError) {
        guard keys.count > 1 else { return }
        var seen: Set<Int32> = []
        for (index, key) in keys.enumerated() where !seen.insert(key).inserted { throw twice(found[index]) }
    }

    private func twice(_ attribute: Attribute) -> XMLError {
        error(.syntax, at: attribute.place, "The same attribute twice on one element.")
    }
}
