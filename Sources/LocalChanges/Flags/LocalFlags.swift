public import JSONText

/// The flags of local changes of one row.
public struct LocalFlags: Sendable, Hashable {
    /// What a service has to do so that it has the local changes too.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// Create the record.
        case create
        /// Update the record.
        case update
        /// Delete the record.
        case delete
    }

    /// Whether the row was changed locally in any way.
    public var isLocal = false
    /// Whether the row was created locally.
    public var isCreated = false
    /// Whether the row was updated locally.
    public var isUpdated = false
    /// Whether the row was deleted locally.
    public var isDeleted = false

    /// The flags of a row without local changes.
    public init() {}

    /// Reads the flags of a row. A member that is missing, or anything but `true`, is false.
    public init(of row: JSONObject) {
        isLocal = row[ReservedField.local]?.bool ?? false
        isCreated = row[ReservedField.locallyCreated]?.bool ?? false
        isUpdated = row[ReservedField.locallyUpdated]?.bool ?? false
        isDeleted = row[ReservedField.locallyDeleted]?.bool ?? false
    }

    /// Whether any of the flags is set.
    public var isDirty: Bool { isLocal || isCreated || isUpdated || isDeleted }

    /// The operation for a service. When several flags are set, a deletion comes before a creation, and that before an
    /// update. Nil for a clean row, and for one that only says that it was changed.
    public var operation: Operation? {
        if isDeleted { return .delete }
        if isCreated { return .create }
        return isUpdated ? .update : nil
    }

    /// Writes the four flags into a row. `__local__` is true if any of them is.
    public func write(to row: inout JSONObject) {
        row[ReservedField.local] = .bool(isDirty)
        row[ReservedField.locallyCreated] = .bool(isCreated)
        row[ReservedField.locallyUpdated] = .bool(isUpdated)
        row[ReservedField.locallyDeleted] = .bool(isDeleted)
    }
}
