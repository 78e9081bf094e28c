import Benchmarking
import OfflineStore
import Soups

/// The work at the beginning and the end of using a store, which warm loops never show: the first queries of a new
/// connection, whose pages must all be read (and decrypted), and closing with writes still in the log.
enum PhaseCells: CellSource {
    private static let arms: [Arm] = [.plain, .cipherOff, .cipher]

    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).flatMap { corpus -> [Cell] in
            // One query of each kind, because a second one would find the pages of the first in the cache.
            let specs = QueryCells.questions(of: corpus).flatMap { $0.specs.prefix(1) }
            // What is written back does not depend on the size of the soup, but each block needs a copy of the soup.
            return (specs.isEmpty ? [] : [firstQueries(corpus, specs)])
                + (corpus.count > 10_000 ? [] : [closeAfterWrites(corpus)])
        }
    }

    private static func firstQueries(_ corpus: StoreCorpus, _ specs: [QuerySpec]) -> Cell {
        Cell(
            "first-queries", corpus.parameters(), revision: 1,
            summary: "asks \(specs.count) queries of different kinds on a new connection with an empty cache",
            arms: arms, comparisons: Cell.Comparison.backends
        ) { arm, workplace in
            FirstQueriesSubject(
                arm: arm, folder: try corpus.filled(workplace), markers: corpus.questions.markers, specs: specs)
        }
    }

    /// Few enough for the log to stay below the size at which SQLite writes it back at a commit.
    private static let writes = 20

    private static func closeAfterWrites(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "close-after-writes", corpus.parameters(), revision: 1,
            summary:
                "closes a store in which a fifth of the entries, at most \(writes), were replaced: the log is written back",
            arms: arms,
            comparisons: Cell.Comparison.backends, style: .once
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            // The copied file is still in memory, waiting to be written. The first close pays for that, so that the
            // second, measured one does not.
            let first = try StorageArm.open(arm, in: folder)
            try replace(1, corpus, in: first, seed: workplace.seed &+ 1)
            try first.close()
            let store = try StorageArm.open(arm, in: folder)
            try replace(max(1, min(corpus.count / 5, writes)), corpus, in: store, seed: workplace.seed)
            return ClosingSubject(store, arm: arm, folder: folder, corpus: corpus)
        }
    }

    private static func replace(_ count: Int, _ corpus: StoreCorpus, in store: SmartStore, seed: UInt64) throws {
        try store.upsert(try corpus.replacements(count, in: store, seed: seed), into: StoreCorpus.soup)
    }
}

/// Closes a store under the clock, and opens it again to check that everything is there.
private final class ClosingSubject: Subject {
    private let store: SmartStore
    private let arm: Arm
    private let folder: String
    private let corpus: StoreCorpus

    init(_ store: SmartStore, arm: Arm, folder: String, corpus: StoreCorpus) {
        self.store = store
        self.arm = arm
        self.folder = folder
        self.corpus = corpus
    }

    func run(_ watch: Stopwatch) throws -> Int {
        try store.close()
        return 1
    }

    func digest(into digest: inout ContentDigest) throws {
        let again = try StorageArm.open(arm, in: folder)
        try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(again, &digest)
        try again.close()
    }

    var evidence: Evidence? { Evidence(folder: folder, markers: corpus.questions.markers) }
}
