import JSONText
import LocalChanges
import OData
import Soups

/// What a service says about an entity, without what the map can make.
struct EntityControl {
    let map: EntitySetMap
    let set: MappedEntitySet
    let serviceRoot: String

    /// The control information of an entry: `etag`, `id`, `type`, `edit`, `read`, `links`.
    func control(of entry: ODataEntry, key: String) -> JSONObject {
        var control = JSONObject()
        if let etag = entry.etag {
            control["etag"] = .string(etag)
        }
        if let type = entry.type.map({ map.model?.resolve($0) ?? $0 }), isStated(type) {
            control["type"] = .string(type)
        }
        let hasLinks =
            entry.id != nil || entry.editLink != nil || entry.readLink != nil || !entry.links.isEmpty
        guard hasLinks, let canonical = url(key) else {
            return control
        }
        func add(_ name: String, _ reference: URLReference?, unless known: [String]) {
            guard let url = reference.map({ resolved($0) }), !known.contains(where: { ByteKey($0) == ByteKey(url) })
            else { return }
            control[name] = .string(url)
        }
        add("id", entry.id, unless: [canonical])
        let id = entry.id.map { resolved($0) } ?? canonical
        add("edit", entry.editLink, unless: [canonical])
        add("read", entry.readLink, unless: [canonical, id, entry.editLink.map { resolved($0) } ?? canonical])
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

    /// The URL of the entity with a key; nil for a key that no URL can name.
    func url(_ key: String) -> String? {
        guard !set.isSingleton else {
            return root + set.name
        }
        guard let value = StoredKey.value(ofText: key) else { return nil }
        return try? ODataChangeRequest(
            .delete, entitySet: set.name, key: value, serviceRoot: serviceRoot, version: map.version, model: set.model,
            entityType: nil
        ).url()
    }

    private var root: String { serviceRoot.hasSuffix("/") ? serviceRoot : serviceRoot + "/" }

    private func resolved(_ reference: URLReference) -> String { BaseURL(root).resolve(reference.resolved) }

    /// Whether a type is not the one that the set declares. Without a model every type is.
    private func isStated(_ type: String) -> Bool { set.entityType.map { ByteKey($0) != ByteKey(type) } ?? true }
}
