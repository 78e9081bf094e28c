public import JSONText
import Soups

/// Merges a record that was changed both locally and on the server, field by field.
///
/// ```swift
/// let merge = ThreeWayMerge(fields: ["Name", "Industry"])
/// let outcome = merge.outcome(
///     base: JSONObject([("Name", "Acme"), ("Industry", "Software")]),
///     theirs: JSONObject([("Name", "Acme"), ("Industry", "Electronics")]),
///     yours: JSONObject([("Name", "Acme2"), ("Industry", "Software")]), mode: .failIfConflict)
/// guard case .merged(let record, let changes) = outcome else { return }
/// // The record is Acme2 in Electronics; changes.remote is ["Industry"], changes.local ["Name"].
/// ```
///
/// Values are compared as JSON values: 1 equals 1.0, and the order of members does not matter. null and a missing member are the
/// same. A merge is a pure function; it takes time linear in the size of the three records.
public struct ThreeWayMerge: Sendable {
    /// The fields that are compared and merged; nil for the members of all three records, in this order, without
    /// reserved fields and `attributes`. A dotted name is a path where a record has no member of that name.
    public var fields: [String]?
    /// Whether an empty text is the same as null.
    public var emptyIsNull: Bool

    /// Creates a merge of these fields.
    public init(fields: [String]? = nil, emptyIsNull: Bool = false) {
        self.fields = fields
        self.emptyIsNull = emptyIsNull
    }

    /// Merges the versions of a record.
    ///
    /// Without a base nothing can be compared, and yours is taken as `overwrite` takes it.
    ///
    /// - Parameters:
    ///   - base: The version that both sides started from; nil if it is not known.
    ///   - theirs: The version of the server; nil if the record is gone there, which is a conflict in every mode but
    ///     `overwrite`.
    ///   - yours: The local version.
    public func outcome(
        base: JSONObject?, theirs: JSONObject?, yours: JSONObject, mode: MergeMode
    ) -> MergeOutcome {
        guard let base, mode != .overwrite else {
            return .merged(yours, MergeChanges())
        }
        let fields = fields ?? Self.fields(of: [base, theirs ?? JSONObject(), yours])
        let server = values(of: theirs ?? JSONObject())
        let changes = changes(of: fields, base: values(of: base), theirs: server, yours: values(of: yours))
        let isAllowed =
            switch mode {
            case .overwrite, .acceptYours: true
            case .failIfConflict: changes.conflicting.isEmpty
            case .failIfChanged: changes.remote.isEmpty
            }
        guard theirs != nil, isAllowed else {
            return .conflict(ConflictReport(base: base, theirs: theirs, yours: yours, changes: changes))
        }
        let conflicting = Set(changes.conflicting.map { ByteKey($0) })
        let accepted = changes.remote.filter { !conflicting.contains(ByteKey($0)) }
        return .merged(yours.replacing(accepted, with: server), changes)
    }

    private func values(of record: JSONObject) -> FieldValues {
        FieldValues(record, emptyIsNull: emptyIsNull, readsPaths: fields != nil)
    }

    private func changes(
        of fields: [String], base: FieldValues, theirs: FieldValues, yours: FieldValues
    ) -> MergeChanges {
        var changes = MergeChanges()
        var seen: Set<ByteKey> = Set(minimumCapacity: fields.count)
        for name in fields {
            let key = ByteKey(name)
            guard seen.insert(key).inserted else { continue }
            let (old, server, local) = (base[name, key], theirs[name, key], yours[name, key])
            let isRemote = old != server
            let isLocal = old != local
            if isRemote {
                changes.remote.append(name)
            }
            if isLocal {
                changes.local.append(name)
            }
            if isRemote, isLocal, server != local {
                changes.conflicting.append(name)
            }
        }
        return changes
    }

    /// The members of all records, each once.
    private static func fields(of records: [JSONObject]) -> [String] {
        records.flatMap(\.names).filter { ReservedField.isField($0) }
    }
}

extension JSONObject {
    /// The object with these fields of another record: replaced in place, appended, or removed where it has none.
    fileprivate func replacing(_ names: [String], with values: FieldValues) -> JSONObject {
        let paths = names.filter { values.isPath($0) && self[$0] == nil }
        let missing = Set(names.map { ByteKey($0) }).subtracting(paths.map { ByteKey($0) })
        let result = replacing(names, missing, with: values)
        return paths.reduce(result) { $0.setting(values.field($1, ByteKey($1)), at: $1) }
    }

    private func replacing(_ names: [String], _ replaced: Set<ByteKey>, with values: FieldValues) -> JSONObject {
        var missing = replaced
        var result: [(String, JSONValue)] = []
        result.reserveCapacity(members.count + names.count)
        for (name, value) in members {
            let key = ByteKey(name)
            guard replaced.contains(key) else {
                result.append((name, value))
                continue
            }
            if missing.remove(key) != nil, let value = values.field(name, key) {
                result.append((name, value))
            }
        }
        for name in names {
            let key = ByteKey(name)
            if missing.contains(key), let value = values.field(name, key) {
                result.append((name, value))
            }
        }
        return JSONObject(result)
    }
}
