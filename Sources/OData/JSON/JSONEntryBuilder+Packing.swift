import JSONText
import Soups

extension JSONEntryBuilder {
    /// Appends a property without a known type whose value is a scalar, or an object of scalars. Returns false for
    /// other values.
    @inline(__always)
    mutating func append(_ name: Int32, _ node: JSONNode, to entry: inout EntryContent) throws(Fault) -> Bool {
        // The context URL may say that a null is that of a navigation property.
        if let value = try packed(node, in: &entry), expanded.isEmpty || !node.isNull {
            entry.append(name, value, type: -1)
            return true
        }
        guard node.kind == .object, expanded.isEmpty, let value = try packedComplex(node, in: &entry) else {
            return false
        }
        entry.append(name, value, type: -1)
        return true
    }

    /// Packs a scalar without a known type; nil for objects and arrays, and for a string that may be a date of verbose
    /// JSON.
    @inline(__always)
    private func packed(_ node: JSONNode, in entry: inout EntryContent) throws(Fault) -> PackedValue? {
        switch node.kind {
        case .string:
            guard let text = node.stringText, format != .verbose || text.writtenBytes.first != UInt8(ascii: "/") else {
                return nil
            }
            guard let bytes = Self.plainBytes(text) else {
                return format == .verbose ? nil : entry.pack(textBy: { text.append(to: &$0) })
            }
            return entry.pack(text: bytes)
        case .number:
            guard let text = node.numberText?.bindMemory(to: UInt8.self) else { return nil }
            if node.isWrittenAsInteger, let whole = ShortNumber.integer(text) {
                return Int32(exactly: whole).map { .int32($0) } ?? .int64(whole)
            }
            if !options.keepsDigits, !node.isWrittenAsInteger, let double = ShortNumber.double(text) {
                return .double(double)
            }
            return entry.pack(try number(node))
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .null: return .null
        case .object, .array: return nil
        }
    }

    /// Packs a scalar of a declared type; nil for objects and arrays, and for the value of a stream.
    @inline(__always)
    func packed(
        _ node: JSONNode, as type: EdmPrimitiveType, in entry: inout EntryContent
    ) throws(Fault) -> PackedValue? {
        switch node.kind {
        case .object, .array: return nil
        case .null: return .null
        case .string where type == .string:
            guard let text = node.stringText else { return nil }
            guard let bytes = Self.plainBytes(text) else {
                return entry.pack(textBy: { text.append(to: &$0) })
            }
            return entry.pack(text: bytes)
        default: return type == .stream ? nil : entry.pack(try primitive(node, type))
        }
    }

    /// Packs an object whose members all have plain names and scalar values. Such an object has no control information,
    /// so it is a complex value. Returns nil for other objects.
    private mutating func packedComplex(_ node: JSONNode, in entry: inout EntryContent) throws(Fault) -> PackedValue? {
        let start = entry.parts.count
        for member in node.members {
            let number = propertyNumber(of: member.name)
            guard number >= 0, let value = try packed(member.value, in: &entry) else {
                entry.parts.removeLast(entry.parts.count - start)
                return nil
            }
            entry.parts.append(EntryContent.Cell(value: value, name: number))
        }
        return .complex(start: start, count: entry.parts.count - start)
    }
}
