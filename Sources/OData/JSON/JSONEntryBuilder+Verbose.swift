import JSONText
import Soups

extension JSONEntryBuilder {
    /// `__deferred` and `__mediaresource` are links, not values.
    mutating func readVerboseLink(
        _ name: String, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) -> Bool {
        if let deferred = node["__deferred"] {
            if let uri = deferred["uri"], let link = try reference(uri, base: base) {
                entry.addLink(number(of: name, in: &entry), link, .navigation)
            }
            return true
        }
        if let resource = node["__mediaresource"] {
            for source in [resource["media_src"], resource["edit_media"]].compactMap(\.self) {
                if let link = try reference(source, base: base) {
                    entry.addLink(number(of: name, in: &entry), link, .media)
                }
            }
            return true
        }
        return false
    }

    mutating func readMetadata(_ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?) throws(Fault) {
        guard node.kind == .object else {
            throw Fault(.invalidJSON, "__metadata must be an object", offset: node.offset)
        }
        var media: ODataEntry.Media?
        func change(_ body: (inout ODataEntry.Media) -> Void) {
            var changed = media ?? ODataEntry.Media()
            body(&changed)
            media = changed
        }
        for member in node.members {
            let value = member.value
            switch member.name.string {
            case "uri":
                entry.editLink = try reference(value, base: base)
                if entry.id == nil {
                    entry.id = entry.editLink
                }
            case "id": try setID(value, of: &entry, base: base)
            case "type": try setType(value, of: &entry)
            case "etag": entry.etag = value.isNull ? nil : try text(value)
            case "media_src":
                let source = try reference(value, base: base)
                change { $0.source = source }
            case "edit_media":
                let link = try reference(value, base: base)
                change { $0.editLink = link }
            case "content_type":
                let type = value.string
                change { $0.contentType = type }
            case "media_etag":
                let etag = value.string
                change { $0.etag = etag }
            case "properties":
                for property in value.members {
                    guard let uri = property.value["associationuri"], let link = try reference(uri, base: base) else {
                        continue
                    }
                    entry.addLink(number(of: property.name.string, in: &entry), link, .association)
                }
            default: break
            }
        }
        if let media {
            entry.rest.media = media
        }
    }
}
