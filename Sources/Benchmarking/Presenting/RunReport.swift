import JSONText
import Soups

/// Shows one run to people: as Markdown for the page of a CI step, and as one static HTML page with its pictures
/// inside.
package struct RunReport: Sendable {
    let report: StoredReport
    private let history: RowHistory
    let claims: [ClaimRow]
    let curves: [GrowthCurve]

    /// - Parameters:
    ///   - samples: the samples of the run, if they were kept; without them exponents have no intervals.
    ///   - history: the accepted reports, oldest first; those of other machines, profiles and documents are left out.
    package init(
        _ report: StoredReport, samples: [Sample] = [], history: [StoredReport], catalogue: any CellCatalogue
    ) {
        self.report = report
        self.history = RowHistory(history, like: report.record)
        // Definitions are found again by id and hash: what this program no longer knows has its rows, but no claims.
        let sizes = Set(report.rows.compactMap { row in Self.entries(row.parameters) }).sorted()
        let cells = catalogue.cells(CellScope(profile: Profile(.full), sizes: sizes, seed: report.record.seed))
            .filter { cell in
                report.record.version(of: cell.id).map { ByteKey($0) } == ByteKey(cell.version)
            }
        let outcome = ClaimsOutcome(cells, rows: report.rows, samples: samples)
        (claims, curves) = (outcome.claims, outcome.curves)
    }

    /// The size that a cell's parameters name; nil without one that a generated corpus can have.
    static func entries(_ parameters: String) -> Int? {
        guard let part = parameters.split(separator: ";").first(where: { $0.hasPrefix("entries=") }) else {
            return nil
        }
        return Int(part.dropFirst(8)).flatMap { CellScope.possibleSizes.contains($0) ? $0 : nil }
    }

    /// The ratios of one arm to another.
    struct Group {
        let title: String
        var rows: [SummaryRow]

        /// Whether encrypted and plain stores are compared, with nothing between them.
        var isWhatUsersSee: Bool {
            rows.allSatisfy { $0.baseArm == .plain && ($0.arm == .cipher || $0.arm == .passphrase) }
        }

        /// Whether back ends are compared, each working as it always does; other groups compare ways of
        /// working.
        var isOfBackends: Bool {
            let backends: [Arm] = [.plain, .cipherOff, .cipher, .passphrase]
            return rows.allSatisfy {
                backends.contains($0.baseArm.work) && (backends.contains($0.arm.work) || $0.arm == .none)
            }
        }
    }

    /// The rows on the clock, grouped by pair of arms, in the order of the run.
    var groups: [Group] {
        var groups: [Group] = []
        for row in Self.byWork(report.rows.filter { $0.metric == .wall }) {
            let title = row.arm == .none ? "\(row.baseArm), with nothing to compare" : "\(row.arm) / \(row.baseArm)"
            if let index = groups.firstIndex(where: { ByteKey($0.title) == ByteKey(title) }) {
                groups[index].rows.append(row)
            } else {
                groups.append(Group(title: title, rows: [row]))
            }
        }
        return groups
    }

    /// Groups the sizes of one workload, in the order in which the workloads came.
    static func byWork(_ rows: [SummaryRow]) -> [SummaryRow] {
        var order: [ByteKey] = []
        for row in rows where !order.contains(ByteKey(row.workload)) {
            order.append(ByteKey(row.workload))
        }
        return order.flatMap { workload in rows.filter { ByteKey($0.workload) == workload } }
    }

    /// What the run was, in short lines.
    var facts: [(String, String)] {
        let record = report.record
        let machine = record.details["machine"]
        let disk = record.details["data_folder"]
        return [
            ("run", record.id), ("commit", record.commit), ("profile", record.profile.rawValue),
            ("took", Figures.duration(record.seconds)),
            ("processor", "\(machine?["processor"]?.string ?? "unknown"), \(machine?["cores"]?.int64 ?? 0) cores"),
            ("data folder", disk?["type"]?.string ?? "unknown"), ("libraries", record.libraries),
            ("fingerprint", record.fingerprint),
        ]
    }

    static func mark(_ verdict: Verdict) -> String {
        switch verdict {
        case .slower: "\u{25B2} slower"
        case .faster: "\u{25BC} faster"
        case .same: "= same"
        case .inconclusive: "? inconclusive"
        case .invalid: "\u{2715} invalid"
        }
    }

    /// The stored ratios of a row over the accepted reports and this run, with its steps.
    func series(of row: SummaryRow) -> (ratios: [Double], steps: [Int]) {
        let ratios = history.ratios(of: row) + (row.estimate.map { [$0.ratio] } ?? [])
        return (ratios, ChangePoints.find(ratios))
    }
}
