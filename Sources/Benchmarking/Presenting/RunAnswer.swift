import Soups

/// What a run says about encryption, in three sentences: its price, how sure that is, and whether the run is valid.
///
/// The price is that of cipher / plain at the largest size that was measured. A range in brackets spans the 95 %
/// intervals of all its rows.
package struct RunAnswer: Sendable {
    private let rows: [SummaryRow]
    private let faults: [String]
    private let entries: Int?

    package init(_ rows: [SummaryRow], faults: [String]) {
        let priced = rows.filter {
            $0.baseArm == .plain && ($0.arm == .cipher || $0.arm == .passphrase) && $0.verdict != .invalid
                && !$0.isControl
                && ($0.metric == .wall || $0.metric == .fileBytes)
        }
        let entries = priced.compactMap { RunReport.entries($0.parameters) }.max()
        self.entries = entries
        self.rows = priced.filter { RunReport.entries($0.parameters) == entries }
        self.faults = faults
    }

    /// The sentences; empty if the run did not compare plain with cipher and is valid.
    package var sentences: [String] {
        [price, certainty, rows.isEmpty && faults.isEmpty ? nil : validity].compactMap(\.self)
    }

    // MARK: - The price

    private static let writes = ["upsert-string", "upsert-json1", "upsert-full-text", "upsert-own", "update", "delete"]
    private static let repeatedReads = ["retrieve", "exact", "range-page", "match-rare", "match-common"]

    private var price: String? {
        let parts = [
            opening, times("writes", of: Self.writes), times("first reads of a connection", of: ["first-queries"]),
            times("repeated reads", of: Self.repeatedReads), file,
        ].compactMap(\.self)
        guard !parts.isEmpty else {
            return nil
        }
        let size = entries.map { " (cipher / plain, \($0) entries)" } ?? " (cipher / plain)"
        return "Encryption\(size): " + parts.joined(separator: "; ") + "."
    }

    private func row(_ workload: String, _ arm: Arm) -> SummaryRow? {
        rows.first { ByteKey($0.workload) == ByteKey(workload) && $0.arm == arm }
    }

    /// `opening +0.6 ms (passphrase +0.4 s)`: what is added, because a ratio of an opening says little.
    private var opening: String? {
        guard let raw = row("open-raw-key", .cipher), let added = Self.added(raw) else {
            return nil
        }
        let passphrase = row("open-passphrase", .passphrase).flatMap { Self.added($0) }
        return "opening \(added)" + (passphrase.map { " (passphrase \($0))" } ?? "")
    }

    private static func added(_ row: SummaryRow) -> String? {
        guard let base = row.baseMedian, let interval = row.estimate?.interval, let ratio = row.estimate?.ratio else {
            return nil
        }
        if interval.low <= 1, interval.high >= 1 {
            return "not shown to be slower"
        }
        let more = base * (ratio - 1)
        return (more < 0 ? "-" : "+") + Figures.time(abs(more))
    }

    /// `writes 1.4 to 2.2 times [1.3, 2.7]`, or that the times are the same.
    private func times(_ name: String, of workloads: [String]) -> String? {
        let found = workloads.compactMap { row($0, .cipher) }
        let estimates = found.compactMap(\.estimate)
        let intervals = estimates.compactMap(\.interval)
        guard !found.isEmpty, intervals.count == found.count, let low = intervals.map(\.low).min(),
            let high = intervals.map(\.high).max()
        else {
            return nil
        }
        if found.allSatisfy({ $0.verdict == .same }) {
            return "\(name) the same"
        }
        let span = "[\(Figures.fixed(low, 1)), \(Figures.fixed(high, 1))]"
        if intervals.allSatisfy({ $0.low <= 1 && $0.high >= 1 }) {
            return "\(name) without a difference that is shown \(span)"
        }
        let ratios = estimates.map { Figures.fixed($0.ratio, 1) }.sorted {
            (Double($0) ?? 0) < (Double($1) ?? 0)
        }
        guard let least = ratios.first, let most = ratios.last else {
            return nil
        }
        return "\(name) \(ByteKey(least) == ByteKey(most) ? least : "\(least) to \(most)") times \(span)"
    }

    private var file: String? {
        guard let ratio = row("file-size", .cipher)?.estimate?.ratio else {
            return nil
        }
        return "file \(ratio < 1 ? "-" : "+")\(Figures.share(abs(ratio - 1)))"
    }

    // MARK: - How sure, and whether at all

    private var certainty: String? {
        let timed = rows.filter { $0.metric == .wall && $0.arm == .cipher }
        guard !timed.isEmpty else {
            return nil
        }
        let counts = [(Verdict.slower, "slower"), (.same, "the same"), (.faster, "faster"), (.inconclusive, "open")]
            .compactMap { verdict, word -> String? in
                let count = timed.count { $0.verdict == verdict }
                return count == 0 ? nil : "\(count) \(word)"
            }
        let open = timed.filter { $0.verdict == .inconclusive }.map(\.workload)
        let advice = open.isEmpty ? "" : " (more --pairs decide \(open.joined(separator: ", ")))"
        return "Of \(timed.count) works on the clock \(counts.joined(separator: ", "))\(advice)."
    }

    private var validity: String {
        guard let first = faults.first else {
            return
                "Valid: yes, both gave the same answers, encrypted files hold no plain text, and the control did not move."
        }
        return "Valid: no, \(first)\(faults.count > 1 ? " (and \(faults.count - 1) more)" : "")."
    }
}
