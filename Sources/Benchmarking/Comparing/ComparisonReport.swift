import Soups

/// Shows a comparison of two runs, in any of the forms in which a run is shown: for people, for the page of a CI step,
/// for programs.
package struct ComparisonReport: Sendable {
    package let comparison: RunComparison
    /// A second session's comparison, which confirms or clears what the first shows.
    package let second: RunComparison?
    package let new: RunRecord
    package let stored: RunRecord
    /// How the check ended; nil if two runs were compared and nothing was checked.
    package let outcome: CheckOutcome?
    /// Why the check proves nothing: the faults that the check was given, else those of the run and of the comparison.
    let faults: [String]

    package init(
        _ comparison: RunComparison, confirmedBy second: RunComparison? = nil, new: RunRecord, stored: RunRecord,
        outcome: CheckOutcome? = nil,
        faults: [String]? = nil
    ) {
        self.faults = faults ?? new.faults + comparison.faults
        self.comparison = comparison
        self.second = second
        self.new = new
        self.stored = stored
        self.outcome = outcome
    }

    package func make(_ format: RunFormat) -> String {
        switch format {
        case .text: ComparisonText(self, isMarkdown: false).make()
        case .markdown: ComparisonText(self, isMarkdown: true).make()
        case .csv: String(decoding: ComparisonFile.write(self), as: UTF8.self)
        case .json: RunFormat.json(ComparisonFile.write(self), ComparisonFile.file.descriptions)
        case .junit: junit
        }
    }

    var regressions: [RunComparison.Row] { comparison.regressions(confirmedBy: second) }

    /// A test case for each row that gates. Only what makes the check red fails; rows that are not confirmed or
    /// undecided are skipped, with the reason.
    private var junit: String {
        let red = regressions
        var suite = JUnitSuite(name: "soup check \(new.id) against \(stored.id)")
        for fault in faults {
            suite.add(classname: "run", name: "valid", .error(fault))
        }
        // Invalid rows are among the faults.
        for row in comparison.rows where row.gates && row.verdict != .invalid {
            let figure = row.change.map { Figures.ratio($0) } ?? "no figure"
            let message = row.reason.isEmpty ? figure : "\(figure): \(row.reason)"
            let finding: JUnitSuite.Finding =
                switch row.verdict {
                case .slower: red.contains(row) ? .failure(message) : .skipped("\(message): slower here, not confirmed")
                case .inconclusive, .invalid: .skipped(message)
                case .faster, .same: .passed
                }
            suite.add(classname: row.cellID, name: row.key, finding)
        }
        if let whole = comparison.suite, whole.gates {
            let isRed = comparison.isSuiteSlower(confirmedBy: second)
            let figure = Figures.mean(whole.estimate)
            let finding: JUnitSuite.Finding =
                switch whole.verdict {
                case .slower: isRed ? .failure(figure) : .skipped("\(figure): slower here, not confirmed")
                case .inconclusive, .invalid: .skipped(figure)
                case .faster, .same: .passed
                }
            suite.add(classname: "suite", name: "the suite as a whole", finding)
        }
        return suite.text
    }
}
