import JSONText
import Soups

/// Makes entries of the objects on a tape, for all dialects of JSON.
///
/// Nothing is assumed about the order of members. Depth is bounded by that of the tape. Offsets in faults count from the start of the tape's text; the
/// reader moves them to their place in the body.
struct JSONEntryBuilder {
    let options: PayloadOptions
    let checker: PayloadTypes?
    /// Asked first, so that a model is not copied for each value.
    private let isChecked: Bool
    var format: JSONFormat
    /// The navigation properties that the context URL says are expanded.
    var expanded: Set<String> = []
    /// A relative URL was met while no base was known.
    var metRelativeURL = false
    private var names = ByteCache<JSONName>()
    private var types = ByteCache<StatedType>()
    private var expectedProperties = 8
    private var escaped: [UInt8] = []

    init(options: PayloadOptions, format: JSONFormat) {
        self.options = options
        self.format = format
        checker = options.model.map { PayloadTypes(model: $0, version: options.version) }
        isChecked = checker != nil
    }

    /// Bytes of a string without escapes, else nil.
    @inline(__always)
    static func plainBytes(_ text: JSONStringText) -> UnsafeBufferPointer<UInt8>? {
        guard !text.isEscaped else { return nil }
        return text.writtenBytes.bindMemory(to: UInt8.self)
    }

    @inline(__always)
    mutating func meaning(of name: JSONStringText) -> JSONName {
        let format = format
        guard let bytes = Self.plainBytes(name) else { return JSONName(name.string, format: format) }
        return names.value(of: bytes) { JSONName(String(bytes: $0), format: format) }
    }

    mutating func statedType(_ node: JSONNode) throws(Fault) -> StatedType {
        guard let text = node.stringText else { throw Fault(.invalidJSON, "A type is a string.", offset: node.offset) }
        guard let bytes = Self.plainBytes(text) else { return StatedType(text.string) }
        return types.value(of: bytes) { StatedType($0) }
    }

    mutating func reference(_ node: JSONNode, base: BaseURL?) throws(Fault) -> URLReference? {
        if node.isNull { return nil }
        guard let text = node.string else { throw Fault(.invalidJSON, "A URL is a string.", offset: node.offset) }
        if base == nil, ReferenceParts(text).scheme == nil { metRelativeURL = true }
        return URLReference(text, base: base)
    }

    func text(_ node: JSONNode) throws(Fault) -> String {
        guard let text = node.string else { throw Fault(.invalidJSON, "This control information is a string.", offset: node.offset) }
        return text
    }

    /// What was said about a property by members of the form `Prop@...`.
    private struct Said {
        var name: String
        var type: StatedType?
        var navigationLink: URLReference?
        var count: Int64?
        var nextLink: URLReference?
        var isNavigation = false
        var isDelta = false
        /// The property itself came before.
        var isRead = false
    }

    /// Whether two names have the same bytes: most are told apart by their lengths, or by the fast comparison of strings.
    private static func same(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && a == b && a.utf8.elementsEqual(b.utf8)
    }

    mutating func entry(_ node: JSONNode, expected: String?, base outer: BaseURL?) throws(Fault) -> ODataEntry {
        guard node.kind == .object else { throw Fault(.invalidJSON, "An entity is an object.", offset: node.offset) }
        var entry = ODataEntry()
        entry.properties.reserveCapacity(expectedProperties)
        var base = outer
        var said: [Said] = []
        // The nearest context and the type come first where order is kept; elsewhere they are looked for.
        if let context = try control(.context, of: node), !context.isNull {
            let text = try text(context)
            base = JSONContext.base(of: text) ?? outer.map { BaseURL($0.resolve(text)) }.flatMap { JSONContext.base(of: $0.text) } ?? outer
            readItemContext(text, &entry)
        }
        if isChecked, let type = try control(.type, of: node), !type.isNull { entry.type = try statedType(type).text }
        if format == .verbose, let metadata = node["__metadata"] { try readMetadata(metadata, &entry, base: base) }
        let type = isChecked ? try checker?.effectiveType(stated: entry.type, expected: expected, at: node.offset) : nil
        var count = 0
        for member in node.members {
            count += 1
            guard count <= options.limits.members else {
                throw Fault(.limitExceeded, "An object has more than \(options.limits.members) members.", offset: node.offset)
            }
            switch meaning(of: member.name) {
            case .plain(let name):
                if entry.deletion != nil, name == "id" || name == "reason" || name == "when" {
                    try readDeletion(name, member.value, &entry, base: base)
                    continue
                }
                let index = said.isEmpty ? nil : said.firstIndex { Self.same($0.name, name) }
                if let index { said[index].isRead = true }
                try add(name, member.value, said: index.map { said[$0] }, to: &entry, type: type, base: base)
            case .control(let control):
                try read(control, member.value, &entry, base: base)
            case .propertyControl(let name, let control):
                let known = said.firstIndex { Self.same($0.name, name) }
                let at = known ?? said.count
                if known == nil {
                    said.append(Said(name: name))
                    said[at].isRead =
                        entry.properties.contains { Self.same($0.name, name) } || entry.navigation.contains { Self.same($0.name, name) }
                }
                try read(control, member.value, of: name, &said[at], &entry, base: base)
                if said[at].isRead {
                    try again(name, node, said[at], &entry, type: type, base: base)
                } else if control == .delta {
                    said[at].isDelta = true
                    try add(name, member.value, said: said[at], to: &entry, type: type, base: base)
                }
            case .annotation(let name):
                entry.annotations.append(.init(name, try untyped(member.value)))
            case .operation:
                break
            }
        }
        expectedProperties = entry.properties.count
        return entry
    }

    /// A control member of an object, whatever its spelling. O(members).
    private mutating func control(_ wanted: JSONName.Control, of node: JSONNode) throws(Fault) -> JSONNode? {
        for member in node.members {
            // By their first byte most names are none: `@`, `odata.`, or an escape.
            let first = member.name.writtenBytes.first
            guard first == UInt8(ascii: "@") || first == UInt8(ascii: "o") || first == UInt8(ascii: "\\") else { continue }
            if case .control(let found) = meaning(of: member.name), found == wanted { return member.value }
        }
        return nil
    }

    /// What came behind its property: the property is read once more, now with all that is said.
    private mutating func again(
        _ name: String, _ node: JSONNode, _ said: Said, _ entry: inout ODataEntry, type: String?, base: BaseURL?
    ) throws(Fault) {
        entry.navigation.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
        let place = entry.properties.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        if let place { entry.properties.remove(at: place) }
        for member in node.members {
            guard case .plain(let found) = meaning(of: member.name), found.utf8.elementsEqual(name.utf8) else { continue }
            try add(name, member.value, said: said, to: &entry, type: type, base: base)
        }
        if let place, place < entry.properties.count, entry.properties[entry.properties.count - 1].name.utf8.elementsEqual(name.utf8) {
            entry.properties.insert(entry.properties.removeLast(), at: place)
        }
    }

    private func readItemContext(_ context: String, _ entry: inout ODataEntry) {
        if JSONContext.ends(context, with: "$deletedEntity") { entry.deletion = ODataEntry.Deletion() }
    }

    private mutating func readDeletion(_ name: String, _ node: JSONNode, _ entry: inout ODataEntry, base: BaseURL?) throws(Fault) {
        switch name {
        case "id": entry.id = try reference(node, base: base)
        case "reason": entry.deletion?.reason = node.string
        default: entry.deletion?.when = node.string
        }
    }

    private mutating func read(_ control: JSONName.Control, _ node: JSONNode, _ entry: inout ODataEntry, base: BaseURL?) throws(Fault) {
        switch control {
        case .type: entry.type = node.isNull ? nil : try statedType(node).text
        case .id: entry.id = try reference(node, base: base)
        case .etag: entry.etag = node.isNull ? nil : try text(node)
        case .editLink: entry.editLink = try reference(node, base: base)
        case .readLink: entry.readLink = try reference(node, base: base)
        case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEtag:
            var media = entry.media ?? ODataEntry.Media()
            switch control {
            case .mediaReadLink: media.source = try reference(node, base: base)
            case .mediaEditLink: media.editLink = try reference(node, base: base)
            case .mediaContentType: media.contentType = node.isNull ? nil : try text(node)
            default: media.etag = node.isNull ? nil : try text(node)
            }
            entry.media = media
        case .removed:
            entry.deletion = ODataEntry.Deletion(reason: node["reason"]?.string ?? (node.isNull ? nil : "deleted"))
        default: break
        }
    }

    private mutating func read(
        _ control: JSONName.Control, _ node: JSONNode, of name: String, _ said: inout Said, _ entry: inout ODataEntry, base: BaseURL?
    ) throws(Fault) {
        switch control {
        case .type: said.type = node.isNull ? nil : try statedType(node)
        case .navigationLink:
            said.isNavigation = true
            if let link = try reference(node, base: base) { entry.links.append(ODataEntry.Link(name, link, .navigation)) }
        case .associationLink:
            said.isNavigation = true
            if let link = try reference(node, base: base) { entry.links.append(ODataEntry.Link(name, link, .association)) }
        case .mediaReadLink, .mediaEditLink:
            if let link = try reference(node, base: base) { entry.links.append(ODataEntry.Link(name, link, .media)) }
        case .count:
            said.count = try count(node)
        case .nextLink:
            said.nextLink = try reference(node, base: base)
        case .context:
            if !JSONContext.isOfPrimitives(node.string ?? "") { said.isNavigation = true }
        default: break
        }
    }

    func count(_ node: JSONNode) throws(Fault) -> Int64 {
        if let value = node.int64, value >= 0 { return value }
        guard let text = node.string, let value = Int64(text), value >= 0 else {
            throw Fault(.invalidLiteral, "A count is a whole number.", offset: node.offset)
        }
        return value
    }

    private mutating func add(
        _ name: String, _ node: JSONNode, said: Said?, to entry: inout ODataEntry, type: String?, base: BaseURL?
    ) throws(Fault) {
        var declared: EdmTypeReference?
        if isChecked, let checker {
            let declaration: PayloadTypes.Declaration
            do throws(Fault) { declaration = try checker.declaration(of: name, in: type) } catch { throw error.shifted(to: node.offset) }
            switch declaration {
            case .navigation(let navigation):
                return try addNavigation(name, node, said: said, to: &entry, expected: navigation.type.name, base: base)
            case .property(let property): declared = property.type
            case .dynamic, .unknownType: break
            }
        }
        if declared == nil {
            if format == .verbose, node.kind == .object, try readVerboseLink(name, node, &entry, base: base) { return }
            if isNavigation(name, node, said) {
                return try addNavigation(name, node, said: said, to: &entry, expected: nil, base: base)
            }
        }
        var stated = said?.type
        if stated == nil, format == .verbose, node.kind == .object, let type = node["__metadata"]?["type"] { stated = try statedType(type) }
        if stated == nil, node.kind == .object, let type = try control(.type, of: node), !type.isNull { stated = try statedType(type) }
        let value = try value(node, stated: stated, declared: declared)
        entry.properties.append(ODataEntry.Property(name, value, statedType: stated?.text))
    }

    /// Whether a property without a declaration holds entities: what is said about it and what it holds tell.
    private mutating func isNavigation(_ name: String, _ node: JSONNode, _ said: Said?) -> Bool {
        guard node.kind == .object || node.kind == .array || node.isNull else { return false }
        if let said, said.type == nil || node.kind == .object,
            said.isNavigation || said.isDelta || (node.kind == .array && (said.count != nil || said.nextLink != nil) && firstIsEntityOrEmpty(node)) {
            return true
        }
        if node.isNull { return false }
        if !expanded.isEmpty, expanded.contains(name) { return true }
        if node.kind == .object {
            if format == .verbose, let results = node["results"], results.kind == .array {
                return node["__metadata"] == nil && results.elements.allSatisfy { $0.kind == .object }
            }
            return isEntity(node)
        }
        for element in node.elements where element.kind == .object { return isEntity(element) }
        return false
    }

    private func firstIsEntityOrEmpty(_ node: JSONNode) -> Bool {
        for element in node.elements { return element.kind == .object }
        return true
    }

    /// Whether an object has control information that only entities have.
    private mutating func isEntity(_ node: JSONNode) -> Bool {
        for member in node.members {
            let first = member.name.writtenBytes.first
            if format != .verbose, first != UInt8(ascii: "@"), first != UInt8(ascii: "o"), first != UInt8(ascii: "\\") { continue }
            switch meaning(of: member.name) {
            case .control(.id), .control(.etag), .control(.editLink), .control(.readLink), .control(.removed): return true
            case .control(.verboseMetadata): return member.value["uri"] != nil || member.value["id"] != nil
            case .plain: if format == .verbose, member.value["__deferred"] != nil { return true }
            default: continue
            }
        }
        return false
    }

    private mutating func addNavigation(
        _ name: String, _ node: JSONNode, said: Said?, to entry: inout ODataEntry, expected: String?, base: BaseURL?
    ) throws(Fault) {
        switch node.kind {
        case .null:
            entry.navigation.append(ODataEntry.Navigation(name, .null))
        case .array:
            entry.navigation.append(ODataEntry.Navigation(name, .feed(try feed(node, said: said, expected: expected, base: base))))
        case .object:
            if format == .verbose {
                if try readVerboseLink(name, node, &entry, base: base) { return }
                if let results = node["results"], results.kind == .array {
                    var feed = try feed(results, said: said, expected: expected, base: base)
                    if let value = node["__count"], !value.isNull { feed.count = try count(value) }
                    if let next = node["__next"] { feed.nextLink = try reference(next, base: base) }
                    entry.navigation.append(ODataEntry.Navigation(name, .feed(feed)))
                    return
                }
            }
            entry.navigation.append(ODataEntry.Navigation(name, .entry(try self.entry(node, expected: expected, base: base))))
        default:
            throw Fault(.typeMismatch, "A navigation property holds entities.", offset: node.offset)
        }
    }

    private mutating func feed(_ node: JSONNode, said: Said?, expected: String?, base: BaseURL?) throws(Fault) -> ODataFeed {
        var feed = ODataFeed()
        feed.count = said?.count
        feed.nextLink = said?.nextLink
        feed.isDelta = said?.isDelta ?? false
        for element in node.elements { feed.entries.append(try entry(element, expected: expected, base: base)) }
        return feed
    }

    // MARK: - Verbose JSON

    /// `__deferred` and `__mediaresource` are links, not values.
    private mutating func readVerboseLink(_ name: String, _ node: JSONNode, _ entry: inout ODataEntry, base: BaseURL?) throws(Fault) -> Bool {
        if let deferred = node["__deferred"] {
            if let uri = deferred["uri"], let link = try reference(uri, base: base) { entry.links.append(ODataEntry.Link(name, link, .navigation)) }
            return true
        }
        if let resource = node["__mediaresource"] {
            if let source = resource["media_src"] ?? resource["edit_media"], let link = try reference(source, base: base) {
                entry.links.append(ODataEntry.Link(name, link, .media))
            }
            return true
        }
        return false
    }

    private mutating func readMetadata(_ node: JSONNode, _ entry: inout ODataEntry, base: BaseURL?) throws(Fault) {
        guard node.kind == .object else { throw Fault(.invalidJSON, "The metadata of an entity is an object.", offset: node.offset) }
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
                if entry.id == nil { entry.id = entry.editLink }
            case "id": entry.id = try reference(value, base: base)
            case "type": entry.type = value.isNull ? nil : try statedType(value).text
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
                    guard let uri = property.value["associationuri"], let link = try reference(uri, base: base) else { continue }
                    entry.links.append(ODataEntry.Link(property.name.string, link, .association))
                }
            default: break
            }
        }
        if let media { entry.media = media }
    }
}
