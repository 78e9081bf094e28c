import Soups

/// Identifies the control: the cell whose work touches no storage, so that all its ratios are 1 on a machine that is
/// fit to measure.
///
/// Cells, rows and samples are recognised by their workload, because stored reports have nothing else.
package enum Control {
    package static let workload = "control"

    /// Returns whether a cell, a row or a sample of this workload belongs to the control.
    static func isControl(_ workload: String) -> Bool { ByteKey(workload) == ByteKey(Self.workload) }
}

extension SummaryRow {
    /// Whether the row belongs to the control.
    var isControl: Bool { Control.isControl(workload) }
}

extension Sample {
    /// Whether the sample belongs to the control.
    var isControl: Bool { Control.isControl(workload) }
}
