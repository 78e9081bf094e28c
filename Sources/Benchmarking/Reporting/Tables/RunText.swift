/// Writes a run for a terminal: the comparison, the rows that show nothing was amiss, claims, and where the files are.
public enum RunText {
    public static func make(_ cells: [PlannedCell], _ outcome: BenchmarkRun.Outcome, folder: String) -> String {
        let record = outcome.record
        var text = "\nrun \(record.id): profile \(record.profile.rawValue), commit \(record.commit), \(Figures.duration(record.seconds)), \(record.ending.rawValue)\n"
        text += "libraries: \(record.libraries)\n"
        text += "Times are medians for one unit of work; ratios are Hodges-Lehmann estimates with exact 95 % intervals over pairs.\n\n"
        if let table = ComparisonTable.make(cells, rows: outcome.rows) { text += table.text }
        if let others = ComparisonTable.others(cells, rows: outcome.rows) { text += "\n" + others.text }
        if let claims = ClaimTable.make(outcome.claims) { text += "\n" + claims.text }
        for arm in outcome.unsupported { text += "\nleft out: \(arm.arm): \(arm.reason)\n" }
        for fault in record.faults { text += "\nINVALID: \(fault)\n" }
        return text + "\nfiles: \(folder)/samples.csv, summary.csv, run.json\n"
    }
}
