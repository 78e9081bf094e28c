import OData

/// Where the next page of a query begins.
struct QueryPosition: Sendable {
    /// The rows that `$skip` still passes over, in the order of the ids.
    var toSkip: Int64
    /// The rows that `$top` still allows; nil without it.
    var remaining: Int64?
    /// The rows passed over or shown so far.
    var passed: Int64
    /// The id of the last row shown, in the order of the ids.
    var lastId: Int64 = .min
    /// The ids that a sort found, without those that `$skip` passes over; nil in the order of the ids.
    var sorted: ArraySlice<Int64>?
    /// The results of `$apply` that were not shown yet; nil before they are made, and without `$apply`.
    var applied: ArraySlice<[UInt8]>?
    var isFirst = true
    var hasMore = true

    init(_ options: PreparedOptions) {
        toSkip = options.skip
        passed = options.skip
        remaining = options.top
    }

    var nextSkip: Int64? { hasMore ? passed : nil }

    /// Moves past rows that were shown. More can follow only as long as `$top` allows it.
    mutating func move(past shown: Int, more: Bool) {
        toSkip = 0
        passed = passed.addingReportingOverflow(Int64(shown)).partialValue
        remaining = remaining.map { $0 - Int64(shown) }
        hasMore = more && remaining != 0
        isFirst = false
    }
}
