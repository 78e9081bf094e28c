import JSONText
import Soups

extension JSONEntryBuilder {
    mutating func entry(_ node: JSONNode, expected: String?, base outer: BaseURL?) throws(Fault) -> ODataEntry {
        try entry(node, context: try control(.context, of: node), expected: expected, base: outer)
    }

    /// Reads an entity.
    ///
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
        let base = try readEarlyControls(of: node, into: &entry, context: context, base: outer)
        let type = isChecked ? try checker?.effectiveType(stated: entry.type, expected: expected, at: node.offset) : nil
        var object = ObjectReading(node: node, type: type, base: base, isDeleted: entry.isDeleted)
        var count = 0
        let limit = options.limits.members
        declared.turn(to: type)
        for member in node.members {
            count += 1
            guard count <= limit else {
                throw Fault(
                    .limitExceeded, "an object has more than \(limit) members; raise PayloadOptions.limits.members",
                    offset: node.offset)
            }
            // The most frequent case: a plain name without control information, and a scalar value.
            if !object.isDeleted, object.infos.isEmpty {
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
            try read(member, at: count - 1, of: &object, into: &entry)
            // Entities in the member may have another type.
            declared.turn(to: type)
        }
        if object.isDeleted || object.isRemoved {
            // Names of properties may be new since the entry was begun.
            entry.texts = texts.page
            try checkIdentity(of: entry, type: type, mayHaveKey: object.isRemoved, at: node.offset)
        }
    }

    /// Reads the context and the type, which are needed before the other members, wherever they are in the object.
    /// Returns the base of the URLs in it.
    private mutating func readEarlyControls(
        of node: JSONNode, into entry: inout EntryContent, context: JSONNode?, base outer: BaseURL?
    ) throws(Fault) -> BaseURL? {
        var base = outer
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
        return base
    }

    /// Reads a member that is not a scalar with a plain name, or any member once the object has control information
    /// about properties.
    private mutating func read(
        _ member: JSONMember, at position: Int, of object: inout ObjectReading, into entry: inout EntryContent
    ) throws(Fault) {
        let meaning = meaning(of: member.name)
        if !object.isCollected, Self.needsControls(meaning, member.value) {
            try collectControls(of: &object, before: position, into: &entry)
        }
        switch meaning {
        case .plain(let name):
            if object.isDeleted, name == "id" || name == "reason" || name == "when" {
                try readDeletion(name, member.value, &entry, base: object.base)
            } else {
                try add(
                    name, member.value, info: object.infos[name], to: &entry, type: object.type, base: object.base)
            }
        case .control(let control):
            object.isRemoved = object.isRemoved || control == .removed
            try read(control, member.value, &entry, base: object.base)
        case .propertyControl(let name, .delta):
            try addChanges(name, member.value, to: &entry, object)
        case .propertyControl(let name, .nextLink):
            addFurtherPage(of: name, to: &entry, &object)
        case .annotation(let name):
            entry.rest.annotations.append(.init(name, try untyped(member.value)))
        case .propertyControl, .operation:
            break
        }
    }

    /// Collects the control information about the properties of an object. Properties that were read before are read
    /// again if there is some about them. O(n) in the number of members.
    private mutating func collectControls(
        of object: inout ObjectReading, before position: Int, into entry: inout EntryContent
    ) throws(Fault) {
        object.isCollected = true
        let infos = try propertyControls(of: object.node, into: &entry, base: object.base)
        object.infos = infos
        entry.texts = texts.page
        guard !infos.isEmpty, entry.hasProperty(where: { infos[$0] != nil }) else { return }
        entry.removeProperties()
        for member in object.node.members.prefix(position) {
            guard case .plain(let name) = meaning(of: member.name) else { continue }
            try add(name, member.value, info: infos[name], to: &entry, type: object.type, base: object.base)
        }
    }

    /// Appends a scalar of a property that the type declares as a primitive. Returns false for everything else.
    private mutating func append(
        _ number: Int32, _ node: JSONNode, declaredIn type: String?, to entry: inout EntryContent
    ) throws(Fault) -> Bool {
        guard let type else { return false }
        let known = declared.primitive(number)
        let primitive: EdmPrimitiveType?
        if let known {
            primitive = known
        } else {
            primitive = checker?.declaredPrimitive(texts.page[number], of: type)
            declared.remember(primitive, number)
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
}
