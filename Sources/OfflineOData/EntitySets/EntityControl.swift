import JSONText
import LocalChanges
import OData
import Soups

/// What a service says about an entity, without what the map can make.
struct EntityControl {
    let map: EntitySetMap
    let set: MappedEntitySet
    /// The URL of the service, to which references are relative.
    private let root: BaseURL
    /// What the URLs of entities begin with, before the key.
    private let keyStart: String
    /// Whether a short integer or a simple text as a key is in a URL as it is. Up to version 3.0 the literals of some
    /// types have a prefix or a suffix.
    private let hasPlainKeys: Bool

    init(map: EntitySetMap, set: MappedEntitySet, serviceRoot: String) {
        self.map = map
        self.set = set
        hasPlainKeys = Self.hasPlainKeys(set, map.version)
        root = BaseURL(serviceRoot.hasSuffix("/") ? serviceRoot : serviceRoot + "/")
        keyStart = root.text + set.name + "("
    }

    /// The control information of an entry: `etag`, `id`, `type`, `edit`, `read`, `links`.
    func control(of entry: ODataEntry, key: String) -> JSONObject {
        var control = JSONObject()
        if let etag = entry.etag, !etag.isEmpty {
            control["etag"] = .string(etag)
        }
        if let type = entry.type.map({ map.model?.resolve($0) ?? $0 }), isStated(type) {
            control["type"] = .string(type)
        }
        let (idReference, editLink, readLink) = (entry.id, entry.editLink, entry.readLink)
        let hasLinks = idReference != nil || editLink != nil || readLink != nil || !entry.links.isEmpty
        guard hasLinks, let canonical = url(key) else {
            return control
        }
        let id = url(of: idReference, unless: canonical)
        let edit = url(of: editLink, unless: canonical)
        if let id {
            control["id"] = .string(id)
        }
        if let edit {
            control["edit"] = .string(edit)
        }
        if let read = url(of: readLink, unless: canonical),
            ![id, edit].contains(where: { $0.map { ByteKey($0) } == ByteKey(read) })
        {
            control["read"] = .string(read)
        }
        let links = entry.links.filter { $0.kind == .navigation }.compactMap { link -> (String, JSONValue)? in
            let url = resolved(link.href)
            guard ByteKey(url) != ByteKey(canonical + "/" + link.name) else { return nil }
            return (link.name, .string(url))
        }
        if !links.isEmpty {
            control["links"] = .object(JSONObject(links))
        }
        return control
    }

    /// The ETag of an entry of which `control` has nothing else; nil for an entry without one or with more.
    func onlyETag(of entry: ODataEntry) -> String? {
        guard let etag = entry.etag, !etag.isEmpty, entry.id == nil, entry.editLink == nil, entry.readLink == nil,
            entry.links.isEmpty, entry.type == nil
        else { return nil }
        return etag
    }

    /// The absolute URL of a reference; nil without one, and for the canonical URL.
    private func url(of reference: URLReference?, unless canonical: String) -> String? {
        // Most are written as the canonical URL, which costs less to see than to resolve them.
        guard let reference, ByteKey(reference.text) != ByteKey(canonical) else { return nil }
        let url = resolved(reference)
        return ByteKey(url) == ByteKey(canonical) ? nil : url
    }

    /// The URL of the entity with a key; nil for a key that no URL can name.
    func url(_ key: String) -> String? {
        guard !set.isSingleton else {
            return root.text + set.urlSegment
        }
        if hasPlainKeys, Self.needsNoEncoding(key) {
            var url = keyStart
            url.reserveCapacity(keyStart.utf8.count + key.utf8.count + 1)
            url += key
            url += ")"
            return url
        }
        guard let value = StoredKey.value(ofText: key) else { return nil }
        return try? ODataChangeRequest(
            .delete, entitySet: set.name, key: value, serviceRoot: root.text, version: map.version, model: set.model,
            entityType: nil
        ).url()
    }

    private static func hasPlainKeys(_ set: MappedEntitySet, _ version: ODataVersion) -> Bool {
        guard set.name.utf8.allSatisfy(\.isUnreserved) else { return false }
        return version.isV4 || set.model == nil
            || set.keyTypes.allSatisfy { type in
                switch type.flatMap({ EdmPrimitiveType(named: $0) }) {
                case .string, .byte, .sbyte, .int16, .int32: true
                default: false
                }
            }
    }

    /// Whether a key text is a short integer or a simple text in quotes.
    private static func needsNoEncoding(_ key: String) -> Bool {
        let bytes = key.utf8
        guard let first = bytes.first, let last = bytes.last else { return false }
        if first == UInt8(ascii: "'") {
            return bytes.count > 1 && last == first && bytes.dropFirst().dropLast().allSatisfy(\.isUnreserved)
        }
        let isDecimal = bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isDecimal && bytes.count < 10 && (first != UInt8(ascii: "0") || bytes.count == 1)
    }

    private func resolved(_ reference: URLReference) -> String { root.resolve(reference.resolved) }

    /// Whether a type is not the one that the set declares. Without a model every type is.
    private func isStated(_ type: String) -> Bool { set.entityType.map { ByteKey($0) != ByteKey(type) } ?? true }
}
