import Soups
import XMLText

extension AtomReader {
    /// A property: a child of m:properties in the data namespace, or the root of a single property.
    mutating func startProperty() throws(Fault) {
        let name = tokenizer.name
        try open(name: name.index, namesStart: frames[frames.count - 1].namesStart)
    }

    /// An element inside a property: a member of a complex value, an item of a collection, a shape.
    mutating func startInsideProperty() throws(Fault) {
        let role = role(of: tokenizer.name)
        let parent = values.open.count - 1
        if values.open[parent].hasShape {
            values.shape.start(tokenizer.localName(of: tokenizer.name))
            text.removeSubrange(values.open[parent].textStart...)
            return
        }
        switch role {
        case .gml:
            values.open[parent].hasShape = true
            text.removeSubrange(values.open[parent].textStart...)
            values.shape = GMLShape()
            readReferenceSystem()
            values.shape.start(tokenizer.localName(of: tokenizer.name))
        case .metadataElement:
            values.open[parent].hasItems = true
            try open(name: -1, namesStart: values.names.count)
        case .data:
            let type = values.open[parent].type
            if type >= 0, values.types[Int(type)].isCollection {
                guard isElement(tokenizer.name) else {
                    throw Fault(.typeMismatch, "A collection holds element items.", offset: tokenizer.offset)
                }
                values.open[parent].hasItems = true
                try open(name: -1, namesStart: values.names.count)
            } else {
                try open(name: tokenizer.name.index, namesStart: values.open[parent].namesStart)
            }
        default: skip()
        }
    }

    private mutating func isElement(_ name: XMLName) -> Bool { propertyName(name).utf8.elementsEqual("element".utf8) }

    private mutating func readReferenceSystem() {
        for index in 0..<tokenizer.attributeCount where tokenizer.localName(of: tokenizer.attributeName(index)) == "srsName" {
            values.shape.readReferenceSystem(attributeText(index))
        }
    }

    private mutating func open(name: Int32, namesStart: Int) throws(Fault) {
        if name >= 0 {
            guard !values.isTaken(name, from: namesStart) else {
                throw Fault(.invalidXML, "The same property twice.", offset: tokenizer.offset)
            }
            guard values.names.count - namesStart < min(options.limits.members, 1_000) else {
                throw Fault(.limitExceeded, "An entry or complex value has too many properties.", offset: tokenizer.offset)
            }
            values.names.append(name)
        }
        var type: Int32 = -1
        var isNull = false
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .metadataType: type = values.number(ofType: tokenizer.attributeValue(index))
            case .null:
                let value = tokenizer.attributeValue(index)
                isNull = value.elementsEqual("true".utf8) || value.elementsEqual("1".utf8)
            default: break
            }
        }
        collectsText = true
        values.open.append(
            AtomValues.Open(
                name: name, type: type, isNull: isNull, hasItems: false, textStart: text.count, closedStart: values.closed.count,
                namesStart: values.names.count, offset: tokenizer.offset, hasShape: false))
    }

    mutating func endProperty() throws(Fault) {
        if values.open[values.open.count - 1].hasShape, !values.shape.isClosed {
            try values.shape.end(text: text[values.open[values.open.count - 1].textStart...], at: tokenizer.offset)
            text.removeSubrange(values.open[values.open.count - 1].textStart...)
            return
        }
        guard let open = values.open.popLast() else { return }
        var type = open.type
        if type < 0, open.name < 0, let parent = values.open.last, parent.type >= 0 { type = parent.type }
        let value = try value(of: open, type: type)
        if values.closed.count > open.closedStart { values.closed.removeLast(values.closed.count - open.closedStart) }
        if values.names.count > open.namesStart { values.names.removeLast(values.names.count - open.namesStart) }
        text.removeLast(text.count - open.textStart)
        let stated = open.type >= 0 ? values.types[Int(open.type)].text : nil
        let property = ODataEntry.Property(open.name < 0 ? "" : propertyName(XMLNameAt(open.name)), value, statedType: stated)
        if !values.open.isEmpty {
            values.closed.append(property)
        } else {
            collectsText = false
            if frames.count == 1 { rootProperty = property } else { entries[entries.count - 1].properties.append(property) }
        }
    }

    private func value(of open: AtomValues.Open, type number: Int32) throws(Fault) -> ODataValue {
        if open.isNull { return .null }
        let children = values.closed.count - open.closedStart
        if number >= 0 {
            // Read in place: most values are primitive, and nothing of the type has to be kept for them.
            let at = Int(number)
            if values.types[at].isCollection, open.name >= 0 || open.type >= 0 { return .collection(values.closed[open.closedStart...].map(\.value)) }
            if let primitive = values.types[at].primitive {
                if open.hasShape { return .spatial(primitive, values.shape.text) }
                guard children == 0 else { throw Fault(.typeMismatch, "A primitive value has no parts.", offset: open.offset) }
                return try primitiveValue(open, primitive)
            }
            if children == 0, !values.types[at].isUnknownPrimitive {
                // Without parts: a member of an enumeration, or a complex value with nothing in it.
                let word = trimmed(open.textStart)
                return word.isEmpty ? .complex([]) : .enumeration(type: values.types[at].itemName, members: String(decoding: word, as: UTF8.self))
            }
        }
        if open.hasShape { return .spatial(.geography, values.shape.text) }
        if open.hasItems || hasOnlyElements(open) { return .collection(values.closed[open.closedStart...].map(\.value)) }
        if children > 0 {
            guard trimmed(open.textStart).isEmpty else {
                throw Fault(.invalidXML, "A complex value has text between its properties.", offset: open.offset)
            }
            return .complex(values.closed[open.closedStart...].map { ODataValue.Member($0.name, $0.value) })
        }
        return .string(String(decoding: text[open.textStart...], as: UTF8.self))
    }

    /// Without a stated type several children that are called element are the items of a collection (V3).
    private func hasOnlyElements(_ open: AtomValues.Open) -> Bool {
        let children = values.closed[open.closedStart...]
        return open.type < 0 && children.count == 1 && children.allSatisfy { $0.name.utf8.elementsEqual("element".utf8) }
    }

    private func primitiveValue(_ open: AtomValues.Open, _ type: EdmPrimitiveType) throws(Fault) -> ODataValue {
        if type == .string { return .string(String(decoding: text[open.textStart...], as: UTF8.self)) }
        let version = options.version
        let read = text.withUnsafeBufferPointer { bytes -> ODataValue? in
            PrimitiveText.read(UnsafeBufferPointer(rebasing: bytes[open.textStart...]), as: type, version: version)
        }
        guard let read else { throw Fault(.invalidLiteral, "The text is no value of \(type.rawValue).", offset: open.offset) }
        return read
    }

    private func trimmed(_ start: Int) -> ArraySlice<UInt8> {
        let bytes = text[start...].drop { $0 <= 0x20 }
        return bytes[..<(bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? bytes.startIndex)]
    }

    private func XMLNameAt(_ index: Int32) -> XMLName { tokenizer.name(at: index) }
}
