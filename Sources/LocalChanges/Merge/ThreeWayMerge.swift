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
/// Values are compared as JSON values: 1 equals 1.0, and the order of members does not matter. null and a missing
/// member are the same. A merge is a pure function; it takes time linear in the size of the three records.
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
        var table = FieldTable(fields, capacity: base.count)
        let old = versions(base, &table)
        let server = versions(theirs ?? JSONObject(), &table)
        let local = versions(yours, &table)
        let comparison = Comparison(of: table.names, base: old, theirs: server, yours: local)
        let changes = comparison.changes(table.names)
        let isAllowed =
            switch mode {
            case .overwrite, .acceptYours: true
            case .failIfConflict: changes.conflicting.isEmpty
            case .failIfChanged: changes.remote.isEmpty
            }
        guard theirs != nil, isAllowed else {
            return .conflict(ConflictReport(base: base, theirs: theirs, yours: yours, changes: changes))
        }
        return .merged(local.replacing(comparison.accepted, with: server, table.names), changes)
    }

    private func versions(_ record: JSONObject, _ table: inout FieldTable) -> RecordFields {
        RecordFields(record, &table, emptyIsNull: emptyIsNull)
    }
}

extension ThreeWayMerge {
    /// The numbers of the fields that differ.
    private struct Comparison {
        var remote: [Int] = []
        var local: [Int] = []
        var conflicting: [Int] = []
        /// The fields that changed only on the server.
        var accepted: [Int] = []

        init(of names: [String], base: RecordFields, theirs: RecordFields, yours: RecordFields) {
            for (number, name) in names.enumerated() {
                let (old, server) = (base.value(number, name), theirs.value(number, name))
                let own = yours.value(number, name)
                let isRemote = old != server
                let isLocal = old != own
                let isConflicting = isRemote && isLocal && server != own
                if isRemote {
                    remote.append(number)
                }
                if isLocal {
                    local.append(number)
                }
                if isConflicting {
                    conflicting.append(number)
                } else if isRemote {
                    accepted.append(number)
                }
            }
        }

        func changes(_ names: [String]) -> MergeChanges {
            var changes = MergeChanges()
            changes.remote = remote.map { names[$0] }
            changes.local = local.map { names[$0] }
            changes.conflicting = conflicting.map { names[$0] }
            return changes
        }
    }
}
