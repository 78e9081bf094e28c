public import LocalChanges
public import Soups

/// Says that a record was not sent, because it was changed on the service too and the mode does not allow to merge.
/// Nothing was sent or stored.
public struct MergeConflict: Error, Sendable {
    /// The three versions of the record, and what changed where.
    public let report: ConflictReport

    /// The fault of this error: code `conflict`, and nothing of the record.
    public var fault: Fault {
        report.theirs == nil
            ? Fault(.conflict, "the record was changed locally and is gone on the service")
            : Fault(
                .conflict,
                "the record was changed on the service too; merge the versions of the report, and send it again")
    }
}
