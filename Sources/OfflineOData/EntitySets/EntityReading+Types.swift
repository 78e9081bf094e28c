import OData
import Soups

extension EntityReading {
    /// An entry with its type, if that derives from the type of its set. A payload leaves out the type that its context
    /// URL names, or that a navigation property declares.
    func stating(_ declared: String?, in entry: ODataEntry, of set: MappedEntitySet) -> ODataEntry {
        guard let declared, entry.type == nil, entry.deletion == nil, let model = map.model, let type = set.entityType
        else { return entry }
        let name = model.resolve(declared)
        guard ByteKey(name) != ByteKey(type), model.type(name, isOrDerivesFrom: type) else { return entry }
        var entry = entry
        entry.type = name
        return entry
    }

    /// The type that the context URL of a single entity names after its set, as in `#People/Model.Manager/$entity`, or
    /// after its singleton, as in `#Me/Model.Manager`; nil if it names none.
    static func type(ofContext context: String) -> String? {
        guard let hash = context.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        var segments = context.utf8[context.utf8.index(after: hash)...].split(separator: UInt8(ascii: "/"))
        if segments.last?.elementsEqual("$entity".utf8) == true {
            segments.removeLast()
        }
        guard segments.count > 1, let last = segments.last else { return nil }
        // What is selected follows in parentheses.
        let name = last.prefix { $0 != UInt8(ascii: "(") }
        return name.contains(UInt8(ascii: ".")) ? String(decoding: name, as: UTF8.self) : nil
    }
}
