import JSONText
import Soups
import StepCounting

/// Builds entries from the objects on a tape, for all JSON formats of OData.
///
/// Members may have any order. The tape limits the depth. Offsets in faults count from the start of the tape's text;
/// the reader converts them to offsets in the body.
struct JSONEntryBuilder {
    let options: PayloadOptions
    let checker: PayloadTypes?
    /// Whether there is a checker. A separate flag, so that testing it does not copy the model.
    private let isChecked: Bool
    var format: JSONFormat
    /// The navigation properties that the context URL lists as expanded.
    var expanded = ExpandedNames()
    /// Whether a relative URL was read while no base URL was known.
    var metRelativeURL = false
    /// What is known about a member name that was read before.
    private struct KnownName {
        let meaning: JSONName
        /// The number of the name among the texts of the entries if it is the name of a property, otherwise -1.
        var number: Int32 = -1
        var control: JSONName.Control?
    }
    private var names = ByteCache<KnownName>()
    private var types = ByteCache<StatedType>()
    private var texts = TextNumbers()
    private var declared = DeclaredPrimitives()
    private var pool = EntryPool()
    /// The number of nested entries that are being built.
    private var depth = 0

    init(options: PayloadOptions, format: JSONFormat) {
        self.options = options
        self.format = format
        checker = options.model.map { PayloadTypes(model: $0, options: options) }
        isChecked = checker != nil
    }

    /// The bytes of a string without escapes; nil for a string with escapes.
    @inline(__always)
    static func plainBytes(_ text: JSONStringText) -> UnsafeBufferPointer<UInt8>? {
        guard !text.isEscaped else { return nil }
        return text.writtenBytes.bindMemory(to: UInt8.self)
    }

    mutating func meaning(of name: JSONStringText) -> JSONName {
        guard let bytes = Self.plainBytes(name) else {
            return JSONName(name.string, format: format)
        }
        return names.index(of: bytes).map { names.values[$0].meaning } ?? learn(bytes).meaning
    }

    private mutating func learn(_ bytes: UnsafeBufferPointer<UInt8>) -> KnownName {
        var known = KnownName(meaning: JSONName(String(bytes: bytes), format: format))
        switch known.meaning {
        case .plain: known.number = texts.number(of: bytes)
        case .control(let control): known.control = control
        default: break
        }
        names.remember(bytes, known)
        return known
    }

    /// The number of a property name without escapes; -1 for all other names.
    @inline(__always)
    mutating func propertyNumber(of name: JSONStringText) -> Int32 {
        guard let bytes = Self.plainBytes(name) else {
            return -1
        }
        if let index = names.index(of: bytes) {
            return names.values[index].number
        }
        return learn(bytes).number
    }

    /// The number of a text for an entry.
    mutating func number(of text: String, in entry: inout EntryContent) -> Int32 {
        let number = texts.number(of: text)
        // The text may have been added to a new page.
        entry.texts = texts.page
        return number
    }

    mutating func setType(_ node: JSONNode, of entry: inout EntryContent) throws(Fault) {
        entry.typeNumber = node.isNull ? -1 : number(of: try statedType(node).text, in: &entry)
    }

    mutating func statedType(_ node: JSONNode) throws(Fault) -> StatedType {
        guard let text = node.stringText else {
            throw Fault(.invalidJSON, "the type must be a string", offset: node.offset)
        }
        let bytes = Self.plainBytes(text)
        let type = bytes.map { types.value(of: $0) { StatedType($0) } } ?? StatedType(text.string)
        guard !type.isNested else {
            throw Fault(.invalidJSON, "there is no type for a collection of collections", offset: node.offset)
        }
        return type
    }

    mutating func reference(_ node: JSONNode, base: BaseURL?) throws(Fault) -> URLReference? {
        if node.isNull {
            return nil
        }
        guard let text = node.string else {
            throw Fault(.invalidJSON, "a URL must be a string", offset: node.offset)
        }
        if base == nil, ReferenceParts(text).scheme == nil {
            metRelativeURL = true
        }
        return URLReference(text, base: base)
    }

    /// The type of an entity in a feed, which may have a context URL of its own.
    func expectedType(_ expected: String?, ownContext context: JSONNode?) -> String? {
        guard isChecked, let context, let text = context.string else { return expected }
        return checker?.expectedType(expected, context: text, isOwn: true)
    }

    /// The type of the entity or entities of a body with a context URL.
    func expectedType(_ expected: String?, bodyContext context: String?) -> String? {
        guard isChecked, let context else { return expected }
        return checker?.expectedType(expected, context: context, isOwn: false)
    }

    func text(_ node: JSONNode) throws(Fault) -> String {
        guard let text = node.string else {
            throw Fault(.invalidJSON, "this control information must be a string", offset: node.offset)
        }
        return text
    }

    mutating func entry(_ node: JSONNode, expected: String?, base outer: BaseURL?) throws(Fault) -> ODataEntry {
        try entry(node, context: try control(.context, of: node), expected: expected, base: outer)
    }

    /// - Parameter context: The value of the context control information of the object.
    mutating func entry(
        _ node: JSONNode, context: JSONNode?, expected: String?, base outer: BaseURL?
    ) throws(Fault) -> ODataEntry {
        guard node.kind == .object else {
            throw Fault(.invalidJSON, "an entity must be an object", offset: node.offset)
        }
        if depth == 0, texts.turnPage() {
            names = ByteCache()
            declared = DeclaredPrimitives()
        }
        var entry = depth == 0 ? pool.begin(texts.page) : pool.beginNested(texts.page)
        depth += 1
        defer { depth -= 1 }
        try read(node, into: &entry, context: context, expected: expected, base: outer)
        entry.complete(with: texts.page)
        return depth == 1 ? pool.finish(entry) : pool.finishNested(entry)
    }

    private mutating func read(
        _ node: JSONNode, into entry: inout EntryContent, context: JSONNode?, expected: String?, base outer: BaseURL?
    ) throws(Fault) {
        var base = outer
        // The context and the type are needed before the other members, wherever they are in the object.
        if let context, !context.isNull {
            let text = try text(context)
            base = JSONContext.base(of: outer.map { $0.resolve(text) } ?? text) ?? outer
            entry.rest.context = text
            if JSONContext.ends(text, with: "$deletedEntity") {
                entry.rest.deletion = ODataEntry.Deletion()
            }
        }
        if isChecked, let type = try control(.type, of: node) {
            try setType(type, of: &entry)
        }
        if format == .verbose, let metadata = node["__metadata"] {
            try readMetadata(metadata, &entry, base: base)
        }
        let type = isChecked ? try checker?.effectiveType(stated: entry.type, expected: expected, at: node.offset) : nil
        let isDeleted = entry.isDeleted
        var isRemoved = false
        var infos = PropertyInfos()
        var isCollected = false
        var count = 0
        let limit = options.limits.members
        for member in node.members {
            count += 1
            guard count <= limit else {
                throw Fault(
                    .limitExceeded, "an object has more than \(limit) members; raise PayloadOptions.limits.members",
                    offset: node.offset)
            }
            // The most frequent case: a plain name without control information, and a scalar value.
            if !isDeleted, infos.isEmpty {
                let number = propertyNumber(of: member.name)
                if number >= 0 {
                    let isAppended =
                        try isChecked
                        ? append(number, member.value, declaredIn: type, to: &entry)
                        : append(number, member.value, to: &entry)
                    if isAppended {
                        continue
                    }
                }
            }
            let meaning = meaning(of: member.name)
            if !isCollected, Self.needsControls(meaning, member.value) {
                isCollected = true
                infos = try collectControls(of: node, into: &entry, base: base)
                entry.texts = texts.page
                if !infos.isEmpty, entry.hasProperty(where: { infos[$0] != nil }) {
                    entry.removeProperties()
                    for member in node.members.prefix(count - 1) {
                        guard case .plain(let name) = self.meaning(of: member.name) else { continue }
                        try add(name, member.value, info: infos[name], to: &entry, type: type, base: base)
                    }
                }
            }
            switch meaning {
            case .plain(let name):
                if isDeleted, name == "id" || name == "reason" || name == "when" {
                    try readDeletion(name, member.value, &entry, base: base)
                } else {
                    try add(name, member.value, info: infos[name], to: &entry, type: type, base: base)
                }
            case .control(let control):
                isRemoved = isRemoved || control == .removed
                try read(control, member.value, &entry, base: base)
            case .propertyControl(let name, .delta):
                guard member.value.kind == .array else {
                    throw Fault(
                        .invalidJSON, "the changes of a navigation property must be an array",
                        offset: member.value.offset, context: [.path(name)])
                }
                var info = infos[name] ?? PropertyInfos.Info()
                info.isDelta = true
                try add(name, member.value, info: info, to: &entry, type: type, base: base)
            case .annotation(let name):
                entry.rest.annotations.append(.init(name, try untyped(member.value)))
            case .propertyControl, .operation:
                break
            }
        }
        if isDeleted || isRemoved {
            // Names of properties may be new since the entry was begun.
            entry.texts = texts.page
            try checkIdentity(of: entry, type: type, mayHaveKey: isRemoved, at: node.offset)
        }
    }

    /// Appends a scalar of a property that the type declares as a primitive. Returns false for everything else.
    private mutating func append(
        _ number: Int32, _ node: JSONNode, declaredIn type: String?, to entry: inout EntryContent
    ) throws(Fault) -> Bool {
        guard let type else { return false }
        let known = declared.primitive(number, of: type)
        let primitive: EdmPrimitiveType?
        if let known {
            primitive = known
        } else {
            primitive = checker?.declaredPrimitive(texts.page[number], of: type)
            declared.remember(primitive, number, of: type)
        }
        guard let primitive, let value = try packed(node, as: primitive, in: &entry) else { return false }
        entry.append(number, value, type: -1)
        return true
    }

    /// Checks that a deleted entity says which one it is: by its id, or in 4.01 by its key.
    private func checkIdentity(
        of entry: borrowing EntryContent, type: String?, mayHaveKey: Bool, at offset: Int
    ) throws(Fault) {
        guard entry.id == nil else { return }
        let key = type.flatMap { checker?.model.key(of: $0) } ?? []
        let hasKey = key.allSatisfy { part in
            entry.hasProperty { $0.hasBytes(of: part.path.segments.first ?? part.path) }
        }
        guard mayHaveKey, hasKey, entry.hasProperty(where: { _ in true }) else {
            throw Fault(.invalidJSON, "a deleted entity has neither an id nor a key", offset: offset)
        }
    }

    /// Whether the control information about all properties must be known before a member is read. Scalars are read
    /// without it, and again if some follows. Other values are read once only: the work would double with each level.
    private static func needsControls(_ meaning: JSONName, _ value: JSONNode) -> Bool {
        switch meaning {
        case .plain: value.kind == .object || value.kind == .array
        case .propertyControl: true
        default: false
        }
    }

    /// Reads the control information about the properties of an object. O(n) in the number of members.
    private mutating func collectControls(
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

    private mutating func readDeletion(
        _ name: String, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        switch name {
        case "id": entry.id = try reference(node, base: base)
        case "reason": entry.rest.deletion?.reason = node.string
        default: entry.rest.deletion?.when = node.string
        }
    }

    private mutating func read(
        _ control: JSONName.Control, _ node: JSONNode, _ entry: inout EntryContent, base: BaseURL?
    ) throws(Fault) {
        switch control {
        case .type: try setType(node, of: &entry)
        case .id: try setID(node, of: &entry, base: base)
        case .etag: entry.etag = node.isNull ? nil : try text(node)
        case .editLink: entry.editLink = try reference(node, base: base)
        case .readLink: entry.readLink = try reference(node, base: base)
        case .mediaReadLink, .mediaEditLink, .mediaContentType, .mediaEtag:
            var media = entry.rest.media ?? ODataEntry.Media()
            switch control {
            case .mediaReadLink: media.source = try reference(node, base: base)
            case .mediaEditLink: media.editLink = try reference(node, base: base)
            case .mediaContentType: media.contentType = node.isNull ? nil : try text(node)
            default: media.etag = node.isNull ? nil : try text(node)
            }
            entry.rest.media = media
        case .removed:
            entry.rest.deletion = ODataEntry.Deletion(reason: node["reason"]?.string ?? (node.isNull ? nil : "deleted"))
        default: break
        }
    }

    private mutating func read(
        _ control: JSONName.Control, _ node: JSONNode, of name: String, _ info: inout PropertyInfos.Info,
        _ entry: inout EntryContent,
        base: BaseURL?
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
            if !JSONContext.isOfPrimitives(node.string ?? "") {
                info.isNavigation = true
            }
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

    private mutating func add(
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
        if stated == nil, format == .verbose, node.kind == .object, let type = node["__metadata"]?["type"] {
            stated = try statedType(type)
        }
        if stated == nil, node.kind == .object, let type = try control(.type, of: node), !type.isNull {
            stated = try statedType(type)
        }
        let value = try value(node, stated: stated, declared: declared)
        var typeNumber: Int32 = -1
        if let stated {
            typeNumber = number(of: stated.text, in: &entry)
        }
        entry.append(number(of: name, in: &entry), entry.pack(value), type: typeNumber)
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
            return isEntity(element)
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

    /// Adds expanded entities. Where the property is declared, one entity is distinguished from a collection.
    private mutating func addNavigation(
        _ name: String, _ node: JSONNode, info: PropertyInfos.Info?, to entry: inout EntryContent,
        declared: EdmTypeReference?, base: BaseURL?
    ) throws(Fault) {
        let expected = declared?.name
        switch node.kind {
        case .null:
            entry.rest.navigation.append(ODataEntry.Navigation(name, .null))
        case .array:
            guard declared?.isCollection != false else {
                throw Fault(
                    .typeMismatch, "the navigation property holds an array, but is declared for one entity",
                    offset: node.offset, context: [.path(name)])
            }
            entry.rest.navigation.append(
                ODataEntry.Navigation(name, .feed(try feed(node, info: info, expected: expected, base: base))))
        case .object:
            if format == .verbose, try addVerboseNavigation(name, node, info: info, to: &entry, declared, base: base) {
                return
            }
            guard declared?.isCollection != true else {
                throw Fault(
                    .typeMismatch, "the navigation property holds one entity, but is declared for a collection",
                    offset: node.offset, context: [.path(name)])
            }
            entry.rest.navigation.append(
                ODataEntry.Navigation(name, .entry(try self.entry(node, expected: expected, base: base))))
        default:
            throw Fault(
                .typeMismatch, "a navigation property must hold an entity, an array of entities or null",
                offset: node.offset)
        }
    }

    /// Adds what only verbose JSON has in an object: a link to entities that are not expanded, or a collection with its
    /// count. Returns false for an entity.
    private mutating func addVerboseNavigation(
        _ name: String, _ node: JSONNode, info: PropertyInfos.Info?, to entry: inout EntryContent,
        _ declared: EdmTypeReference?, base: BaseURL?
    ) throws(Fault) -> Bool {
        if try readVerboseLink(name, node, &entry, base: base) {
            return true
        }
        guard let results = node["results"], results.kind == .array else {
            return false
        }
        if let declared, !declared.isCollection {
            // An entity may have a property of this name.
            guard checker?.model.property("results", of: declared.name) == nil else {
                return false
            }
            throw Fault(
                .typeMismatch, "the navigation property holds a collection, but is declared for one entity",
                offset: node.offset, context: [.path(name)])
        }
        var feed = try feed(results, info: info, expected: declared?.name, base: base)
        if let value = node["__count"], !value.isNull {
            feed.count = try count(value)
        }
        if let next = node["__next"] {
            feed.nextLink = try reference(next, base: base)
        }
        entry.rest.navigation.append(ODataEntry.Navigation(name, .feed(feed)))
        return true
    }

    private mutating func feed(
        _ node: JSONNode, info: PropertyInfos.Info?, expected: String?, base: BaseURL?
    ) throws(Fault) -> ODataFeed {
        var feed = ODataFeed()
        feed.count = info?.count
        feed.nextLink = info?.nextLink
        feed.isDelta = info?.isDelta ?? false
        // Memory for all entries of a short feed, and for the first ones of a long one, which grows as it needs to.
        feed.entries.reserveCapacity(node.elements.prefix(100).reduce(0) { count, _ in count + 1 })
        for element in node.elements {
            feed.entries.append(try entry(element, expected: expected, base: base))
        }
        return feed
    }
}
