import JSONText
import LocalChanges
import OData
import Soups

/// A row with local changes, next to the version that they started from.
struct ChangedRow {
    let form: RowForm
    /// The row as it is.
    let row: JSONObject
    /// The version that its changes started from, with its key and control information; nil for a row that was created
    /// here.
    let base: JSONObject?
    /// The properties of the row.
    let mine: JSONObject
    /// The properties of the version that its changes started from.
    let baseProperties: JSONObject
    /// The names of the properties that were changed here.
    let changedNames: [String]
    private let reading: EntityReading

    init(form: RowForm, row: JSONObject, base: JSONObject?, reading: EntityReading) {
        self.form = form
        self.reading = reading
        self.row = row
        self.base = base
        mine = row.properties(of: form.set)
        baseProperties = base?.properties(of: form.set) ?? JSONObject()
        changedNames =
            base == nil
            ? mine.names.filter { !$0.isAnnotation }
            : Self.changedNames(form.changes(from: baseProperties, to: mine), mine, row)
    }

    /// Changed names with those of properties that were changed back while the service may have the change.
    private static func changedNames(_ names: [String], _ mine: JSONObject, _ row: JSONObject) -> [String] {
        let changed = Set(names.map { ByteKey($0) })
        return names + row.unansweredNames.filter { mine[$0] != nil && !changed.contains(ByteKey($0)) }
    }

    var set: MappedEntitySet { form.set }
    var flags: LocalFlags { LocalFlags(of: row) }

    /// The references that the caller binds, in place of their foreign keys.
    var boundReferences: [EntityReference] {
        let bound = Set(row.names.filter(\.isBinding).map { ByteKey($0.boundNavigation) })
        return set.references.filter { reference in
            reference.navigation.map { bound.contains(ByteKey($0)) } ?? false
        }
    }

    /// The names of the properties that a push would send.
    var sentNames: [String] {
        let mine = mine
        // A link always leads to an entity.
        func isSent(_ name: String, isInsert: Bool) -> Bool {
            !set.isReadOnly(name, isInsert: isInsert)
                || set.isLinked(name) && mine[name]?.isNull == false
        }
        let changed = changedNames.filter { isSent($0, isInsert: flags.isCreated) }
        guard set.settings.replaces, base != nil, !changed.isEmpty else {
            return changed
        }
        return mine.names.filter {
            isSent($0, isInsert: false) && !set.isKey($0) && !$0.isAnnotation
        }
    }

    /// Whether an update that replaces the whole entity would take away properties which were not loaded.
    var isIncomplete: Bool {
        guard set.settings.replaces, row.control["partial"]?.bool == true else { return false }
        guard let type = set.entityType, let declared = set.members(ofType: type) else { return true }
        return declared.properties.contains { name in
            row[name] == nil && !set.isReadOnly(name, isInsert: false) && !set.isKey(name)
        }
    }

    /// The version of the service with what was changed here put in.
    func mineOver(_ theirs: JSONObject) -> JSONObject {
        var result = theirs
        let values = Dictionary(mine.members.map { (ByteKey($0.name), $0.value) }) { first, _ in first }
        for name in changedNames where !set.isKey(name) {
            result[name] = values[ByteKey(name)] ?? .null
        }
        return result
    }

    /// The paths of the properties that were changed on both sides, to different values. A link that is bound here
    /// counts as its foreign key, also if it leads where the base does: it is sent all the same.
    func conflicts(with theirs: JSONObject) -> [String] {
        let mine = links.asForeignKeys(mine)
        return changedNames.flatMap { links.foreignKey(of: $0) ?? [$0] }.filter { path in
            !isSame(baseProperties, theirs, at: path) && !isSame(mine, theirs, at: path)
        }
    }

    /// Whether the service has given a value to a property that was set here too and that the version before did not
    /// have. Absent counts as null, unless that version was not loaded whole.
    func isSetThereToo(in theirs: JSONObject) -> Bool {
        guard let base, base.control["partial"]?.bool != true, !flags.isDeleted else { return false }
        return changedNames.contains { name in
            baseProperties[name] == nil && !name.isAnnotation && theirs[name].map { !$0.isNull } ?? false
        }
    }

    /// Whether the service has what a change sends: the values of named properties, and the links that are bound.
    func isThere(_ properties: JSONObject, at names: [String], in theirs: JSONObject) -> Bool {
        let sent = links.asForeignKeys(properties)
        return names.allSatisfy { name in
            guard sent[name] == nil, let foreignKey = links.foreignKey(of: name) else {
                return isSame(sent, theirs, at: name)
            }
            return foreignKey.allSatisfy { isSame(sent, theirs, at: $0) }
        }
    }

    private func isSame(_ a: JSONObject, _ b: JSONObject, at path: String) -> Bool {
        form.types.areSame(a.value(at: path), b.value(at: path), named: path)
    }

    private var links: BoundLinks { BoundLinks(set: set, reading: reading) }
}
