import JSONText
import LocalChanges
import OData
import Soups

/// An entity of a payload in the form in which it is kept.
struct ArrivedEntity {
    /// The key text.
    var key: String
    /// The properties in the order of the payload, with annotations.
    var properties: JSONObject
    /// What the service says about the entity, where the map cannot know it.
    var control: JSONObject
    /// Expanded entities that stay in the row, by their navigation properties. They are not properties of the entity.
    var expansions = JSONObject()
    /// Related entities that become rows of their own.
    var related: [Related] = []
    /// Why a delta lists it: it was removed, with this reason.
    var deletion: String?
    /// Members that were left out because their names belong to the row.
    var dropped = 0
    /// The types that the payload states for properties that no model declares.
    var statedTypes: [(name: String, type: String)] = []

    /// The expanded entities of a navigation property.
    struct Related {
        let reference: EntityReference
        /// The set of the related entities.
        let set: MappedEntitySet
        /// Whether the related entities have the foreign key.
        let isDependent: Bool
        let entities: [ArrivedEntity]
        /// Whether they are changes of the relation, not all that it leads to.
        let isDelta: Bool
    }

    var etag: String? { control["etag"]?.string }
    var isDeleted: Bool { deletion != nil }

    /// The entity with the ETag of the answer's header, which counts for the entity of its request; unchanged for none.
    func with(etag: String?) -> ArrivedEntity {
        guard let etag, !etag.isEmpty else { return self }
        var entity = self
        entity.control = JSONObject([("etag", .string(etag))]).merging(control.removing { $0 == "etag" })
        return entity
    }
}

/// Brings entities of payloads into the form in which they are kept.
struct EntityReading: Sendable {
    let map: EntitySetMap
    let serviceRoot: String
    /// The entities of further pages of an expansion, by the link of the page.
    var followed: [String: [ODataEntry]] = [:]
    /// Whether the further pages of all expansions are in `followed`.
    var isFollowed = false
    /// Whether expansions with a further page are left out, because it is not read.
    var leavesOutPartialExpansions = false

    private static let maximumDepth = 8

    static let unreadPage = Fault(.malformedAnswer, "an expansion has a further page that was not read")

    /// The entity of an entry.
    ///
    /// - Parameter known: The key of an entity that does not say its own.
    /// - Throws: `malformedAnswer` for an entity without a complete key.
    func entity(
        _ given: ODataEntry, of set: MappedEntitySet, depth: Int = 0, key known: String? = nil
    ) throws(Fault) -> ArrivedEntity {
        let entry = stating(given.context.flatMap { Self.type(ofContext: $0) }, in: given, of: set)
        var form = properties(of: entry, set)
        let isPaged = try leaveOutPagedValues(of: entry, from: &form)
        addAnnotations(of: entry, to: &form.members)
        var related: [ArrivedEntity.Related] = []
        var expansions: [(String, JSONValue)] = []
        for navigation in entry.navigation where !isLeftOut(navigation) {
            if let rows = try normalised(navigation, of: set, type(of: entry, set), depth: depth) {
                related.append(rows)
            } else if !RowMember.isForbidden(navigation.name) {
                expansions.append((navigation.name, try inlined(navigation.content, navigation, set, depth: depth)))
            } else {
                form.dropped += 1
            }
        }
        let properties = JSONObject(form.members)
        if depth == 0, isErrorOfService(entry) {
            throw Fault(.truncated, "the service ended the page with an error; load it again")
        }
        let key = try key(of: entry, properties, set, known)
        var entity = ArrivedEntity(
            key: key, properties: withKey(key, properties, of: set), control: JSONObject())
        entity.expansions = JSONObject(expansions)
        entity.related = related
        entity.deletion = entry.deletion.map { $0.reason ?? "deleted" }
        entity.dropped = form.dropped
        entity.statedTypes = form.types
        if entry.deletion == nil {
            entity.control = EntityControl(map: map, set: set, serviceRoot: serviceRoot).control(of: entry, key: key)
            if isPaged {
                entity.control["partial"] = true
            }
        }
        return entity
    }

    /// Whether an entry is the error that a service has written among the entities when it failed: it has an error and
    /// nothing else, so no key either.
    func isErrorOfService(_ entry: ODataEntry) -> Bool {
        guard entry.properties.count == 1, entry.id == nil, entry.editLink == nil, entry.navigation.isEmpty,
            let property = entry.properties.first, ["error", "odata.error"].contains(property.name),
            case .complex(let members) = property.value
        else { return false }
        return ["code", "message"].allSatisfy { name in members.contains { $0.name == name } }
    }

    private struct Form {
        var members: [(String, JSONValue)] = []
        var types: [(name: String, type: String)] = []
        var dropped = 0
    }

    private func properties(of entry: ODataEntry, _ set: MappedEntitySet) -> Form {
        var form = Form()
        let type = type(of: entry, set)
        for property in entry.properties {
            guard !RowMember.isForbidden(property.name), !set.isLocalOnly(property.name) else {
                form.dropped += 1
                continue
            }
            var value = property.value.stored(map.model)
            if let stated = property.statedType {
                let declared = type.flatMap { map.model?.property(property.name, of: $0)?.type }
                if declared == nil {
                    form.types.append((property.name, stated))
                }
                value = typed(value, stated, declared)
            }
            form.members.append((property.name, value))
        }
        return form
    }

    /// Leaves out collections of values of which an entry has only a page, and returns whether there are any. Kept as
    /// they are they would pass for whole, and the next change of one would remove the other values on the service.
    ///
    /// - Throws: `unsupported` where all of the entity is needed.
    private func leaveOutPagedValues(of entry: ODataEntry, from form: inout Form) throws(Fault) -> Bool {
        let paged = Set(entry.propertiesWithFurtherValues.map { ByteKey($0) })
        guard !paged.isEmpty else { return false }
        guard leavesOutPartialExpansions else {
            throw Self.pagedValues
        }
        form.members.removeAll { paged.contains(ByteKey($0.0)) }
        return true
    }

    private static let pagedValues = Fault(
        .unsupported, "a property has its values on several pages, which is not supported; leave it out by $select")

    /// The type by which the properties of an entry are declared.
    private func type(of entry: ODataEntry, _ set: MappedEntitySet) -> String? {
        let stated = entry.type.map { map.model?.resolve($0) ?? $0 }
        return stated.flatMap { map.model?.structuredType($0) == nil ? nil : $0 } ?? set.entityType
    }

    /// The value of a property of an entry for which the payload states a type.
    func typed(
        _ value: JSONValue, stated: String, ofProperty name: String, in entry: ODataEntry, _ set: MappedEntitySet
    ) -> JSONValue {
        typed(value, stated, type(of: entry, set).flatMap { map.model?.property(name, of: $0)?.type })
    }

    /// A complex value of a derived type with that type as its first member.
    private func typed(_ value: JSONValue, _ stated: String, _ declared: EdmTypeReference?) -> JSONValue {
        guard case .object(let object) = value, object["@odata.type"] == nil else { return value }
        let name = map.model?.resolve(stated) ?? stated
        guard let declared, (map.model?.resolve(declared.name) ?? declared.name) != name else { return value }
        return .object(JSONObject([("@odata.type", .string("#" + name))]).merging(object))
    }

    /// Puts annotations next to their properties, and those of the entity at the end.
    private func addAnnotations(of entry: ODataEntry, to members: inout [(String, JSONValue)]) {
        for annotation in entry.annotations {
            let name = annotation.name
            guard !name.utf8.starts(with: "odata.".utf8), !name.contains("@odata."), name.contains(".") else {
                continue
            }
            guard let at = name.utf8.firstIndex(of: UInt8(ascii: "@")) else {
                members.append(("@" + name, annotation.value.stored))
                continue
            }
            let owner = String(name[..<at])
            guard let index = members.firstIndex(where: { ByteKey($0.0) == ByteKey(owner) }) else { continue }
            members.insert((name, annotation.value.stored), at: index + 1)
        }
    }

    // MARK: - Keys

    private func key(
        of entry: ODataEntry, _ properties: JSONObject, _ set: MappedEntitySet, _ known: String?
    ) throws(Fault) -> String {
        if let key = try stated(properties, set), !LocalId.isLocal(key) {
            return key
        }
        for url in [entry.id?.resolved, entry.editLink?.resolved].compactMap(\.self) {
            if let key = key(inURL: url, of: set) {
                return key
            }
        }
        if let known {
            return known
        }
        throw Fault(
            .malformedAnswer, "an entity of \(set.name) has no complete key, and its id does not name it either")
    }

    /// The key that the properties of an entity make; nil if a part is missing.
    private func stated(_ properties: JSONObject, _ set: MappedEntitySet) throws(Fault) -> String? {
        do throws(Fault) {
            return try StoredKey.text(of: properties, set, version: map.version)
        } catch {
            throw Fault(
                .malformedAnswer, "an entity of \(set.name) has a value in its key that cannot be one",
                context: [.soup(set.soup)] + set.key.prefix(1).map { .path($0) })
        }
    }

    /// Properties with the parts of a key that is known from a URL. What asks for the entity by them finds its row, and
    /// what refers to it finds it.
    private func withKey(_ key: String, _ properties: JSONObject, of set: MappedEntitySet) -> JSONObject {
        guard !LocalId.isLocal(key) else { return properties }
        var result = properties
        for name in set.key where name.segments.count == 1 && (properties[name]?.isNull ?? true) {
            if let part = KeyReplacement.part(name, of: key, set) {
                result[name] = part
            }
        }
        return result
    }

    /// The key text of the entity of this set that a URL names; nil if it names something else.
    func key(inURL url: String, of set: MappedEntitySet) -> String? {
        guard let predicate = KeyPredicate(url: url, version: map.version),
            ByteKey(predicate.set) == ByteKey(set.name)
        else { return nil }
        return try? StoredKey.text(of: predicate.key, set, version: map.version)
    }

    /// The set and the key of the entity that a URL names; nil if it is not one of a mapped set.
    func reference(inURL url: String) -> (set: MappedEntitySet, key: String)? {
        guard let predicate = KeyPredicate(url: url, version: map.version), let set = map.find(predicate.set),
            let key = try? StoredKey.text(of: predicate.key, set, version: map.version)
        else { return nil }
        return (set, key)
    }

    // MARK: - Expanded entities

    private func isLeftOut(_ navigation: ODataEntry.Navigation) -> Bool {
        leavesOutPartialExpansions && !LoadedPage.furtherPages(of: navigation).isEmpty
    }

    /// The expanded entities as rows of their own; nil if they stay in the row.
    ///
    /// - Parameter type: The type of the entity that has the navigation property.
    private func normalised(
        _ navigation: ODataEntry.Navigation, of set: MappedEntitySet, _ type: String?, depth: Int
    ) throws(Fault) -> ArrivedEntity.Related? {
        guard set.settings.keepsExpansionsInline != true, depth < Self.maximumDepth,
            let (reference, target, isDependent) = map.target(ofNavigation: navigation.name, in: set)
        else { return nil }
        let declared = type.flatMap { map.model?.navigation(navigation.name, of: $0)?.type.name }
        var entities: [ArrivedEntity] = []
        for entry in try entries(of: navigation.content) {
            do throws(Fault) {
                let entry = stating(declared, in: entry, of: target)
                entities.append(try entity(entry, of: target, depth: depth + 1))
            } catch  where error.code == .malformedAnswer {
                // An expanded entity without a key cannot be found again as a row.
                return nil
            }
        }
        var isDelta = false
        if case .feed(let feed) = navigation.content {
            isDelta = feed.isDelta
        }
        return ArrivedEntity.Related(
            reference: reference, set: target, isDependent: isDependent, entities: entities, isDelta: isDelta)
    }

    private func inlined(
        _ content: ODataEntry.Navigation.Content, _ navigation: ODataEntry.Navigation, _ set: MappedEntitySet,
        depth: Int
    ) throws(Fault) -> JSONValue {
        guard depth < Self.maximumDepth else {
            throw Fault(.limitExceeded, "expanded entities are nested deeper than \(Self.maximumDepth) levels")
        }
        switch content {
        case .null: return .null
        case .entry(let entry): return try inlined(entry, depth: depth)
        case .feed:
            var values: [JSONValue] = []
            for entry in try entries(of: content) {
                values.append(try inlined(entry, depth: depth))
            }
            return .array(values)
        }
    }

    private func inlined(_ entry: ODataEntry, depth: Int) throws(Fault) -> JSONValue {
        guard leavesOutPartialExpansions || entry.propertiesWithFurtherValues.isEmpty else {
            throw Self.pagedValues
        }
        var members = entry.properties.map { ($0.name, $0.value.stored(map.model)) }
        for navigation in entry.navigation {
            let owner = MappedEntitySet(
                name: "", soup: "", entityType: nil, key: [], keyNames: [], isSingleton: false,
                settings: EntitySetSettings(),
                model: nil)
            members.append((navigation.name, try inlined(navigation.content, navigation, owner, depth: depth + 1)))
        }
        return .object(JSONObject(members))
    }

    /// The entries of an expansion with those of its further pages.
    private func entries(of content: ODataEntry.Navigation.Content) throws(Fault) -> [ODataEntry] {
        switch content {
        case .null: return []
        case .entry(let entry): return [entry]
        case .feed(let feed):
            guard let next = feed.nextLink?.resolved else {
                return feed.entries
            }
            guard let rest = followed[next] else {
                throw Self.unreadPage
            }
            return feed.entries + rest
        }
    }
}

extension EntitySetMap {
    /// The foreign key that a navigation property of a set follows, and the set that it leads to; nil if the related
    /// entities are not rows of a mapped set.
    func target(
        ofNavigation name: String, in set: MappedEntitySet
    ) -> (reference: EntityReference, set: MappedEntitySet, isDependent: Bool)? {
        for reference in references {
            if ByteKey(reference.principal) == ByteKey(set.name), let inverse = reference.inverse,
                ByteKey(inverse) == ByteKey(name), let target = find(reference.dependent)
            {
                return (reference, target, true)
            }
            if ByteKey(reference.dependent) == ByteKey(set.name), let navigation = reference.navigation,
                ByteKey(navigation) == ByteKey(name), let target = find(reference.principal)
            {
                return (reference, target, false)
            }
        }
        return nil
    }
}
