import Soups

/// What one implementation does differently from another: the cases that ran on both with different results, and those
/// that ran on one only.
public struct RunComparison: Sendable {
    /// One case that differs.
    public struct Row: Sendable, Hashable {
        public let id: String
        public let area: String
        /// nil if the case is not in that run.
        public let first: CaseResult?
        public let second: CaseResult?
    }

    /// The cases that differ, in the order of the first run, then those of the second run only.
    public let rows: [Row]
    /// The number of cases with the same status and code in both runs.
    public let sameCount: Int

    /// Compares the results of two runs, each of one back end. Times and texts of details do not count. Of several rows
    /// of one case the last counts.
    public init(_ first: [CaseResult], _ second: [CaseResult]) {
        let (first, second) = (Self.lastRows(first), Self.lastRows(second))
        let seconds = Dictionary(second.map { (ByteKey($0.id), $0) }) { first, _ in first }
        let firstIDs = Set(first.map { ByteKey($0.id) })
        var rows: [Row] = []
        var same = 0
        for result in first {
            let other = seconds[ByteKey(result.id)]
            if let other, other.status == result.status, other.code == result.code {
                same += 1
            } else {
                rows.append(Row(id: result.id, area: result.area, first: result, second: other))
            }
        }
        for result in second where !firstIDs.contains(ByteKey(result.id)) {
            rows.append(Row(id: result.id, area: result.area, first: nil, second: result))
        }
        self.rows = rows
        sameCount = same
    }

    /// The last row of each case, in the order of the first ones.
    private static func lastRows(_ results: [CaseResult]) -> [CaseResult] {
        var positions: [ByteKey: Int] = [:]
        var rows: [CaseResult] = []
        for result in results {
            if let position = positions[ByteKey(result.id)] {
                rows[position] = result
            } else {
                positions[ByteKey(result.id)] = rows.count
                rows.append(result)
            }
        }
        return rows
    }
}
