package import Soups

/// Decides claims by the rows of one run or of several, for example one run for each size, measured at different times.
package struct ClaimsOutcome: Sendable {
    package let claims: [ClaimRow]
    package let curves: [GrowthCurve]
    /// Why a run's figures do not count, each with its run; their claims have no finding.
    package let faults: [String]
    /// Cells that were measured with a definition that this program no longer has, so that their claims cannot be
    /// decided.
    package let outdatedCells: [String]

    package init(
        _ cells: [Cell], rows: [SummaryRow], samples: [Sample], faults: [String] = [], outdatedCells: [String] = []
    ) {
        claims = ClaimRow.all(cells, rows: rows, samples: samples)
        curves = GrowthCurve.all(cells, rows: rows, samples: samples)
        self.faults = faults
        self.outdatedCells = outdatedCells
    }

    /// Joins the runs in these folders; if several measured a cell, the last folder counts.
    ///
    /// Definitions are found by id and hash. Cells whose definition this program no longer knows are named and have no
    /// claims. Claims of cells that no run measured are left out.
    ///
    /// - Throws: `inputOutput`, `syntax`, `invalidJSON`, `unsupported` if a folder does not hold a run of this schema;
    ///   `invalidArguments` if the runs are of different machines, libraries or seeds.
    package init(folders: [String], catalogue: any CellCatalogue) throws(Fault) {
        var runs: [(report: StoredReport, samples: [Sample])] = []
        for folder in folders {
            runs.append((try StoredReport(folder: folder), try RunFolder(path: folder).samplesIfKept()))
        }
        guard let first = runs.first?.report.record else {
            throw Fault(.invalidArguments, "name at least one run's folder")
        }
        if let other = runs.first(where: {
            ByteKey($0.report.record.fingerprint) != ByteKey(first.fingerprint) || $0.report.record.seed != first.seed
        })?.report.record {
            throw Fault(
                .invalidArguments,
                "the runs \(first.id) and \(other.id) are of different machines, libraries or seeds and cannot be joined"
            )
        }
        // The run that counts for a cell: the last valid one that measured it.
        var source: [ByteKey: Int] = [:]
        for (index, run) in runs.enumerated() where run.report.record.faults.isEmpty {
            for row in run.report.rows {
                source[ByteKey(row.cellID)] = index
            }
        }
        var rows: [SummaryRow] = []
        var samples: [Sample] = []
        var versions: [ByteKey: ByteKey] = [:]
        for (index, run) in runs.enumerated() {
            rows += run.report.rows.filter { source[ByteKey($0.cellID)] == index }
            samples += run.samples.filter { source[ByteKey($0.cellID)] == index }
        }
        for row in rows {
            versions[ByteKey(row.cellID)] = ByteKey(row.version)
        }
        // Some cells exist only at the smallest size that a run was asked for, so each run's own sizes are considered.
        // Other cells choose a size of their own, which may be smaller.
        let measured = ([rows] + runs.map(\.report.rows)).map { $0.compactMap { RunReport.entries($0.parameters) } }
        let asked = runs.map { $0.report.record.corpora.compactMap(\.generatedEntries) }
        var cells: [Cell] = []
        var known: Set<ByteKey> = []
        for sizes in measured + asked {
            let scope = CellScope(profile: Profile(.full), sizes: Set(sizes).sorted(), seed: first.seed)
            for cell in catalogue.cells(scope)
            where versions[ByteKey(cell.id)] == ByteKey(cell.version) && known.insert(ByteKey(cell.id)).inserted {
                cells.append(cell)
            }
        }
        self.init(
            cells, rows: rows, samples: samples,
            faults: runs.flatMap { run in run.report.record.faults.map { "run \(run.report.record.id): \($0)" } },
            outdatedCells: versions.keys.filter { !known.contains($0) }.map(\.text).sorted())
    }

    /// The claims, the exponents, and how many claims hold.
    package var text: String {
        var text = ""
        if let table = ClaimTable.make(claims) {
            text += table.text
        }
        if let table = GrowthTable.make(curves) {
            text += "\n" + table.text
        }
        for fault in faults {
            text += "\nINVALID: \(fault)\n"
        }
        for cell in outdatedCells {
            text += "\nleft out: \(cell) has another definition now; measure it again\n"
        }
        let counts = [Claim.Finding.holds, .doesNotHold, .inconclusive].map { finding in
            "\(claims.count { $0.finding == finding }) \(finding.rawValue)"
        }
        return text + "\n\(claims.count) rows of claims: " + counts.joined(separator: ", ") + "\n"
    }
}
