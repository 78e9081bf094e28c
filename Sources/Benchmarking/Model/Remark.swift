/// Names what a sample says about a block or an arm that is not a quantity of the work. It is never judged like a
/// metric.
///
/// The raw values are those of the column `metric` in samples.csv.
package enum Remark: String, Sendable, Hashable, CaseIterable {
    /// The arm cannot do the work; the sample's note says why.
    case unsupported
    /// The arm's work failed; the sample's note says why.
    case failed
    /// 1 if the documents' marker was found in the arm's files, 0 if not.
    case marker = "marker_found"
    /// How SQLite answered the statements of the work; the sample's note holds the plans.
    case queryPlan = "query_plan"
    /// The peak growth of the worker's memory, when the arm was closed (bytes).
    case workerMemory = "worker_memory"
    /// How long the whole block took, with preparing and checking; it belongs to no arm.
    ///
    /// It is the last sample of its block and says that the block is complete.
    case blockTime = "block_time"

    package var unit: String {
        switch self {
        case .blockTime: "ns"
        case .workerMemory: "bytes"
        case .unsupported, .failed, .marker, .queryPlan: "count"
        }
    }
}

extension Sample {
    /// What a sample holds: a quantity of the work, or a remark.
    package enum Content: Sendable, Hashable {
        case metric(Metric)
        case remark(Remark)

        /// Reads a name of the column `metric`.
        init(name: String) { self = Remark(rawValue: name).map { .remark($0) } ?? .metric(Metric(name)) }

        var name: String {
            switch self {
            case .metric(let metric): metric.name
            case .remark(let remark): remark.rawValue
            }
        }

        var unit: String {
            switch self {
            case .metric(let metric): metric.unit
            case .remark(let remark): remark.unit
            }
        }

        /// The values that a sample can have: a time is not negative, the difference of two counts can be.
        var possibleValues: ClosedRange<Int> { (unit == "ns" ? 0 : -Sample.limit)...Sample.limit }
    }

    /// The quantity that was measured; nil for a remark.
    package var metric: Metric? {
        if case .metric(let metric) = content {
            metric
        } else {
            nil
        }
    }

    /// What the sample says about its block or arm; nil for a quantity.
    package var remark: Remark? {
        if case .remark(let remark) = content {
            remark
        } else {
            nil
        }
    }
}
