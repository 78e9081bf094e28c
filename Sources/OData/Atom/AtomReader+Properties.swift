import Soups
import XMLText

extension AtomReader {
    /// Starts a property: a child of m:properties in the data namespace, or the root of a single property.
    mutating func startProperty() throws(Fault) {
        try open(name: tokenizer.name.index, namesStart: top.namesStart)
    }

    /// Starts an element inside a property: a member of a complex value, an item of a collection, or a shape.
    mutating func startInsideProperty() throws(Fault) {
        let role = role(of: tokenizer.name)
        let parent = values.open.count - 1
        if values.open[parent].hasShape {
            guard !values.shape.isClosed else {
                throw Fault(.invalidXML, "a property has a second shape", offset: tokenizer.offset)
            }
            try requireTwoDimensions()
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
            try requireTwoDimensions()
            values.shape.start(tokenizer.localName(of: tokenizer.name))
        case .metadataElement:
            values.open[parent].hasItems = true
            try open(name: -1, namesStart: values.names.count)
        case .data:
            if try isItem(of: parent) {
                values.open[parent].hasItems = true
                try open(name: -1, namesStart: values.names.count)
            } else {
                try open(name: tokenizer.name.index, namesStart: values.open[parent].namesStart)
            }
        default: skip()
        }
    }

    /// Whether the element that just started is an item of the collection that is open, not a member of a complex
    /// value.
    ///
    /// Results of service operations have no m:type. They are collections if they have two children or more named
    /// `element`; a single one is settled at the end tag.
    private mutating func isItem(of parent: Int) throws(Fault) -> Bool {
        let type = values.open[parent].type
        let isCollection = values.open[parent].hasItems || (type >= 0 && values.types[Int(type)].isCollection)
        guard isCollection || type < 0 else {
            return false
        }
        guard isCollection else {
            return hasOnlyElements(values.open[parent]) && isElement(number(of: tokenizer.name.index))
        }
        guard isElement(number(of: tokenizer.name.index)) else {
            throw Fault(
                .typeMismatch, "expected an element of the collection, named 'element'", offset: tokenizer.offset)
        }
        return true
    }

    private mutating func isElement(_ name: Int32) -> Bool { texts.page[name].hasBytes(of: "element") }

    /// Positions with a height would be taken for others.
    private mutating func requireTwoDimensions() throws(Fault) {
        for index in 0..<tokenizer.attributeCount
        where tokenizer.localName(of: tokenizer.attributeName(index)) == "srsDimension" {
            guard attributeText(index) == "2" else {
                throw Fault(.invalidLiteral, "a GML position must be pairs of numbers", offset: tokenizer.offset)
            }
        }
    }

    private mutating func readReferenceSystem() {
        for index in 0..<tokenizer.attributeCount
        where tokenizer.localName(of: tokenizer.attributeName(index)) == "srsName" {
            values.shape.readReferenceSystem(attributeText(index))
        }
    }

    private mutating func open(name: Int32, namesStart: Int) throws(Fault) {
        if name >= 0 {
            guard values.take(name, from: namesStart) else {
                throw Fault(.invalidXML, "the property appears twice", offset: tokenizer.offset)
            }
            guard values.names.count - namesStart <= min(options.limits.members, 1_000) else {
                throw Fault(
                    .limitExceeded,
                    "too many properties in an entry or complex value; the limit is limits.members, at most 1000",
                    offset: tokenizer.offset)
            }
        }
        var type: Int32 = -1
        var isNull = false
        for index in 0..<tokenizer.attributeCount {
            switch role(of: tokenizer.attributeName(index)) {
            case .metadataType:
                let written = tokenizer.attributeValue(index)
                // An empty type is the same as a missing one.
                if !written.isEmpty {
                    type = values.number(ofType: written, of: name)
                }
            case .null:
                isNull = nulls.value(of: tokenizer.attributeValue(index)) { PrimitiveText.isTrue($0) }
            default: break
            }
        }
        if try readLeaf(name: name, type: type, isNull: isNull) {
            return
        }
        collectsText = true
        let filter = values.beginNames()
        values.open.append(
            AtomValues.Open(
                name: name, type: type, isNull: isNull, hasItems: false, textStart: text.count,
                closedStart: values.closed.count,
                namesStart: values.names.count, filter: filter, offset: tokenizer.offset, hasShape: false))
    }

    /// Reads a property or item that holds only text, together with its end tag; nearly all do. Returns false if the
    /// element has other content, or if its type is not primitive.
    @inline(__always)
    private mutating func readLeaf(name: Int32, type: Int32, isNull: Bool) throws(Fault) -> Bool {
        var number = type
        if type < 0, name < 0, let parent = values.open.last {
            number = parent.type
        }
        var primitive = EdmPrimitiveType.string
        if number >= 0, !isNull {
            let known = values.kinds[Int(number)]
            guard let found = known.primitive, !known.isCollection || (name < 0 && type < 0) else {
                return false
            }
            primitive = found
        }
        guard let bytes = tokenizer.readLeaf() else { return false }
        let typeName = values.textNumber(ofType: type, in: &texts)
        if isNull {
            try close(name: name, type: typeName, .null)
        } else if primitive == .string {
            try close(name: name, type: typeName, entry.pack(text: bytes))
        } else {
            guard let value = PrimitiveText.pack(bytes, as: primitive, version: options.readVersion, into: &entry)
            else {
                throw Fault(.invalidLiteral, "not a valid \(primitive.rawValue)", offset: tokenizer.offset)
            }
            try close(name: name, type: typeName, value)
        }
        return true
    }

    /// Stores a finished value: in its parent, in the entry, or as the single property of the document.
    @inline(__always)
    private mutating func close(name: Int32, type: Int32, _ value: PackedValue) throws(Fault) {
        let cell = EntryContent.Cell(value: value, name: name < 0 ? -1 : number(of: name), type: type)
        if !values.open.isEmpty {
            values.closed.append(cell)
        } else if frames.count > 1 {
            entry.append(cell)
        } else {
            result.finished = .property(try rootProperty(cell), context: result.context)
        }
    }

    /// The property that is the whole document. The name of `m:value` is in its context URL.
    private mutating func rootProperty(_ cell: EntryContent.Cell) throws(Fault) -> ODataEntry.Property {
        entry.texts = texts.page
        let name = isRootValue ? JSONContext.propertyName(result.context) : texts.page[cell.name]
        let stated = cell.type < 0 ? nil : texts.page[cell.type]
        var value = entry.unpack(cell.value)
        if let checker {
            value = try checker.root(
                value, named: name, stated: stated, of: options.entityType, context: result.context,
                at: tokenizer.offset)
        }
        return ODataEntry.Property(name, value, statedType: stated)
    }

    mutating func endProperty() throws(Fault) {
        if values.open[values.open.count - 1].hasShape, !values.shape.isClosed {
            try values.shape.end(text: text[values.open[values.open.count - 1].textStart...], at: tokenizer.offset)
            text.removeSubrange(values.open[values.open.count - 1].textStart...)
            return
        }
        guard let open = values.open.popLast() else { return }
        var type = open.type
        if type < 0, open.name < 0, let parent = values.open.last, parent.type >= 0 {
            type = parent.type
        }
        let value = try value(of: open, type: type)
        values.closed.removeLast(values.closed.count - open.closedStart)
        values.endNames(from: open.namesStart, filter: open.filter)
        if open.textStart == 0 {
            text.removeAll(keepingCapacity: true)
        } else {
            text.removeLast(text.count - open.textStart)
        }
        if values.open.isEmpty {
            collectsText = false
        }
        try close(name: open.name, type: values.textNumber(ofType: open.type, in: &texts), value)
    }

    private mutating func value(of open: AtomValues.Open, type number: Int32) throws(Fault) -> PackedValue {
        if open.isNull {
            return .null
        }
        let children = values.closed.count - open.closedStart
        if number >= 0 {
            let type = values.types[Int(number)]
            if type.isCollection, open.type >= 0 {
                guard trimmed(open.textStart).isEmpty else {
                    throw Fault(
                        .typeMismatch, "a collection has text that is not inside its items", offset: open.offset)
                }
                return entry.pack(items: values.closed[open.closedStart...])
            }
            if let primitive = type.primitive ?? checker?.primitive(type.itemName) {
                if open.hasShape {
                    return entry.pack(.spatial(primitive, values.shape.text))
                }
                guard children == 0 else {
                    throw Fault(.typeMismatch, "a primitive value must not have child elements", offset: open.offset)
                }
                return entry.pack(try primitiveValue(open, primitive))
            }
            if children == 0, !type.isUnknownPrimitive {
                // Without child elements it is a member of an enumeration, or an empty complex value.
                let word = trimmed(open.textStart)
                guard !word.isEmpty else {
                    return complexValue(open, type: number)
                }
                return entry.pack(.enumeration(type: type.itemName, members: String(decoding: word, as: UTF8.self)))
            }
        }
        if open.hasShape {
            return entry.pack(.spatial(.geography, values.shape.text))
        }
        if open.hasItems || hasOnlyElements(open) {
            return entry.pack(items: values.closed[open.closedStart...])
        }
        if children > 0 {
            guard trimmed(open.textStart).isEmpty else {
                throw Fault(
                    .invalidXML, "unexpected text between the properties of a complex value", offset: open.offset)
            }
            return complexValue(open, type: number)
        }
        return text.withUnsafeBufferPointer { entry.pack(text: UnsafeBufferPointer(rebasing: $0[open.textStart...])) }
    }

    /// The complex value of the closed members, with the type that it states. The type is needed when the entry is
    /// complete: only then is it known how its values are declared.
    private mutating func complexValue(_ open: AtomValues.Open, type number: Int32) -> PackedValue {
        if checker != nil, number >= 0 {
            let type = values.types[Int(number)].itemName
            values.closed.append(
                EntryContent.Cell(
                    value: entry.pack(.string(type)), name: texts.number(of: StatedComplex.typeMember), type: -1))
        }
        return entry.pack(members: values.closed[open.closedStart...])
    }

    /// Whether there is one child so far, named `element`, in a value without m:type.
    ///
    /// Like the methods after it, it is mutating though it changes nothing: a reader that is borrowed inside a mutating
    /// method is copied whole.
    private mutating func hasOnlyElements(_ open: AtomValues.Open) -> Bool {
        guard open.type < 0, values.closed.count == open.closedStart + 1, let child = values.closed.last else {
            return false
        }
        return child.name >= 0 && isElement(child.name)
    }

    private mutating func primitiveValue(_ open: AtomValues.Open, _ type: EdmPrimitiveType) throws(Fault) -> ODataValue
    {
        let version = options.readVersion
        let read = text.withUnsafeBufferPointer { bytes -> ODataValue? in
            PrimitiveText.readPayload(
                UnsafeBufferPointer(rebasing: bytes[open.textStart...]), as: type, version: version)
        }
        guard let read else {
            throw Fault(.invalidLiteral, "not a valid \(type.rawValue)", offset: open.offset)
        }
        return read
    }

    private mutating func trimmed(_ start: Int) -> ArraySlice<UInt8> {
        let bytes = text[start...].drop { $0 <= 0x20 }
        return bytes[..<(bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? bytes.startIndex)]
    }
}
