import JSONText
import Soups
import StepCounting

extension JSONEntryBuilder {
    /// Whether the control information about all properties must be known before a member is read. Scalars are read
    /// without it, and again if some follows. Other values are read once only: the work would double with each level.
    static func needsControls(_ meaning: JSONName, _ value: JSONNode) -> Bool {
        switch meaning {
        case .plain: value.kind == .object || value.kind == .array
        case .propertyControl: true
        default: false
        }
    }

    /// Reads the control information about the properties of an object. O(n) in the number of members.
    mutating func propertyControls(
        of node: JSONNode, into entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) -> PropertyInfos {
        var infos = PropertyInfos()
        for member in node.members where Self.mayBePropertyControl(member.name) {
            guard case .propertyControl(let name, let control) = meaning(of: member.name) else { continue }
            let position = infos.position(adding: name)
            try read(control, member.value, of: name, &infos[at: position], &entry, base: base)
        }
        return infos
    }

    static func mayBePropertyControl(_ name: JSONStringText) -> Bool {
        StepCounter.add(name.writtenBytes.count)
        return name.isEscaped || name.writtenBytes.contains(UInt8(ascii: "@"))
    }

    /// The value of a control information of an object, in any spelling. O(n) in the number of members.
    mutating func control(_ wanted: JSONName.Early, of node: JSONNode) throws(Fault) -> JSONNode? {
        for member in node.members {
            StepCounter.add()
            // The first byte rules out most names: control information starts with `@`, `odata.` or an escape.
            let bytes = member.name.writtenBytes
            let first = bytes.first
            guard first == UInt8(ascii: "@") || first == UInt8(ascii: "o") || first == UInt8(ascii: "\\") else {
                continue
            }
            // The last byte rules out most other control information.
            if !member.name.isEscaped, let last = bytes.last, !wanted.canEnd(last) {
                continue
            }
            if isControl(member.name, wanted.control) {
                return member.value
            }
        }
        return nil
    }

    private mutating func isControl(_ name: JSONStringText, _ wanted: JSONName.Control) -> Bool {
        if let bytes = Self.plainBytes(name), let index = names.index(of: bytes) {
            return names.values[index].control == wanted
        }
        if case .control(let found) = meaning(of: name) {
            return found == wanted
        }
        return false
    }

    /// Sets the id; null means that the entity is transient.
    mutating func setID(_ node: JSONNode, of entry: inout EntryContent, base: BaseURL?) throws(Fault) {
        entry.id = try reference(node, base: base)
        entry.isTransient = node.isNull
    }

    mutating func readDeletion(
        _ name: String, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        switch name {
        case "id": entry.id = try reference(node, base: base)
        case "reason": entry.rest.deletion?.reason = node.string
        default: entry.rest.deletion?.when = node.string
        }
    }

    /// Reads a control information of an entity.
    mutating func read(
        _ control: JSONName.Control, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        switch control {
        case .type: try setType(node, of: &entry)
        case .id: try setID(node, of: &entry, base: base)
        case .etag: entry.etag = node.isNull ? nil : try text(node)
        case .editLink: entry.editLink = try reference(node, base: base)
        case .readLink: entry.readLink = try reference(node, base: base)
        case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEtag:
            try readMedia(control, node, &entry, base: base)
        case .removed:
            entry.rest.deletion = ODataEntry.Deletion(reason: node["reason"]?.string ?? (node.isNull ? nil : "deleted"))
        default: break
        }
    }

    private mutating func readMedia(
        _ control: JSONName.Control, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        var media = entry.rest.media ?? ODataEntry.Media()
        switch control {
        case .mediaReadLink: media.source = try reference(node, base: base)
        case .mediaEditLink: media.editLink = try reference(node, base: base)
        case .mediaContentType: media.contentType = node.isNull ? nil : try text(node)
        default: media.etag = node.isNull ? nil : try text(node)
        }
        entry.rest.media = media
    }

    /// Reads a control information about a property.
    private mutating func read(
        _ control: JSONName.Control, _ node: JSONNode, of name: String, _ info: inout PropertyInfos.Info,
        _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        switch control {
        case .type: info.type = node.isNull ? nil : try statedType(node)
        case .navigationLink:
            info.isNavigation = true
            if let link = try reference(node, base: base) {
                entry.addLink(number(of: name, in: &entry), link, .navigation)
            }
        case .associationLink:
            info.isNavigation = true
            if let link = try reference(node, base: base) {
                entry.addLink(number(of: name, in: &entry), link, .association)
            }
        case .mediaReadLink, .mediaEditLink:
            if let link = try reference(node, base: base) {
                entry.addLink(number(of: name, in: &entry), link, .media)
            }
        case .count:
            info.count = try count(node)
        case .nextLink:
            info.nextLink = try reference(node, base: base)
        case .context:
            let context = node.string ?? ""
            info.isNavigation = info.isNavigation || !JSONContext.isOfPrimitives(context)
            info.base = JSONContext.base(of: base.map { $0.resolve(context) } ?? context)
        default: break
        }
    }

    func count(_ node: JSONNode) throws(Fault) -> Int64 {
        if let value = node.int64, value >= 0 {
            return value
        }
        guard let text = node.string, let value = Int64(text), value >= 0 else {
            throw Fault(.invalidLiteral, "the count must be a whole number", offset: node.offset)
        }
        return value
    }
}
