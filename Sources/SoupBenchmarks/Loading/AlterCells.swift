import Benchmarking
import OfflineStore
import Soups

/// Alters and re-indexes a loaded soup as the reference's alter test does: the guide's statements PERF-06 to PERF-08.
enum AlterCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.map { ReferenceCorpus(entries: $0, indexes: 1) }.flatMap { [alter($0), reindex($0)] }
    }

    private static func type(_ arm: Arm) -> IndexType { arm.way.hasPrefix("json1") ? .json1 : .string }

    private static func alter(_ corpus: ReferenceCorpus) -> Cell {
        var claims: [Claim] = []
        if corpus.entries >= 10_000 {
            claims += Claim.onBackends("PERF-06", "altering is ten times faster without filling the new columns") {
                .slower(base: Arm($0, "string-kept"), arm: Arm($0, "string"), atLeast: 10)
            }
        }
        claims += Claim.onBackends(
            "PERF-07", "altering and filling the new columns takes a second for 1,000 entries at most"
        ) {
            .cost(arm: Arm($0, "string"), atMost: 1_000_000)
        }
        claims += Claim.onBackends(
            "PERF-08", "altering to json1 indexes costs less processor time than to string indexes", metric: .cpu
        ) {
            .slower(base: Arm($0, "json1"), arm: Arm($0, "string"), atLeast: 1.05)
        }
        return Cell(
            "alter", ["entries": String(corpus.entries)], revision: 1,
            summary:
                "alters a soup of one index three times: a second index, another second one, none; -kept leaves new columns empty; a unit is an entry, once",
            arms: Arm.all("string-kept", "string", "json1-kept", "json1"),
            comparisons: Cell.Comparison.ways("string-kept", "string") + Cell.Comparison.ways("json1", "string")
                + Cell.Comparison.ways("json1-kept", "json1"),
            style: .once, pairs: corpus.pairs, profile: .full, claims: claims
        ) { arm, workplace in
            let type = type(arm)
            let folder = try corpus.filledCopy(workplace, type)
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.markers) {
                store, _ in
                for paths in [["k_0", "k_1"], ["k_0", "k_2"], ["k_0"]] {
                    let specs = paths.map { IndexSpec(path: $0, type: type) }
                    try store.alterSoup(
                        ReferenceCorpus.soup, indexSpecs: specs, reIndexData: !arm.way.hasSuffix("-kept"))
                }
                return 3 * corpus.entries
            } answer: { store, digest in
                try StoreSubject.allEntries(of: ReferenceCorpus.soup, upTo: corpus.entries)(store, &digest)
            }
        }
    }

    private static func reindex(_ corpus: ReferenceCorpus) -> Cell {
        let corpus = ReferenceCorpus(entries: corpus.entries, indexes: 3)
        return Cell(
            "reindex", ["entries": String(corpus.entries)], revision: 1,
            summary: "re-indexes the three paths of a soup", arms: Arm.all("string", "json1"),
            comparisons: Cell.Comparison.ways("json1", "string"), style: .once, pairs: corpus.pairs, profile: .full,
            claims: Claim.onBackends("PERF-08", "re-indexing json1 indexes is faster than string indexes") {
                .slower(base: Arm($0, "json1"), arm: Arm($0, "string"), atLeast: 1.05)
            }
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace, type(arm))
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.markers) {
                store, _ in
                try store.reIndexSoup(ReferenceCorpus.soup, paths: ["k_0", "k_1", "k_2"])
                return corpus.entries
            } answer: { store, digest in
                try StoreSubject.allEntries(of: ReferenceCorpus.soup, upTo: corpus.entries)(store, &digest)
                for field in 0..<3 {
                    let spec = QuerySpec.exact(path: "k_\(field)", matchKey: .string(corpus.value(7, field: field)))
                    digest.add(try store.count(spec, soup: ReferenceCorpus.soup))
                }
            }
        }
    }
}
