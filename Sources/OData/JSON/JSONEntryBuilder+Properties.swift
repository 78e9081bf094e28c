import JSONText
import Soups
import StepCounting

extension JSONEntryBuilder {
    /// Adds a property by its declaration, its control information and its value.
    mutating func add(
        _ name: String, _ node: JSONNode, info: PropertyInfos.Info?, to entry: inout EntryContent, type: String?,
        base: BaseURL?
    ) throws(Fault) {
        var declared: EdmTypeReference?
        if isChecked, let checker {
            let declaration: PayloadTypes.Declaration
            do throws(Fault) { declaration = try checker.declaration(of: name, in: type) } catch {
                throw error.shifted(to: node.offset)
            }
            switch declaration {
            case .navigation(let navigation):
                return try addNavigation(name, node, info: info, to: &entry, declared: navigation.type, base: base)
            case .property(let property): declared = property.type
            case .dynamic, .unknownType: break
            }
        }
        if declared == nil || declared?.primitiveType == .stream, format == .verbose, node.kind == .object,
            try readVerboseLink(name, node, &entry, base: base)
        {
            return
        }
        if declared == nil, isNavigation(name, node, info) {
            return try addNavigation(name, node, info: info, to: &entry, declared: nil, base: base)
        }
        var stated = info?.type
        if stated == nil {
            stated = try statedType(inside: node)
        }
        let value = try value(node, stated: stated, declared: declared)
        var typeNumber: Int32 = -1
        if let stated {
            typeNumber = number(of: stated.text, in: &entry)
        }
        entry.append(number(of: name, in: &entry), entry.pack(value), type: typeNumber)
        if case .collection = value, let info {
            addPage(of: name, info, to: &entry)
        }
    }

    /// Keeps what an entity says of a collection of values of which it has a page.
    private func addPage(of name: String, _ info: PropertyInfos.Info, to entry: inout EntryContent) {
        if let count = info.count {
            let value = Int32(exactly: count).map(ODataValue.int32) ?? .int64(count)
            entry.rest.annotations.append(ODataValue.Member(name + "@odata.count", value))
        }
        if let link = info.nextLink {
            let name = name + ODataEntry.nextLinkOfValues
            entry.rest.annotations.append(ODataValue.Member(name, .string(link.resolved)))
        }
    }

    /// The type that an object states inside; `nil` for other values, and for an object that states none.
    private mutating func statedType(inside node: JSONNode) throws(Fault) -> StatedType? {
        guard node.kind == .object else { return nil }
        if format == .verbose, let type = node["__metadata"]?["type"] {
            return try statedType(type)
        }
        guard let type = try control(.type, of: node), !type.isNull else { return nil }
        return try statedType(type)
    }

    /// Adds the changes of a navigation property.
    mutating func addChanges(
        _ name: String, _ node: JSONNode, to entry: inout EntryContent, _ object: ObjectReading
    ) throws(Fault) {
        guard node.kind == .array else {
            throw Fault(
                .invalidJSON, "the changes of a navigation property must be an array", offset: node.offset,
                context: [.path(name)])
        }
        var info = object.infos[name] ?? PropertyInfos.Info()
        info.isDelta = true
        try add(name, node, info: info, to: &entry, type: object.type, base: object.base)
    }

    /// Whether a property without a declaration holds entities, judged by its control information and its value.
    private mutating func isNavigation(_ name: String, _ node: JSONNode, _ info: PropertyInfos.Info?) -> Bool {
        guard node.kind == .object || node.kind == .array || node.isNull else { return false }
        if let info, info.type == nil || node.kind == .object,
            info.isNavigation || info.isDelta
                || (node.kind == .array && (info.count != nil || info.nextLink != nil) && firstIsEntityOrEmpty(node))
        {
            return true
        }
        if node.isNull {
            // A property of another level may have the same name.
            return depth == 1 && expanded.outermost.contains(ByteKey(name))
        }
        if !expanded.isEmpty, expanded.all.contains(ByteKey(name)) {
            return true
        }
        if node.kind == .object {
            if format == .verbose, let results = node["results"], results.kind == .array {
                return node["__metadata"] == nil && results.elements.allSatisfy { $0.kind == .object }
            }
            return isEntity(node)
        }
        for element in node.elements where element.kind == .object {
            // Up to version 2.0 there are no collections of values.
            let isOld = format == .verbose && options.readVersion <= .v2
            return isEntity(element) || isOld && node.elements.allSatisfy { $0.kind == .object }
        }
        return false
    }

    private func firstIsEntityOrEmpty(_ node: JSONNode) -> Bool {
        for element in node.elements {
            return element.kind == .object
        }
        return true
    }

    /// Whether an object has control information that only entities have.
    private mutating func isEntity(_ node: JSONNode) -> Bool {
        for member in node.members {
            StepCounter.add()
            let first = member.name.writtenBytes.first
            if format != .verbose, first != UInt8(ascii: "@"), first != UInt8(ascii: "o"), first != UInt8(ascii: "\\") {
                continue
            }
            switch meaning(of: member.name) {
            case .control(.id), .control(.etag), .control(.editLink), .control(.readLink), .control(.removed),
                .control(.context), .control(.mediaReadLink), .control(.mediaEditLink), .control(.mediaContentType):
                return true
            case .control(.verboseMetadata): return member.value["uri"] != nil || member.value["id"] != nil
            case .plain: if format == .verbose, member.value["__deferred"] != nil { return true }
            default: continue
            }
        }
        return false
    }
}
