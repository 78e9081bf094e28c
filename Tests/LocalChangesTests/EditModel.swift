import JSONText
import LocalChanges

/// What local edits do, said once more over values in memory, without a store.
struct EditModel {
    struct Row {
        var fields: [String: Int]
        var isCreated = false
        var isUpdated = false
        var isDeleted = false
        /// The fields before the first local change; nil while there is none.
        var original: [String: Int]?
        var isDirty: Bool { isCreated || isUpdated || isDeleted }
    }

    private(set) var rows: [Int64: Row] = [:]

    mutating func add(_ id: Int64, _ fields: [String: Int], isCreated: Bool) {
        rows[id] = Row(fields: fields, isCreated: isCreated)
    }

    /// Returns whether the edit is allowed.
    mutating func update(_ id: Int64, _ changes: [String: Int]) -> Bool {
        guard var row = rows[id], !row.isDeleted else { return false }
        guard changes.contains(where: { row.fields[$0.key] != $0.value }) else { return true }
        if !row.isDirty {
            row.original = row.fields
        }
        row.fields.merge(changes) { $1 }
        row.isUpdated = !row.isCreated
        rows[id] = row
        return true
    }

    mutating func delete(_ id: Int64) -> Bool {
        guard var row = rows[id] else { return false }
        guard !row.isCreated else {
            rows[id] = nil
            return true
        }
        if !row.isDirty {
            row.original = row.fields
        }
        row.isDeleted = true
        rows[id] = row
        return true
    }

    mutating func undelete(_ id: Int64) -> Bool {
        guard var row = rows[id] else { return false }
        row.isDeleted = false
        if !row.isDirty {
            row.original = nil
        }
        rows[id] = row
        return true
    }

    mutating func discard(_ id: Int64) -> Bool {
        guard let row = rows[id] else { return false }
        if row.isCreated {
            rows[id] = nil
        } else if let original = row.original {
            rows[id] = Row(fields: original)
        }
        return true
    }

    var pending: [Int64] { rows.filter(\.value.isDirty).keys.sorted() }
}
