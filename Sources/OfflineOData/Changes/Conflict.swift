public import JSONText
import LocalChanges
import Soups

/// Both versions of an entity that was changed here and on the service.
public struct Conflict: Sendable {
    /// What happened on the service.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The entity was changed there.
        case changedThere
        /// The entity was deleted there.
        case deletedThere
        /// An entity with the key of a new one is there.
        case existsThere
    }

    /// A decision about a conflict.
    public enum Resolution: Sendable {
        /// What was changed here is put into the version of the service.
        case mine
        /// The version of the service.
        case theirs
        /// Properties that the app has merged from both versions.
        case merged(JSONObject)
        /// Both versions are kept until the app decides.
        case keep
    }

    /// The entity set.
    public let entitySet: String
    /// The id of the row.
    public let entryId: Int64
    /// The key of the entity as text.
    public let key: String
    /// What happened on the service.
    public let kind: Kind
    /// The version that both started from; nil for an entity that was created here.
    public let base: JSONObject?
    /// The properties of the row.
    public let mine: JSONObject
    /// The properties of the entity on the service; nil if it is gone.
    public let theirs: JSONObject?
    /// The ETag of that version.
    public let etag: String?
    /// The names of the properties that the service has changed.
    public let changed: [String]
    /// When it was found, in milliseconds since 1970.
    public let at: Int64
}

/// A conflict as a row keeps it in `__conflict__`.
struct KeptConflict {
    var kind: Conflict.Kind
    var theirs: JSONObject?
    /// What the service says about its version.
    var control: JSONObject
    var changed: [String]
    var at: Int64

    init(_ kind: Conflict.Kind, theirs: JSONObject?, control: JSONObject, changed: [String], at: Int64) {
        self.kind = kind
        self.theirs = theirs
        self.control = control
        self.changed = changed
        self.at = at
    }

    /// The conflict of a row; nil if it has none.
    init?(of row: JSONObject) {
        guard let stored = row[RowMember.conflict]?.object,
            let kind = stored["kind"]?.string.flatMap(Conflict.Kind.init(rawValue:))
        else { return nil }
        self.kind = kind
        theirs = stored["theirs"]?.object
        control = stored["control"]?.object ?? JSONObject()
        if let etag = stored["etag"], !etag.isNull {
            control = JSONObject([("etag", etag)]).merging(control)
        }
        changed = (stored["changed"]?.array ?? []).compactMap(\.string)
        at = stored["at"]?.int64 ?? 0
    }

    var etag: String? { control["etag"]?.string }

    var json: JSONObject {
        var json = JSONObject([
            ("kind", .string(kind.rawValue)), ("theirs", theirs.map(JSONValue.object) ?? .null),
            ("etag", etag.map(JSONValue.string) ?? .null), ("changed", .array(changed.map(JSONValue.string))),
            ("at", .number(JSONNumber(at))),
        ])
        let rest = control.removing { $0 == "etag" || $0 == "partial" }
        if !rest.isEmpty {
            json["control"] = .object(rest)
        }
        return json
    }
}
