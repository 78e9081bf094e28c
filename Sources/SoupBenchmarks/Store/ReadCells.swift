import Benchmarking
import OfflineStore
import Soups

/// Reads by id. (What query specs find is in `QueryCells`.)
enum ReadCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).enumerated().flatMap { workplace, corpus in
            // The null row belongs to the cell that repeats best, once in a run.
            [retrieve(corpus, withNull: workplace == 0)]
        }
    }

    private static func retrieve(_ corpus: StoreCorpus, withNull: Bool) -> Cell {
        Cell(
            "retrieve", corpus.parameters(), revision: 1,
            summary: "retrieves 200 entries by id, drawn at random, one a call",
            arms: [.plain, .cipherOff, .cipher] + (withNull ? [.plainAgain] : []),
            comparisons: Cell.Comparison.backends + (withNull ? [.init(.plain, .plainAgain)] : []),
            claims: [
                WriteCells.encryption("repeated reads cost at most a quarter more in an encrypted store", atMost: 1.25)
            ]
        ) { arm, workplace in
            let folder = try corpus.filled(workplace)
            let ids = corpus.ids(200, seed: workplace.seed)
            var found: [[UInt8]] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                found.removeAll(keepingCapacity: true)
                for id in ids {
                    found += try store.retrieve(ids: [id], from: StoreCorpus.soup)
                }
                return ids.count
            } answer: { _, digest in
                for entry in found {
                    digest.add(entry: entry)
                }
            }
        }
    }
}
