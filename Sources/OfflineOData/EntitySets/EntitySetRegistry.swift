import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Keeps in the store how its soups were mapped: the soup `odata_sets`.
struct EntitySetRegistry: Sendable {
    static let soupName = "odata_sets"
    private let store: SmartStore
    private let rows: SoupRows

    init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// Registers the soups of a map and notes how they are mapped. One transaction of the caller.
    ///
    /// - Throws: `pathNotIndexed` for an existing soup without an index on the key text; as `registerSoup`.
    func register(_ map: EntitySetMap) throws(Fault) {
        try store.registerSoup(Self.soupName, indexSpecs: [.string("name")])
        for set in map.sets {
            try store.registerSoup(set.soup, indexSpecs: set.indexSpecs)
            let specs = try store.indexSpecs(ofSoup: set.soup)
            for path in [RowMember.key, ReservedField.local] {
                guard specs.contains(where: { $0.path == path && $0.type == .string }) else {
                    throw Fault(
                        .pathNotIndexed, "the soup of the entity set \(set.name) needs an index of type string",
                        context: [.soup(set.soup), .path(path)])
                }
            }
            try note(set, map.version)
        }
    }

    private func note(_ set: MappedEntitySet, _ version: ODataVersion) throws(Fault) {
        var row = try row(of: set.name) ?? JSONObject()
        let isNew = row.isEmpty
        let key = Self.names(set)
        let types = Self.types(set)
        let digest = JSONValue.string(Self.digest(of: set))
        let isSame =
            row["soup"] == .string(set.soup) && row["digest"] == digest && row["key"] == key
            && row["keyTypes"] == types && row["version"] == .string(version.rawValue)
        guard !isSame else { return }
        row["name"] = .string(set.name)
        row["set"] = .string(set.name)
        row["soup"] = .string(set.soup)
        row["entityType"] = set.entityType.map(JSONValue.string) ?? .null
        row["version"] = .string(version.rawValue)
        row["digest"] = digest
        // The rows have the former keys until the set is loaded again.
        if isNew {
            row["key"] = key
            row["keyTypes"] = types
        }
        if row["types"] == nil {
            row["types"] = .object(JSONObject())
        }
        _ = try rows.write(row)
    }

    /// Throws `metadataChanged` if the rows of a set have keys of another form.
    func requireKeys(of set: MappedEntitySet) throws(Fault) {
        guard try hasPresentKeys(set) else {
            throw Fault(
                .metadataChanged, "the key of the entity set \(set.name) is another one now; reload the set",
                context: [.soup(set.soup)])
        }
    }

    /// Whether the rows of a set have keys of the form that its metadata gives them. During a reload that gives them
    /// another form, they have keys of both.
    func hasPresentKeys(_ set: MappedEntitySet) throws(Fault) -> Bool {
        guard let row = try row(of: set.name) else { return true }
        return row["key"] == Self.names(set) && row["keyTypes"] == Self.types(set) && row["reload"] == nil
    }

    /// Notes that a reload begins which gives the rows of a set keys of another form.
    func beginReload(of set: MappedEntitySet) throws(Fault) {
        guard var row = try row(of: set.name) else { return }
        row["reload"] = [Self.names(set), Self.types(set)]
        _ = try rows.write(row)
    }

    /// Whether the reload that was begun last gives the rows of a set keys of the present form.
    func givesPresentKeys(_ set: MappedEntitySet) throws(Fault) -> Bool {
        guard let form = try row(of: set.name)?["reload"] else { return try hasPresentKeys(set) }
        return form == [Self.names(set), Self.types(set)]
    }

    private static func names(_ set: MappedEntitySet) -> JSONValue { .array(set.key.map(JSONValue.string)) }

    private static func types(_ set: MappedEntitySet) -> JSONValue {
        .array(set.keyTypes.map { $0.map(JSONValue.string) ?? .null })
    }

    /// The paths of the key that the rows of a set have until it is loaded again.
    func formerKey(of set: MappedEntitySet) throws(Fault) -> [String] {
        (try row(of: set.name)?["key"]?.array ?? []).compactMap(\.string)
    }

    /// Notes that the rows of a set have keys of the present form.
    func acceptKeys(of set: MappedEntitySet) throws(Fault) {
        guard var row = try row(of: set.name) else { return }
        row["key"] = Self.names(set)
        row["keyTypes"] = Self.types(set)
        row["reload"] = nil
        _ = try rows.write(row)
    }

    /// The types that payloads have stated for properties of a set.
    func types(of set: MappedEntitySet) throws(Fault) -> [String: String] {
        let members = try row(of: set.name)?["types"]?.object?.members ?? []
        return Dictionary(members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
    }

    /// Keeps types that are not known yet; the first one of a property wins.
    func keep(types: [(name: String, type: String)], of set: MappedEntitySet) throws(Fault) {
        guard var row = try row(of: set.name) else { return }
        var known = row["types"]?.object ?? JSONObject()
        let before = known.count
        for (name, type) in types where known[name] == nil {
            known[name] = .string(type)
        }
        guard known.count > before else { return }
        row["types"] = .object(known)
        _ = try rows.write(row)
    }

    private func row(of name: String) throws(Fault) -> JSONObject? {
        try rows.rows(where: "name", is: .text(name)).first
    }

    /// A number that changes with the properties of the type and their types.
    private static func digest(of set: MappedEntitySet) -> String {
        guard let model = set.model, let type = set.entityType else {
            return ""
        }
        let lines = model.properties(of: type).map { $0.name + ":" + $0.type.text }.sorted(by: EntitySetMap.isBefore)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in lines.joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
