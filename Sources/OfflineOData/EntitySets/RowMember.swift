import JSONText
import LocalChanges
import Soups

/// The members of a row that offline OData adds to the properties of the entity.
enum RowMember {
    /// The key of the entity as text.
    static let key = "__key__"
    /// What the service says about the entity: ETag, links, type.
    static let control = "__odata__"
    /// Both versions of an entity that was changed here and on the service.
    static let conflict = "__conflict__"

    /// Whether a payload must not bring a member of this name.
    static func isForbidden(_ name: String) -> Bool {
        let bytes = name.utf8
        guard bytes.first == UInt8(ascii: "_") else { return false }
        return name == key || name == control || name == conflict || bytes.starts(with: "_soup".utf8)
            || bytes.starts(with: "__local".utf8) || bytes.starts(with: "__sync".utf8)
            || bytes.starts(with: "__last".utf8)
    }
}

extension String {
    /// Whether a member binds a link with the next change of its row: `Name@odata.bind`, or `Name@bind` as in version
    /// 4.01.
    var isBinding: Bool {
        let annotation = utf8.drop { $0 != UInt8(ascii: "@") }
        let isNamed = annotation.count < utf8.count
        return isNamed && (annotation.elementsEqual("@odata.bind".utf8) || annotation.elementsEqual("@bind".utf8))
    }

    /// Whether a member says something about the entity or a property of it, and is not sent.
    var isAnnotation: Bool { utf8.contains(UInt8(ascii: "@")) && !isBinding }

    /// The navigation property of a member that binds a link.
    var boundNavigation: String { String(decoding: utf8.prefix { $0 != UInt8(ascii: "@") }, as: UTF8.self) }
}

extension JSONObject {
    /// The key text of a row; empty for a row that has none.
    var keyText: String { self[RowMember.key]?.string ?? "" }
    /// What the service says about the entity of a row.
    var control: JSONObject { self[RowMember.control]?.object ?? JSONObject() }
    /// The ETag of the entity of a row.
    var etag: String? { control["etag"]?.string }
    /// Whether the row may lack properties of its entity.
    var isPartial: Bool { control["partial"]?.bool ?? false }
    /// The names of the properties that a request has sent whose answer was lost: the service may have them. Empty
    /// without such a request.
    var unansweredNames: [String] { (control["sent"]?.array ?? []).compactMap(\.string) }
    /// Whether the answer to a request with the row was lost, and the row is not held.
    var wasSent: Bool { control["sent"] != nil }
    /// Whether a full load has not met the entity of the row. A clean row would have been removed.
    var isUnmet: Bool { control["unmet"]?.bool ?? false }
    /// The row with a note that a full load has not met its entity.
    var markedUnmet: JSONObject { with(control: control.merging(["unmet": true])) }
    /// Control information of a row whose requests are all answered, and whose entity was met.
    var withoutUnanswered: JSONObject { removing { $0 == "sent" || $0 == "unmet" } }
    /// Control information of a row whose entity was met.
    var withoutUnmet: JSONObject { removing { $0 == "unmet" } }
    /// Whether the row's own entity was deleted by a push, while others that match the row are still to be deleted.
    var isGone: Bool { control["gone"]?.bool ?? false }
    /// Control information that also says so.
    var markedGone: JSONObject { merging(["gone": true]) }

    /// The row with other control information; without it if that is empty.
    func with(control: JSONObject) -> JSONObject {
        var row = self
        row[RowMember.control] = control.isEmpty ? nil : .object(control)
        return row
    }

    /// The row with another ETag.
    func with(etag: String?) -> JSONObject {
        var control = control
        if let etag {
            guard self.etag != etag else { return self }
            control = JSONObject([("etag", .string(etag))]).merging(
                control.removing { $0 == "etag" || $0 == "stale" })
        } else {
            control["etag"] = nil
        }
        return with(control: control)
    }

    /// The row with properties that a request has sent whose answer was lost.
    func addingUnanswered(_ names: [String]) -> JSONObject {
        let known = unansweredNames
        let knownKeys = Set(known.map { ByteKey($0) })
        let new = names.filter { !knownKeys.contains(ByteKey($0)) }
        return with(control: control.merging(["sent": .array((known + new).map(JSONValue.string))]))
    }

    /// Control information with what came later put in. With an ETag the one that was not known is known again.
    func addingControl(_ later: JSONObject) -> JSONObject {
        (later["etag"] == nil ? self : removing { $0 == "stale" }).merging(later)
    }

    /// The members that are properties of the entity, in the order of the row.
    func properties(of set: MappedEntitySet) -> JSONObject {
        let expanded = expandedNames
        let type = control["type"]?.string
        return removing {
            RowMember.isForbidden($0) || ReservedField.isReserved($0) || set.isLocalOnly($0)
                || expanded.contains(ByteKey($0)) || set.hasNavigation($0, ofType: type)
        }
    }

    /// The members that are expanded entities.
    func expansions(of set: MappedEntitySet) -> JSONObject {
        let expanded = expandedNames
        let type = control["type"]?.string
        let found = members.filter { expanded.contains(ByteKey($0.name)) || set.hasNavigation($0.name, ofType: type) }
        return JSONObject(found.map { ($0.name, $0.value) })
    }

    /// The names of members that came as expanded entities, where no metadata tells them from properties.
    var expandedNames: Set<ByteKey> {
        Set((control["expanded"]?.array ?? []).compactMap { $0.string.map { ByteKey($0) } })
    }
}

extension JSONObject {
    /// The row with members that only rows have. A new one is put where `RowForm` writes it, before the key, so that
    /// the row is not taken for a changed one when its entity is loaded again.
    func settingLocal(_ local: JSONObject) -> JSONObject {
        let known = Set(names.map { ByteKey($0) })
        let isNew = { (name: String) in !known.contains(ByteKey(name)) }
        var members = merging(local.removing(where: isNew)).members.map { ($0.name, $0.value) }
        let position = members.firstIndex { ByteKey($0.0) == ByteKey(RowMember.key) } ?? members.count
        members.insert(contentsOf: local.removing { !isNew($0) }.members.map { ($0.name, $0.value) }, at: position)
        return JSONObject(members)
    }

    /// The row with the properties of its whole entity that it lacks; unchanged if nothing is known of that.
    func completed(by whole: JSONObject) -> JSONObject {
        guard !whole.isEmpty else { return self }
        let known = Set(names.map { ByteKey($0) })
        return settingLocal(whole.removing { known.contains(ByteKey($0)) })
            .with(control: control.removing { $0 == "partial" })
    }
}
