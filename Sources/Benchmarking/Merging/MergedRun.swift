import JSONText
package import Soups

/// One run made of all its shards: their samples, judged again as if one machine had measured them.
///
/// Judging all samples together gives the summary of an undivided run: probabilities are corrected for the rows of all
/// shards, and exponents are fitted over sizes that different shards measured. The blocks of control and null row of
/// all shards count together; each shard has already been judged by its own.
package struct MergedRun: Sendable {
    package let outcome: BenchmarkRun.Outcome
    package let cells: [PlannedCell]
    private let manifest: Manifest

    /// - Parameters:
    ///   - documents: Those that the shards measured; nil for generated ones.
    ///   - reports: The folder of accepted reports, which say how far equal builds differ; nil if there is no folder.
    /// - Throws: `invalidArguments` if a shard is not valid, the documents are not those of the shards, or this program
    ///   no longer has a cell.
    package init(
        _ shards: ShardSet, catalogue: any CellCatalogue, documents: (any OwnDocuments)?, reports: String? = nil,
        commandLine: [String]
    ) throws(Fault) {
        if let fault = shards.faults.first {
            throw Fault(.invalidArguments, fault)
        }
        let manifest = Manifest(Self.rows(shards))
        let cells = try Self.cells(manifest, try Self.scope(shards.record, catalogue, documents), catalogue)
        let samples = shards.runs.flatMap(\.blocks.samples)
        let offsets = try reports.map { folder throws(Fault) in
            try BuildOffsets.stored(in: folder, fingerprint: shards.record.fingerprint)
        }
        let judge = RunJudge(cells, samples: samples, offsets: offsets ?? .none)
        let rows = judge.rows()
        var record = RunRecord(
            id: (shards.runs.map(\.record.id).min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? "") + "-merged",
            startedUTC: shards.runs.map(\.record.startedUTC).min() ?? "", commit: shards.record.commit,
            profile: shards.record.profile,
            seed: shards.record.seed, commandLine: commandLine, fingerprint: shards.record.fingerprint,
            libraries: shards.record.libraries,
            cellVersions: cells.map { (id: $0.cell.id, version: $0.cell.version) }, corpora: shards.record.corpora,
            plans: SampleRemarks.plans(samples),
            ending: .complete, seconds: shards.runs.reduce(0) { $0 + $1.record.seconds }, suite: judge.suite(),
            faults: RunJudge.faults(in: rows), details: shards.record.details)
        record.details = JSONObject(
            record.details.members.filter {
                !["memory", "control_drift", "load_before", "load_after", "resumed_utc"].contains($0.name)
            }.map { ($0.name, $0.value) } + [
                (
                    "memory",
                    SampleRemarks.memory(
                        samples,
                        runnerGrowth: shards.runs.compactMap {
                            $0.record.details["memory"]?["runner_growth_bytes"]?.int64
                        }.max().map { Int($0) })
                ),
                ("shards", .array(shards.runs.map(Self.facts))),
            ])
        self.cells = cells
        self.manifest = manifest
        outcome = BenchmarkRun.Outcome(
            record: record, rows: rows, samples: samples,
            claims: ClaimsOutcome(cells.map(\.cell), rows: rows, samples: samples),
            unsupported: SampleRemarks.unsupported(samples))
    }

    /// Writes a whole run's folder.
    ///
    /// - Throws: `inputOutput`; `invalidArguments` if the folder holds another run.
    package func write(to folder: RunFolder) throws(Fault) {
        try folder.begin()
        try folder.write(outcome.record, manifest)
        try folder.finish(outcome.record, rows: outcome.rows, samples: outcome.samples, claims: outcome.claims)
    }

    /// The rows of the plan, each as written by the shard that measured it.
    private static func rows(_ shards: ShardSet) -> [Manifest.Row] {
        let planned = shards.runs[0].manifest.rows
        var own = Dictionary(shards.runs.map { ($0.shard, $0.rows[...]) }) { first, _ in first }
        return planned.compactMap { row in own[row.shard]?.popFirst() }
    }

    private static func scope(
        _ record: RunRecord, _ catalogue: any CellCatalogue, _ documents: (any OwnDocuments)?
    ) throws(Fault) -> CellScope {
        let sizes = record.corpora.compactMap(\.generatedEntries).filter { CellScope.possibleSizes.contains($0) }
        let scope = CellScope(profile: Profile(record.profile), sizes: sizes, seed: record.seed, documents: documents)
        let corpora = catalogue.corpora(scope)
        guard corpora.count == record.corpora.count,
            zip(corpora, record.corpora).allSatisfy({
                ByteKey($0.name) == ByteKey($1.name) && ByteKey($0.hash) == ByteKey($1.hash)
            })
        else {
            let names = record.corpora.map(\.name).joined(separator: ", ")
            throw Fault(
                .invalidArguments,
                "the shards measured \(names); name the same unchanged file with --documents and --index, or leave both out for generated documents"
            )
        }
        return scope
    }

    /// The definitions of all cells, found again by id and hash.
    private static func cells(
        _ manifest: Manifest, _ scope: CellScope, _ catalogue: any CellCatalogue
    ) throws(Fault) -> [PlannedCell] {
        let known = Dictionary(catalogue.cells(scope).map { (ByteKey($0.id), $0) }) { first, _ in first }
        var seen: Set<ByteKey> = []
        var cells: [PlannedCell] = []
        for row in manifest.rows where seen.insert(ByteKey(row.cellID)).inserted {
            guard let cell = known[ByteKey(row.cellID)], ByteKey(cell.version) == ByteKey(row.version) else {
                throw Fault(
                    .invalidArguments,
                    "this program has no cell \(row.cellID) of the definition \(row.version); merge with the program that measured it"
                )
            }
            var planned = PlannedCell(cell, profile: scope.profile)
            planned = planned.only(arms: row.arms.filter { $0.build == nil }.map(\.name)) ?? planned
            var builds: [String] = []
            for build in row.arms.compactMap(\.build) where !builds.contains(where: { ByteKey($0) == ByteKey(build) }) {
                builds.append(build)
            }
            if !builds.isEmpty {
                planned = planned.beside(builds: builds, arms: [.plain, .cipher]) ?? planned
            }
            guard planned.arms == row.arms else {
                throw Fault(
                    .invalidArguments,
                    "this program knows \(row.cellID) with other arms; merge with the program that measured it")
            }
            planned.blocks = row.plannedPairs
            cells.append(planned)
        }
        return cells
    }

    private static func facts(_ run: ShardRun) -> JSONValue {
        [
            "shard": .string(run.shard.description), "run_id": .string(run.record.id),
            "started_utc": .string(run.record.startedUTC),
            "seconds": JSONNumber(run.record.seconds).map { .number($0) } ?? .null,
            "control_drift": run.record.details["control_drift"] ?? .null,
            "load_before": run.record.details["load_before"] ?? .null,
            "load_after": run.record.details["load_after"] ?? .null,
        ]
    }
}
