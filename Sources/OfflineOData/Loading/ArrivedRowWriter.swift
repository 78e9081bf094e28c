import JSONText
import LocalChanges
import OData
import Soups

/// Writes the rows of entities that have nothing but properties. Their text is that of the row that `RowForm` makes.
struct ArrivedRowWriter {
    private let reading: EntityReading
    private let set: MappedEntitySet
    private let control: EntityControl
    private var properties: StoredPropertyWriter
    /// The key property, if it is one of a type whose values need no reading.
    private let simpleKey: (name: String, type: EdmPrimitiveType)?
    /// The length of the last text, which the next one is likely to have.
    private var length = 0

    private static let keyName = Array(#","\#(RowMember.key)":"#.utf8)
    private static let flags = Array(ReservedField.flags.map { #","\#($0)":false"# }.joined().utf8)
    private static let controlName = Array(#","\#(RowMember.control)":"#.utf8)
    private static let onlyETag = controlName + Array(#"{"etag":"#.utf8)

    init(_ reading: EntityReading, _ set: MappedEntitySet) {
        self.reading = reading
        self.set = set
        control = EntityControl(map: reading.map, set: set, serviceRoot: reading.serviceRoot)
        properties = StoredPropertyWriter(model: reading.map.model) { Self.isKept($0, set) }
        simpleKey = Self.simpleKey(of: set)
    }

    /// Whether a row takes a property of a name from a payload.
    private static func isKept(_ name: String, _ set: MappedEntitySet) -> Bool {
        !RowMember.isForbidden(name) && !set.isLocalOnly(name)
    }

    private static func simpleKey(of set: MappedEntitySet) -> (name: String, type: EdmPrimitiveType)? {
        guard set.key.count == 1, let name = set.key.first, isKept(name, set), let type = set.entityType,
            let declared = set.model?.property(name, of: type)?.type.primitiveType
        else { return nil }
        switch declared {
        case .string, .int16, .int32, .int64, .guid: return (name, declared)
        default: return nil
        }
    }

    /// The row of an entity; nil if it has more than properties, or does not say its key in them.
    mutating func row(of entry: ODataEntry) -> ArrivedRow? {
        // Without a model the types that a payload states are kept apart from the row.
        guard entry.hasOnlyProperties, set.model != nil || !entry.statesPropertyTypes, !set.isSingleton,
            !reading.isErrorOfService(entry), let key = key(of: entry), !LocalId.isLocal(key)
        else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(length)
        let (reading, set) = (reading, set)
        let dropped = properties.append(entry, to: &text) { value, name, type in
            reading.typed(value, stated: type, ofProperty: name, in: entry, set)
        }
        text.append(contentsOf: Self.keyName)
        StringEscaping.append(key, to: &text)
        text.append(contentsOf: Self.flags)
        appendControl(of: entry, key: key, to: &text)
        text.append(UInt8(ascii: "}"))
        // Each member has a comma before it.
        text[0] = UInt8(ascii: "{")
        length = text.count
        return ArrivedRow(key: key, text: text, dropped: dropped)
    }

    private func appendControl(of entry: ODataEntry, key: String, to text: inout [UInt8]) {
        if let etag = control.onlyETag(of: entry) {
            // Most entities have this one and nothing else: no object is made for it.
            text.append(contentsOf: Self.onlyETag)
            StringEscaping.append(etag, to: &text)
            text.append(UInt8(ascii: "}"))
            return
        }
        let control = control.control(of: entry, key: key)
        if !control.isEmpty {
            text.append(contentsOf: Self.controlName)
            JSONValue.object(control).append(to: &text)
        }
    }

    private func key(of entry: ODataEntry) -> String? {
        if let (name, type) = simpleKey, let value = entry[name], value.primitiveType == type {
            return LiteralText.text(of: value, version: .v4)
        }
        var parts: [(String, JSONValue)] = []
        for name in set.key.compactMap(\.segments.first) where Self.isKept(name, set) {
            if let value = entry.stored(name, reading.map.model) {
                parts.append((name, value))
            }
        }
        // A key that does not fit its type is refused with the whole entity.
        return try? StoredKey.text(of: JSONObject(parts), set, version: reading.map.version)
    }
}
