import Benchmarking
import OfflineStore
import Soups

/// Loads soups as the reference's load tests do, with string and with json1 indexes, and measures their size: the
/// guide's statements on inserts and on size (PERF-09, PERF-10).
enum LoadCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        // The reference loads 1,000 entries of each shape; only the last shape, with ten indexes, is loaded at the
        // other sizes too.
        return scope.sizes.enumerated().flatMap { index, entries in
            let shapes = index == 0 ? ReferenceCorpus.shapes : Array(ReferenceCorpus.shapes.suffix(1))
            let corpora = shapes.map {
                ReferenceCorpus(entries: entries, fields: $0.fields, characters: $0.characters, indexes: $0.indexes)
            }
            return corpora.map(load) + corpora.suffix(1).map(size)
        }
    }

    private static func type(_ arm: Arm) -> IndexType { arm.way == "json1" ? .json1 : .string }

    private static func load(_ corpus: ReferenceCorpus) -> Cell {
        let claims =
            corpus.indexes < 10
            ? []
            : Claim.onBackends("PERF-09", "inserts are faster with json1 indexes than with string indexes") {
                .slower(base: Arm($0, "json1"), arm: Arm($0, "string"), atLeast: 1.05)
            }
        return Cell(
            "load", corpus.parameters, revision: 1,
            summary: "loads all entries, \(ReferenceCorpus.batch) a transaction; a unit is a transaction",
            arms: Arm.all("string", "json1"),
            comparisons: Cell.Comparison.ways("json1", "string") + [.init("plain/string", "cipher/string")],
            style: .once,
            pairs: corpus.pairs, profile: .full, claims: claims
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(ReferenceCorpus.soup, indexSpecs: corpus.specs(type(arm)))
            return StoreSubject(store, folder: workplace.folder, markers: corpus.markers) { store, watch in
                try corpus.load(into: store, watch)
            } answer: { store, digest in
                try StoreSubject.allEntries(of: ReferenceCorpus.soup, upTo: corpus.entries)(store, &digest)
            }
        }
    }

    private static func size(_ corpus: ReferenceCorpus) -> Cell {
        Cell(
            "load-size", corpus.parameters, revision: 1, summary: "bytes of the loaded store",
            arms: Arm.all("string", "json1"),
            comparisons: Cell.Comparison.ways("json1", "string"), style: .counted, primary: .fileBytes, pairs: 1,
            profile: .full,
            claims: Claim.onBackends("PERF-10", "a store is smaller with json1 indexes than with string indexes") {
                .slower(base: Arm($0, "json1"), arm: Arm($0, "string"), atLeast: 1.01)
            }
        ) { arm, workplace in SizeSubject(folder: try corpus.filled(workplace, type(arm)), markers: corpus.markers) }
    }
}
