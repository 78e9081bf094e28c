import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups
import Synchronization

/// What watching a store costs its writers: no watcher, one watcher of changes, 100 live queries on other soups
/// (APP-33).
enum ObservationCells: CellSource {
    private static let writes = 300
    private static let watched = "watched"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return StoreCorpus.all(scope).filter { $0.count <= 1_000 }.flatMap { corpus in
            [
                cell("observe-none", corpus, "none", "none-again"),
                cell("observe-one", corpus, "none", "one"),
                cell("observe-100", corpus, "none", "hundred"),
                latency(corpus),
            ]
        }
    }

    private static func cell(_ name: String, _ corpus: StoreCorpus, _ base: String, _ way: String) -> Cell {
        Cell(
            name, corpus.parameters(["durability": "relaxed"]), revision: 1,
            summary: "inserts \(writes) documents, each in a transaction of its own: \(base) and \(way) watching",
            arms: Arm.all(base, way), comparisons: Cell.Comparison.ways(base, way), style: .once
        ) { arm, workplace in
            let (store, documents) = try open(arm, corpus, workplace)
            let watchers = watchers(arm.way, of: store)
            return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
                try withExtendedLifetime(watchers) {
                    for document in documents {
                        try store.upsert([document], into: StoreCorpus.soup)
                    }
                }
                return documents.count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: documents.count)(store, &digest)
            }
        }
    }

    /// From the return of a commit to the value that shows it, on a thread that waits.
    private static func latency(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "live-latency", corpus.parameters(["durability": "relaxed"]), revision: 1,
            summary:
                "inserts \(writes) documents and waits after each until a live count shows it, or only inserts them",
            arms: Arm.all("alone", "live"), comparisons: Cell.Comparison.ways("alone", "live"), style: .once
        ) { arm, workplace in
            let (store, documents) = try open(arm, corpus, workplace)
            let shown = ShownCount()
            let live =
                arm.way == "live"
                ? Task {
                    for try await count in store.liveCount(.all(), in: StoreCorpus.soup) {
                        shown.value.store(count, ordering: .releasing)
                    }
                } : nil
            return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
                defer { live?.cancel() }
                for (index, document) in documents.enumerated() {
                    try store.upsert([document], into: StoreCorpus.soup)
                    while live != nil, shown.value.load(ordering: .acquiring) <= index {}
                }
                return documents.count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: documents.count)(store, &digest)
            }
        }
    }

    private static func open(
        _ arm: Arm, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> (SmartStore, [[UInt8]]) {
        let store = try StorageArm.open(arm, in: workplace.folder) { $0.settings.durability = .relaxed }
        try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("key"), .string("category"), .string("name")])
        try store.registerSoup(watched, indexSpecs: [.string("key")])
        var documents: [[UInt8]] = []
        try corpus.forEachBatch { documents += $0 }
        return (store, Array(documents.prefix(writes)))
    }

    private static func watchers(_ way: String, of store: SmartStore) -> [any Sendable] {
        switch way {
        case "one": [store.changes()]
        case "hundred":
            (0..<100).map { _ in
                let values = store.liveCount(.all(), in: watched)
                return Task { for try await _ in values {} }
            }
        default: []
        }
    }
}

/// The last count that a live query has shown.
private final class ShownCount: Sendable {
    let value = Atomic(0)
}
