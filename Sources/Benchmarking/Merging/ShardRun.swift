import Soups

/// One shard of a run, read from its folder.
struct ShardRun: Sendable {
    let path: String
    let record: RunRecord
    let manifest: Manifest
    let blocks: FinishedBlocks

    var shard: Shard { record.shard }

    /// The shard's name in messages.
    var name: String { "shard \(shard) (\(path))" }

    /// - Throws: `invalidArguments` if the shard is incomplete; `inputOutput`, `syntax`, `invalidJSON`, `unsupported`
    ///   if the folder does not hold a run of this schema.
    init(path: String) throws(Fault) {
        let folder = RunFolder(path: path)
        record = try folder.record()
        guard record.ending == .complete else {
            throw Fault(
                .invalidArguments,
                "the run in \(path) is not complete (\(record.ending.rawValue)); continue it: soup bench --resume \(path)"
            )
        }
        self.path = path
        manifest = try folder.manifest()
        blocks = FinishedBlocks(try folder.samples())
    }

    /// The rows of the plan that this shard had to measure.
    var rows: [Manifest.Row] { manifest.rows.filter { $0.shard == shard } }

    /// What is wrong with the blocks of a shard that claims to be complete; nil if it holds exactly the planned ones.
    var incompleteness: String? {
        if let doubled = blocks.doubled.first {
            return "\(name) holds block \(doubled.number) of \(doubled.cellID) twice"
        }
        let own = Set(rows.map { ByteKey($0.cellID) })
        if let foreign = blocks.samples.first(where: { !own.contains(ByteKey($0.cellID)) }) {
            return "\(name) holds samples of \(foreign.cellID), which is not one of its cells"
        }
        for row in rows {
            let first = isShared(row.cellID) ? (shard.number - 1) * PlannedCell.blocksOfShard : 0
            let missing = (first..<first + row.plannedPairs).filter {
                !blocks.contains(row.cellID, .first, $0, of: shard)
            }
            if let block = missing.first {
                let others = missing.count > 1 ? ", and \(missing.count - 1) more" : ""
                return "\(name) lacks block \(block) of \(row.cellID)\(others)"
            }
            if blocks.count(row.cellID, .first) != row.plannedPairs {
                return "\(name) holds more blocks of \(row.cellID) than were planned"
            }
        }
        return nil
    }

    /// Whether every shard measures the cell.
    private func isShared(_ cellID: String) -> Bool {
        manifest.rows.count { ByteKey($0.cellID) == ByteKey(cellID) } > 1
    }
}
