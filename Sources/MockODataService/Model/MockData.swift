import JSONText

/// What the service holds: entities, links without a property, and the changes so far.
struct MockData: Sendable {
    /// One change, for links to changes.
    struct Change: Sendable {
        enum Kind: Sendable {
            case saved, deleted
            /// A link without a property, by the name of the navigation property, to an entity of a set.
            case linked(String, set: String, key: String)
            case unlinked(String, set: String, key: String)
        }

        var number: Int
        var set: String
        var key: String
        var kind: Kind
        /// The key properties of an entity that is gone.
        var identity = JSONObject()
    }

    /// Where a link without a property begins.
    struct LinkSource: Hashable, Sendable {
        var set: String
        var key: String
        var name: String
    }

    let model: MockModel
    private(set) var tables: [String: MockTable] = [:]
    private(set) var links: [LinkSource: [String]] = [:]
    private(set) var changes: [Change] = []
    /// The number of the last change.
    private(set) var number = 0
    private var counter: Int64 = 1_000
    var changeLimit = 1_000

    init(_ model: MockModel) { self.model = model }

    func table(_ set: String) -> MockTable { tables[set] ?? MockTable() }
    func entity(_ set: String, _ key: String) -> MockEntity? { tables[set]?[key] }

    /// The text by which an entity of these values is found; nil if a part of its key is missing.
    func key(of values: JSONObject, in set: String) -> String? {
        let type = model.type(of: set)
        var parts: [String] = []
        for name in type.key {
            guard let value = values[name],
                let part = KeyPart.text(value, type: type.property(name)?.type ?? "Edm.String")
            else { return nil }
            parts.append(part)
        }
        return parts.joined(separator: "\u{1F}")
    }

    /// The predicate of an entity's key, such as `(7)` or `(OrderID=1,ItemID='a')`, not percent-encoded.
    func predicate(of values: JSONObject, in set: String, _ version: MockODataVersion) -> String {
        let type = model.type(of: set)
        let parts = type.key.map { name in
            KeyPart.literal(values[name] ?? .null, type: type.property(name)?.type ?? "", version)
        }
        guard parts.count > 1 else { return "(\(parts.first ?? ""))" }
        return "(" + zip(type.key, parts).map { "\($0)=\($1)" }.joined(separator: ",") + ")"
    }

    // MARK: - Changes

    mutating func save(_ entity: MockEntity, in set: String) {
        if tables[set]?[entity.key] == nil {
            tables[set, default: MockTable()].append(entity)
        } else {
            tables[set]?.replace(entity)
        }
        note(Change(number: 0, set: set, key: entity.key, kind: .saved))
    }

    mutating func remove(_ key: String, from set: String) {
        guard let entity = entity(set, key) else { return }
        tables[set]?.remove(key)
        links = links.filter { !($0.key.set == set && $0.key.key == key) }
        var identity = JSONObject()
        for name in model.type(of: set).key {
            identity[name] = entity.values[name]
        }
        note(Change(number: 0, set: set, key: key, kind: .deleted, identity: identity))
    }

    mutating func link(_ source: LinkSource, to key: String, of target: String) {
        guard links[source]?.contains(key) != true else { return }
        links[source, default: []].append(key)
        note(Change(number: 0, set: source.set, key: source.key, kind: .linked(source.name, set: target, key: key)))
    }

    mutating func unlink(_ source: LinkSource, from key: String, of target: String) {
        guard let index = links[source]?.firstIndex(of: key) else { return }
        links[source]?.remove(at: index)
        note(Change(number: 0, set: source.set, key: source.key, kind: .unlinked(source.name, set: target, key: key)))
    }

    private mutating func note(_ change: Change) {
        number += 1
        var change = change
        change.number = number
        changes.append(change)
        if changes.count > changeLimit * 2 {
            changes.removeFirst(changes.count - changeLimit)
        }
    }

    /// The changes after a number; nil if they are not kept any more.
    func changes(after known: Int) -> [Change]? {
        guard known >= number - changeLimit, known <= number else { return nil }
        return changes.filter { $0.number > known }
    }

    /// A number for a key that the service makes.
    mutating func nextNumber(in set: String) -> Int64 {
        repeat {
            counter += 1
        } while entity(set, String(counter)) != nil
        return counter
    }

    // MARK: - Relations

    /// The entities that a navigation property leads to.
    func related(_ entity: MockEntity, in set: String, by navigation: MockNavigation) -> (set: String, [MockEntity]) {
        guard let target = model.target(of: navigation, in: set) else { return ("", []) }
        guard !navigation.pairs.isEmpty else {
            let keys = links[LinkSource(set: set, key: entity.key, name: navigation.name)] ?? []
            return (target, keys.compactMap { self.entity(target, $0) })
        }
        let wanted = navigation.pairs.map { (name: $0.foreign, value: entity.values[$0.local] ?? .null) }
        guard !wanted.contains(where: { $0.value.isNull }) else { return (target, []) }
        let key = model.type(of: target).key
        if wanted.map(\.name) == key {
            let found = self.key(of: JSONObject(wanted.map { ($0.name, $0.value) }), in: target)
            return (target, [found.flatMap { self.entity(target, $0) }].compactMap(\.self))
        }
        return (
            target, table(target).entities.filter { other in wanted.allSatisfy { other.values[$0.name] == $0.value } }
        )
    }
}
