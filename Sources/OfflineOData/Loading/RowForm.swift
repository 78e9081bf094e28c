import JSONText
import LocalChanges
import OData
import Soups

/// Makes rows of entities.
struct RowForm {
    let set: MappedEntitySet
    let types: StoredTypes

    init(_ set: MappedEntitySet, version: ODataVersion) {
        self.set = set
        types = StoredTypes(model: set.model, version: version, entityType: set.entityType)
    }

    /// A clean row of a whole entity. Properties that only the row has stay.
    func row(of entity: ArrivedEntity, over row: JSONObject?) -> JSONObject {
        clean(
            entity.properties, key: entity.key, control: entity.control, over: row, expansions: entity.expansions)
    }

    /// A clean row of an entity that came with some of its properties.
    ///
    /// - Parameter mayLackChanges: Whether the other properties may have changed too. Then the row keeps its ETag: a
    ///   change of it would be sent for a version that is not known here.
    func merged(_ entity: ArrivedEntity, into row: JSONObject?, mayLackChanges: Bool = false) -> JSONObject {
        let known = row?.properties(of: set) ?? JSONObject()
        let properties =
            known.hasSameNames(as: entity.properties) ? entity.properties : known.merging(entity.properties)
        var control = entity.control
        if let row {
            var later = entity.control
            if mayLackChanges, row.etag != nil, !entity.hasAll(of: known) {
                later["etag"] = nil
            }
            control = row.control.addingControl(later)
            if !lacksProperties(entity) {
                control["partial"] = nil
            }
        } else if lacksProperties(entity) {
            control["partial"] = true
        }
        let expansions = (row?.expansions(of: set) ?? JSONObject()).merging(entity.expansions)
        return clean(properties, key: entity.key, control: control, over: row, expansions: expansions)
    }

    /// A clean row of properties and control information.
    ///
    /// - Parameter expansions: The expanded entities of the row; nil for those that it has.
    func clean(
        _ properties: JSONObject, key: String, control: JSONObject, over row: JSONObject?,
        expansions: JSONObject? = nil
    ) -> JSONObject {
        let expansions = expansions ?? row?.expansions(of: set) ?? JSONObject()
        let control = self.control(control, expansions)
        var members = (properties.members + expansions.members).map { ($0.name, $0.value) }
        for (name, value) in row?.members ?? [] where set.isLocalOnly(name) && !ReservedField.isReserved(name) {
            members.append((name, value))
        }
        members.append((RowMember.key, .string(key)))
        for flag in ReservedField.flags {
            members.append((flag, false))
        }
        var result = JSONObject(members)
        if !control.isEmpty {
            result[RowMember.control] = .object(control)
        }
        if let id = row?["_soupEntryId"] {
            result["_soupEntryId"] = id
        }
        return result
    }

    /// Control information with the names of expanded entities that no metadata tells from properties.
    private func control(_ control: JSONObject, _ expansions: JSONObject) -> JSONObject {
        let type = control["type"]?.string
        let names = expansions.names.filter { !set.hasNavigation($0, ofType: type) }
        var control = control
        control["expanded"] = names.isEmpty ? nil : .array(names.map(JSONValue.string))
        return control
    }

    /// Whether an entity lacks properties that its type declares; true without a model.
    func lacksProperties(_ entity: ArrivedEntity) -> Bool {
        guard let declared = set.entityType else { return true }
        let members = set.members(ofType: entity.control["type"]?.string ?? declared)
        return members.map { !entity.properties.hasMembers($0.properties) } ?? true
    }

    /// Whether two versions have the same values at these names.
    func areSame(_ a: JSONObject, _ b: JSONObject, at names: [String]) -> Bool {
        names.allSatisfy { types.areSame(a[$0], b[$0], named: $0) }
    }

    /// The names at which a row differs from the version that its changes started from. A null is a change too where
    /// that version has no property: it may not have been loaded.
    func changes(from base: JSONObject, to row: JSONObject) -> [String] {
        let differing = differences(from: base, to: row)
        let known = Set((base.names + differing).map { ByteKey($0) })
        let nulls = row.members.filter { name, value in
            value.isNull && !name.isAnnotation && !known.contains(ByteKey(name))
        }
        return differing + nulls.map(\.name)
    }

    /// The names at which two versions differ: those of the newer one in its order, then those that only the older one
    /// has. Annotations are left out, but not links that the caller binds.
    func differences(from old: JSONObject, to new: JSONObject) -> [String] {
        if old.hasSameNames(as: new) {
            return zip(old.members, new.members).compactMap { before, after in
                let isSame = types.areSame(before.value, after.value, named: after.name)
                return isSame || after.name.isAnnotation ? nil : after.name
            }
        }
        let known = Set(new.names.map { ByteKey($0) })
        let names = new.names + old.names.filter { !known.contains(ByteKey($0)) }
        let before = Dictionary(old.members.map { (ByteKey($0.name), $0.value) }) { first, _ in first }
        let after = Dictionary(new.members.map { (ByteKey($0.name), $0.value) }) { first, _ in first }
        return names.filter { name in
            !name.isAnnotation && !types.areSame(before[ByteKey(name)], after[ByteKey(name)], named: name)
        }
    }
}

extension ArrivedEntity {
    /// Whether it came with all properties of an object.
    func hasAll(of properties: JSONObject) -> Bool { self.properties.hasMembers(properties.names) }
}

extension JSONObject {
    /// Whether two objects have members of the same names in the same order, as a row and the version that it came from
    /// usually have.
    fileprivate func hasSameNames(as other: JSONObject) -> Bool {
        members.elementsEqual(other.members) { ByteKey($0.name) == ByteKey($1.name) }
    }

    /// Whether the object has members of all these names. O(n) in the number of both.
    fileprivate func hasMembers(_ wanted: [String]) -> Bool {
        // They mostly come in this order, perhaps with others in between.
        var found = 0
        for member in members where found < wanted.count && ByteKey(member.name) == ByteKey(wanted[found]) {
            found += 1
        }
        guard found < wanted.count else { return true }
        let names = Set(names.map { ByteKey($0) })
        return wanted[found...].allSatisfy { names.contains(ByteKey($0)) }
    }
}
