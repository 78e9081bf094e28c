import JSONText
import OfflineStore
import Soups

/// Finds values of entities that no index can hold: texts with U+0000.
enum UnindexableValues {
    /// The names of the properties of an entity with such a value at an indexed path. Paths are looked at only where
    /// there is such a text at all.
    static func names(in properties: JSONObject, of soup: String, _ store: SmartStore) throws(Fault) -> [String] {
        let found = properties.members.filter { hasNUL($0.value) }.map(\.name)
        guard !found.isEmpty else { return [] }
        let roots = try store.indexSpecs(ofSoup: soup).map { ByteKey($0.path.dottedNames.first ?? $0.path) }
        return found.filter { roots.contains(ByteKey($0)) }
    }

    /// Whether a value has a text with U+0000.
    static func hasNUL(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.contains(0)
        case .array(let items): items.contains(where: hasNUL)
        case .object(let object): object.members.contains { hasNUL($0.value) }
        default: false
        }
    }
}
