/// The results of a run, as CSV for programs and as text for people.
public struct ConformanceReport: Sendable {
    public let results: [CaseResult]

    public init(_ results: [CaseResult]) { self.results = results }

    /// The names of the back ends, in order of appearance.
    public var backEnds: [String] {
        var names: [String] = []
        for result in results where !names.contains(result.backEnd) {
            names.append(result.backEnd)
        }
        return names
    }

    public var isRed: Bool { results.contains { $0.status.isRed } }

    /// A line for each area and back end, in order of appearance, with the number of cases of each status.
    public var summaryLines: [String] {
        struct Line {
            let area: String, backEnd: String
            var counts: [CaseStatus: Int]
        }
        var lines: [Line] = []
        for result in results {
            let index = lines.firstIndex { $0.area == result.area && $0.backEnd == result.backEnd }
            if let index {
                lines[index].counts[result.status, default: 0] += 1
            } else {
                lines.append(Line(area: result.area, backEnd: result.backEnd, counts: [result.status: 1]))
            }
        }
        let width = lines.map(\.area.count).max() ?? 0
        let backEndWidth = lines.map(\.backEnd.count).max() ?? 0
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return lines.map { line in
            padded(line.area, width) + "  " + padded(line.backEnd, backEndWidth) + "  " + Self.counts(line.counts)
        }
    }

    /// One line for a back end as a whole: cases, statuses, time.
    public func totalLine(backEnd: String) -> String {
        var counts: [CaseStatus: Int] = [:]
        var milliseconds = 0.0
        for result in results where result.backEnd == backEnd {
            counts[result.status, default: 0] += 1
            milliseconds += result.milliseconds
        }
        return
            "\(backEnd): \(counts.values.reduce(0, +)) cases in \(Self.decimal(milliseconds / 1000)) s: \(Self.counts(counts))"
    }

    /// The failed cases, as text for people.
    public var redLines: [String] {
        results.filter(\.status.isRed).map { "\($0.status.rawValue) \($0.id) on \($0.backEnd): \($0.detail)" }
    }

    /// The reasons for skipped cases with the number of cases, so that skips are visible.
    public var skipLines: [String] {
        struct Reason {
            let backEnd: String, detail: String
            var count: Int
        }
        var reasons: [Reason] = []
        for result in results where result.status == .skip {
            let index = reasons.firstIndex { $0.backEnd == result.backEnd && $0.detail == result.detail }
            if let index {
                reasons[index].count += 1
            } else {
                reasons.append(Reason(backEnd: result.backEnd, detail: result.detail, count: 1))
            }
        }
        return reasons.map { "skipped on \($0.backEnd): \($0.count) cases: \($0.detail)" }
    }

    private static func counts(_ counts: [CaseStatus: Int]) -> String {
        CaseStatus.allCases.compactMap { status in counts[status].map { "\(status.rawValue) \($0)" } }.joined(
            separator: ", ")
    }

    static func decimal(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100)." + (fraction < 10 ? "0" : "") + "\(fraction)"
    }
}
