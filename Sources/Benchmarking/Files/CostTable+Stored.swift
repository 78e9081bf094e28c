import JSONText
package import Soups

extension CostTable {
    /// Reads from the accepted reports in a folder how long blocks take. Reports from before manifest.csv existed give
    /// no times.
    ///
    /// Equal checkouts have equal reports, so all shards of a run read the same costs and make the same plan.
    ///
    /// - Throws: `inputOutput`, `syntax`, `invalidJSON`, `unsupported` if a report is broken or of another schema.
    package static func stored(in reports: String) throws(Fault) -> CostTable {
        var table = CostTable()
        for (folder, report) in try Baselines(folder: reports).found() {
            guard let manifest = try folder.manifestIfKept() else { continue }
            table.add(manifest, from: Source(runID: report.record.id, machine: machine(report.record)))
        }
        return table
    }

    private static func machine(_ record: RunRecord) -> String {
        let machine = record.details["machine"]
        let processor = machine?["processor"]?.string ?? "an unknown processor"
        return processor + (machine?["cores"]?.int64.map { ", \($0) cores" } ?? "")
    }
}
