package import Benchmarking
import Soups

/// What a run of the cells about settings says to someone who has to choose: the time of each kind of work relative to
/// that of the defaults, and which settings are worth it.
package struct SettingsAdvice {
    /// One setting on one back end.
    package struct Line {
        package let backEnd: Arm
        /// What differs from the defaults: `hmac=sha256;page=8192`.
        package let setting: String
        package var cold: SummaryRow?
        package var cached: SummaryRow?
        package var write: SummaryRow?

        package var outcome: Outcome {
            let rows = [cold, cached, write].compactMap { $0 }
            if rows.contains(where: { $0.verdict == .invalid }) {
                return .notValid
            }
            let gains = rows.contains { $0.verdict == .faster }
            let losses = rows.contains { $0.verdict == .slower }
            if losses {
                return gains ? .trade : .avoid
            }
            return gains ? .take : rows.contains { $0.verdict == .inconclusive } ? .unknown : .same
        }
    }

    /// What to do about a setting.
    package enum Outcome: String {
        /// Faster in some work beyond the margin, and slower in none.
        case take = "worth it"
        /// Faster in some work and slower in another.
        case trade = "faster here, slower there"
        case avoid = "slower"
        case same = "no difference that matters"
        /// Some interval is too wide.
        case unknown = "not decided: measure more pairs"
        case notValid = "not valid: see the report"
    }

    package private(set) var lines: [Line] = []

    /// Takes the rows that compare a setting with the defaults on one back end.
    package init(_ rows: [SummaryRow]) {
        for row in rows where row.arm.way == SettingsCells.way && row.baseArm == row.arm.backend && row.metric == .wall
        {
            guard let work = SettingsCells.Work(rawValue: row.workload) else { continue }
            let setting = Self.setting(row.parameters)
            let index = lines.firstIndex { $0.backEnd == row.arm.backend && ByteKey($0.setting) == ByteKey(setting) }
            let position = index ?? lines.count
            if index == nil {
                lines.append(Line(backEnd: row.arm.backend, setting: setting))
            }
            switch work {
            case .cold: lines[position].cold = row
            case .cached: lines[position].cached = row
            case .write: lines[position].write = row
            }
        }
    }

    /// The parameters that are not the defaults.
    private static func setting(_ parameters: String) -> String {
        let defaults: Set = ["cache=16", "hmac=sha512", "indexes=given", "page=4096"]
        return parameters.split(separator: ";").map(String.init).filter { part in
            !defaults.contains(part) && !part.hasPrefix("entries=") && !part.hasPrefix("corpus=")
        }.joined(separator: ";")
    }

    /// A table of ratios with their intervals, and a sentence for each back end.
    package var text: String {
        guard !lines.isEmpty else {
            return "no setting was compared with the defaults: see the report\n"
        }
        var table = TextTable([
            ("setting", .left), ("back end", .left), ("cold reads", .right), ("cached reads", .right),
            ("writes", .right), ("", .left),
        ])
        for line in lines {
            table.add(
                [line.setting, line.backEnd.name]
                    + [line.cold, line.cached, line.write].map { $0?.estimate.map { Figures.ratio($0) } ?? "-" }
                    + [line.outcome.rawValue])
        }
        return "time relative to the defaults, with 95 % intervals: below 1 is faster\n\n" + table.text + "\n"
            + [Arm.plain, .cipher].map { advice(for: $0) }.joined()
    }

    private func advice(for backEnd: Arm) -> String {
        let here = lines.filter { $0.backEnd == backEnd }
        guard !here.isEmpty else { return "" }
        func listed(_ outcome: Outcome) -> String {
            here.filter { $0.outcome == outcome }.map(\.setting).joined(separator: ", ")
        }
        var sentences: [String] = []
        if here.contains(where: { $0.outcome == .take }) {
            sentences.append("worth it with these documents on this machine: \(listed(.take))")
        }
        if here.contains(where: { $0.outcome == .trade }) {
            sentences.append("depends on what the app does most: \(listed(.trade))")
        }
        if here.contains(where: { $0.outcome == .unknown }) {
            sentences.append("not decided, measure with more --pairs: \(listed(.unknown))")
        }
        if sentences.isEmpty {
            sentences.append("keep the defaults")
        }
        return "\(backEnd.name): \(sentences.joined(separator: "; "))\n"
    }
}
