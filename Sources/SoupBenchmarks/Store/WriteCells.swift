import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Upserts with each kind of index, updates and deletes.
enum WriteCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).flatMap { corpus -> [Cell] in
            let pairs = corpus.count >= 10_000 ? 6 : 10
            return upserts(corpus, pairs) + [update(corpus, pairs), delete(corpus, pairs)] + singles(corpus)
        }
    }

    private static let arms: [Arm] = [.plain, .cipherOff, .cipher]

    // MARK: - Loading

    private static func upserts(_ corpus: StoreCorpus, _ pairs: Int) -> [Cell] {
        let kinds: [(name: String, indexes: [IndexSpec])] =
            corpus.isGenerated
            ? [
                ("string", [.string("key"), .string("category"), .string("name")]),
                ("json1", [.json1("key"), .json1("category"), .json1("name")]),
                ("full-text", [.string("key"), .fullText("name"), .fullText("body")]),
            ] : [("own", corpus.indexes)]
        return kinds.map { kind in
            Cell(
                "upsert-" + kind.name, corpus.parameters(), revision: 1,
                summary:
                    "inserts all documents into an empty soup, \(StoreCorpus.batch) a transaction (\(kind.name) indexes)",
                arms: arms,
                comparisons: Cell.Comparison.backends, style: .once, pairs: pairs,
                claims: [encryption("inserts cost at most twice as much in an encrypted store", atMost: 2)]
            ) { arm, workplace in
                let store = try StorageArm.open(arm, in: workplace.folder)
                _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: kind.indexes)
                return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) {
                    store, watch in
                    var done = 0
                    try corpus.forEachBatch(pause: { make in try watch.pause(make) }) {
                        done += try store.upsert($0, into: StoreCorpus.soup).count
                    }
                    return done
                } answer: { store, digest in
                    try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
                }
            }
        }
    }

    /// The price of encryption as a claim: PERF-21 asks for it without a figure, the bound is this project's.
    static func encryption(_ statement: String, atMost: Double) -> Claim {
        Claim("PERF-21", statement, backend: "cipher", .ratio(base: .plain, arm: .cipher, atMost: atMost))
    }

    // MARK: - Changing

    /// Entries changed in one transaction. Bounded, because the worker's memory grows with them.
    private static func changes(_ corpus: StoreCorpus) -> Int { max(1, min(corpus.count / 5, 2_000)) }

    private static func update(_ corpus: StoreCorpus, _ pairs: Int) -> Cell {
        Cell(
            "update", corpus.parameters(), revision: 2,
            summary: "replaces a fifth of the entries, at most 2,000, drawn at random, in one transaction", arms: arms,
            comparisons: Cell.Comparison.backends, style: .once, pairs: pairs
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let store = try StorageArm.open(arm, in: folder)
            let entries = try corpus.replacements(changes(corpus), in: store, seed: workplace.seed)
            return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { store, _ in
                try store.upsert(entries, into: StoreCorpus.soup).count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
            }
        }
    }

    private static func delete(_ corpus: StoreCorpus, _ pairs: Int) -> Cell {
        Cell(
            "delete", corpus.parameters(), revision: 2,
            summary: "removes a fifth of the entries, at most 2,000, drawn at random, in one transaction", arms: arms,
            comparisons: Cell.Comparison.backends, style: .once, pairs: pairs
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let store = try StorageArm.open(arm, in: folder)
            let ids = corpus.ids(changes(corpus), seed: workplace.seed &+ 1)
            return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { store, _ in
                try store.remove(ids: ids, from: StoreCorpus.soup)
                return ids.count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
            }
        }
    }

    // MARK: - One at a time

    /// Each entry in its own transaction: the cost is the disk's sync, so both levels of durability are measured. Only
    /// at the smallest size.
    private static func singles(_ corpus: StoreCorpus) -> [Cell] {
        guard case .generated(let generated) = corpus.source, corpus.count <= 1_000 else {
            return []
        }
        return [("full", false), ("relaxed", true)].map { name, isRelaxed in
            Cell(
                "upsert-single", corpus.parameters(["durability": name]), revision: 1,
                summary: "inserts 30 documents, each in a transaction of its own",
                arms: arms, comparisons: Cell.Comparison.backends, style: .once
            ) { arm, workplace in
                let folder = try corpus.filledCopy(workplace)
                let store = try StorageArm.open(arm, in: folder) { options in
                    if isRelaxed { options.settings.durability = .relaxed }
                }
                let documents = (0..<30).map { generated.document(at: $0, version: 1) }
                return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { store, _ in
                    for document in documents {
                        try store.upsert([document], into: StoreCorpus.soup)
                    }
                    return documents.count
                } answer: { store, digest in
                    try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count + documents.count)(
                        store, &digest)
                }
            }
        }
    }
}
