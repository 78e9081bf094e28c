import StepCounting

extension XMLTokenizer {
    /// Reads an end tag `</name>`. It is compared with the open element instead of being looked up.
    ///
    /// Like other methods that are called for each tag or reference, it is mutating though it changes nothing: a
    /// tokenizer that is borrowed inside a mutating method is copied whole.
    @inline(__always)
    mutating func endTagEnd(_ start: Int) throws(XMLError) -> Int? {
        if let end = plainEndTagEnd(start) {
            return end
        }
        return try otherEndTagEnd(start)
    }

    /// The index after `</name>` if that is the end tag of the open element without white space before `>`; nil for
    /// anything else.
    @inline(__always)
    func plainEndTagEnd(_ start: Int) -> Int? {
        guard !stack.isEmpty else { return nil }
        let known = names.qualified.base + Int(stack.base[stack.count - 1].written)
        let position = start + 2 + known.pointee.count
        guard known.pointee.count <= 16, known.pointee.begins(UnsafeRawPointer(window.bytes + start + 2)),
            position < window.end,
            window.bytes[position] == UInt8(ascii: ">")
        else {
            return nil
        }
        return position + 1
    }

    @inline(never)
    private mutating func otherEndTagEnd(_ start: Int) throws(XMLError) -> Int? {
        guard !stack.isEmpty else {
            throw error(.syntax, at: start, "end tag without a start tag")
        }
        let known = names.qualified.base + Int(stack.base[stack.count - 1].written)
        let count = known.pointee.count
        let nameStart = start + 2
        guard nameStart + count < window.end else { return nil }
        guard known.pointee.begins(UnsafeRawPointer(window.bytes + nameStart)),
            count <= 16 || names.texts.matches(known.pointee.text, from: 16, window.bytes + nameStart + 16)
        else {
            throw error(.syntax, at: start, "mismatched end tag")
        }
        let position = spaceEnd(from: nameStart + count)
        guard position < window.end else { return nil }
        guard window.bytes[position] == UInt8(ascii: ">") else {
            throw error(.syntax, at: position, "mismatched end tag")
        }
        return position + 1
    }

    /// Reads a start tag `<name attribute="value" ...>`. Returns nil if the window ends inside it; the state is then
    /// unchanged except for new names.
    mutating func readStartTag() throws(XMLError) -> XMLToken? {
        let start = window.position
        guard !rootIsClosed else {
            throw error(.syntax, at: start, "more than one root element")
        }
        let predicted = lastElement >= 0 ? names.qualified.base[Int(lastElement)].nextElement : Successors()
        guard let (element, nameEnd) = try readName(at: start + 1, predicted: predicted) else {
            return nil
        }
        if lastElement >= 0 {
            names.qualified.base[Int(lastElement)].nextElement.note(element)
        }
        attributes.removeAll()
        declarations.removeAll()
        rewritten.removeAll()

        var position = nameEnd
        var previous = element
        var isEmpty = false
        while true {
            var byte = window.bytes[position]
            if byte == UInt8(ascii: ">") {
                break
            }
            let gap = position
            if Self.isSpace(byte) {
                position = spaceEnd(from: position)
                byte = window.bytes[position]
                if byte == UInt8(ascii: ">") {
                    break
                }
            }
            guard position < window.end else { return nil }
            if byte == UInt8(ascii: "/") {
                guard position + 1 < window.end else { return nil }
                guard window.bytes[position + 1] == UInt8(ascii: ">") else {
                    throw error(.syntax, at: position, "expected '>' after '/' in a tag")
                }
                isEmpty = true
                position += 1
                break
            }
            guard position > gap else {
                throw error(.syntax, at: position, "expected white space before an attribute")
            }
            guard let (attribute, next) = try readAttribute(at: position, after: previous) else {
                return nil
            }
            previous = attribute
            position = next
        }
        guard stack.count < limits.depth else {
            throw error(.limitExceeded, at: start, "elements are nested deeper than \(limits.depth) levels")
        }
        var state = stack.isEmpty ? NamespaceStates.root : stack.base[stack.count - 1].state
        if !declarations.isEmpty {
            state = try bindNamespaces(from: state)
        }
        guard let expanded = names.element(element, in: state) else {
            throw error(.namespace, at: start + 1, "undeclared namespace prefix of an element")
        }
        guard names.qualified.base[Int(element)].prefix != NameTable.xmlns else {
            throw error(.namespace, at: start + 1, "an element must not have the prefix xmlns")
        }
        if !attributes.isEmpty {
            try expandAttributes(in: state)
        }
        attributeCount = attributes.count
        lastElement = element
        name = XMLName(index: expanded)
        stack.append(Open(written: element, name: name, state: state))
        textTotal = 0
        endFollows = isEmpty
        window.position = position + 1
        return .startElement
    }

    /// Reads an attribute `name = "value"`.
    @inline(__always)
    private mutating func readAttribute(
        at start: Int, after previous: Int32
    ) throws(XMLError) -> (name: Int32, end: Int)? {
        let predicted = names.qualified.base[Int(previous)].nextAttribute
        guard let (name, nameEnd) = try readName(at: start, predicted: predicted) else {
            return nil
        }
        names.qualified.base[Int(previous)].nextAttribute.note(name)
        var position = nameEnd
        if window.bytes[position] != UInt8(ascii: "=") {
            position = spaceEnd(from: position)
            guard position < window.end else { return nil }
            guard window.bytes[position] == UInt8(ascii: "=") else {
                throw error(.syntax, at: position, "expected '=' after an attribute name")
            }
        }
        position += 1
        if Self.isSpace(window.bytes[position]) {
            position = spaceEnd(from: position)
        }
        guard position < window.end else { return nil }
        let quote = window.bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw error(.syntax, at: position, "expected an attribute value in quotes")
        }
        guard attributes.count + declarations.count < limits.attributes else {
            throw error(.limitExceeded, at: start, "an element has more than \(limits.attributes) attributes")
        }
        let valueStart = position + 1
        var attribute = Attribute(
            written: name, name: XMLName(index: -1), start: valueStart, count: 0, isRewritten: false, position: start,
            value: UnsafePointer(window.bytes))
        var end = plainEnd(from: valueStart, stop: quote)
        if window.bytes[end] == quote, end - valueStart <= limits.attributeBytes {
            attribute.count = end - valueStart
        } else {
            let rewrittenStart = rewritten.count
            guard let close = try valueEnd(from: valueStart, quote: quote) else { return nil }
            end = close.end
            attribute.isRewritten = close.changed
            attribute.start = close.changed ? rewrittenStart : valueStart
            attribute.count = close.changed ? rewritten.count - rewrittenStart : end - valueStart
        }
        let known = names.qualified.base + Int(name)
        if known.pointee.prefix == NameTable.xmlns || known.pointee.text == NameTable.xmlns {
            declarations.append(attribute)
        } else {
            attributes.append(attribute)
        }
        return (name, end + 1)
    }

    /// Finds the closing quote. A value with references, or with white space other than spaces, is normalized into
    /// `rewritten` (XML 1.0, 3.3.3).
    @inline(never)
    private mutating func valueEnd(from start: Int, quote: UInt8) throws(XMLError) -> (end: Int, changed: Bool)? {
        var position = start
        // The index in the window up to which the value was copied; nil while nothing had to be rewritten.
        var copied: Int?
        func copy(_ tokenizer: inout XMLTokenizer, upTo end: Int) {
            let from = copied ?? start
            tokenizer.rewritten.append(
                UnsafeBufferPointer(start: UnsafePointer(tokenizer.window.bytes + from), count: end - from))
        }
        while true {
            position = plainEnd(from: position, stop: quote)
            let byte = window.bytes[position]
            if byte == quote {
                guard position - start <= limits.attributeBytes else {
                    throw error(
                        .limitExceeded, at: start,
                        "an attribute value is longer than \(limits.attributeBytes) bytes")
                }
                if copied != nil {
                    copy(&self, upTo: position)
                }
                return (position, copied != nil)
            }
            if byte == UInt8(ascii: "<") {
                throw error(.syntax, at: position, "'<' is not allowed in an attribute value")
            }
            if position >= window.end {
                guard position - start <= limits.attributeBytes else {
                    throw error(
                        .limitExceeded, at: start,
                        "an attribute value is longer than \(limits.attributeBytes) bytes")
                }
                return nil
            }
            if byte >= 0x80 {
                guard let count = try sequence(at: position) else { return nil }
                position += count
                continue
            }
            switch byte {
            case UInt8(ascii: "&"):
                guard let reference = try reference(at: position) else { return nil }
                copy(&self, upTo: position)
                rewritten.append(scalar: reference.scalar)
                position = reference.end
                copied = position
            case 0x09, 0x0A, 0x0D:
                copy(&self, upTo: position)
                rewritten.append(0x20)
                if byte == 0x0D {
                    guard position + 1 < window.end else { return nil }
                    if window.bytes[position + 1] == 0x0A {
                        position += 1
                    }
                }
                position += 1
                copied = position
            default:
                throw error(.invalidText, at: position, "control character that is not allowed in XML")
            }
        }
    }

    /// Applies the namespace declarations of the tag and returns the state inside the element.
    @inline(never)
    private mutating func bindNamespaces(from outer: Int32) throws(XMLError) -> Int32 {
        var state = outer
        if let index = repeated(declarations, { $0.written }) {
            throw twice(declarations.base[index])
        }
        for index in 0..<declarations.count {
            let attribute = declarations.base[index]
            let known = names.qualified.base + Int(attribute.written)
            let isDefault = known.pointee.text == NameTable.xmlns
            let prefix = isDefault ? NameTable.empty : known.pointee.local
            let namespace: Int32
            let start = attribute.isRewritten ? UnsafePointer(rewritten.base) : UnsafePointer(window.bytes)
            namespace = names.text(UnsafeBufferPointer(start: start + attribute.start, count: attribute.count))
            let allowed =
                if prefix == NameTable.xml {
                    namespace == NameTable.xmlURI
                } else if prefix == NameTable.xmlns {
                    false
                } else {
                    namespace != NameTable.xmlURI && namespace != NameTable.xmlnsURI
                        && (isDefault || namespace != NameTable.empty)
                }
            guard allowed else {
                throw error(.namespace, at: attribute.position, "this namespace declaration is not allowed")
            }
            state = names.states.bind(prefix, to: namespace, in: state)
        }
        guard names.states.depth(of: state) <= limits.namespacesInScope else {
            throw error(
                .limitExceeded, at: window.position, "more than \(limits.namespacesInScope) namespaces in scope")
        }
        guard names.states.count <= limits.names, names.count <= limits.names else {
            throw error(
                .limitExceeded, at: window.position, "more than \(limits.names) different names in the document")
        }
        return state
    }

    /// Finds the expanded names of the attributes and checks that they are different.
    @inline(__always)
    private mutating func expandAttributes(in state: Int32) throws(XMLError) {
        for index in 0..<attributes.count {
            let attribute = attributes.base + index
            guard let expanded = names.attribute(attribute.pointee.written, in: state) else {
                throw error(.namespace, at: attribute.pointee.position, "undeclared namespace prefix of an attribute")
            }
            attribute.pointee.name = XMLName(index: expanded)
            let start = attribute.pointee.isRewritten ? rewritten.base : window.bytes
            attribute.pointee.value = UnsafePointer(start + attribute.pointee.start)
        }
        firstAttribute = UnsafePointer(attributes.base)
        if attributes.count > 1, let index = repeated(attributes, { $0.name.index }) {
            throw twice(attributes.base[index])
        }
    }

    /// The index of the first attribute that has the same key as an earlier one.
    @inline(__always)
    private func repeated(_ found: borrowing PlainBuffer<Attribute>, _ key: (Attribute) -> Int32) -> Int? {
        guard found.count > 16 else {
            // For few attributes, comparing pairs is cheaper than a table.
            StepCounter.add(found.count * found.count / 2)
            for index in 1..<max(1, found.count) {
                for earlier in 0..<index where key(found.base[earlier]) == key(found.base[index]) {
                    return index
                }
            }
            return nil
        }
        StepCounter.add(found.count)
        var seen: Set<Int32> = []
        for index in 0..<found.count where !seen.insert(key(found.base[index])).inserted {
            return index
        }
        return nil
    }

    private func twice(_ attribute: Attribute) -> XMLError {
        error(.syntax, at: attribute.position, "duplicate attribute")
    }
}
