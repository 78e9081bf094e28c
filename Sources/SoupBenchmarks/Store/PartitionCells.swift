import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Compares ten soups in one store with ten stores of one soup (PERF-15).
enum PartitionCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.flatMap { entries in
            let corpus = PartitionedCorpus(documents: GeneratedCorpus(seed: scope.seed), entries: entries)
            return [
                cell("partition-query", "finds 100 entries by a key, in ten soups in turn", corpus) {
                    try corpus.find($0)
                },
                cell("partition-upsert", "upserts 10 entries into each of ten soups, in a transaction of each", corpus)
                { try corpus.add($0, turn: 1) },
            ]
        }
    }

    private static func cell(
        _ name: String, _ summary: String, _ corpus: PartitionedCorpus,
        _ work: @escaping @Sendable (_ stores: [SmartStore]) throws -> [[UInt8]]
    ) -> Cell {
        let isRead = name == "partition-query"
        return Cell(
            name, ["entries": String(corpus.entries)], revision: 2, summary: summary,
            arms: Arm.all("one-store", "ten-stores"),
            comparisons: Cell.Comparison.ways("ten-stores", "one-store"), style: isRead ? .repeated : .once,
            pairs: corpus.entries > 10_000 ? 6 : 10,
            profile: .full,
            claims: Claim.onBackends(
                "PERF-15",
                isRead
                    ? "queries are faster in small stores than in one large one"
                    : "upserts cost less processor time in small stores than in one large one",
                metric: isRead ? .wall : .cpu
            ) {
                .slower(base: Arm($0, "ten-stores"), arm: Arm($0, "one-store"), atLeast: 1.05)
            }
        ) { arm, workplace in
            let name = "partition-\(corpus.entries)-\(arm.way)"
            let make = { (folder: String) in try corpus.fill(folder, arm) }
            let folder =
                try isRead ? workplace.template(name, make: make) : workplace.copy(ofTemplate: name, make: make)
            let stores = try corpus.open(arm, in: folder)
            // The first write to a file creates its log, which is not part of the comparison.
            if !isRead {
                _ = try corpus.add(stores, turn: 0)
            }
            return StoresSubject(stores, folder: folder, work)
        }
    }
}

/// Documents distributed over ten soups.
private struct PartitionedCorpus: Sendable {
    let documents: GeneratedCorpus
    let entries: Int

    static let soups = 10

    var share: Int { max(1, entries / Self.soups) }
    func soup(_ number: Int) -> String { "soup-\(number)" }

    /// A store for each soup, or one for all.
    func open(_ arm: Arm, in folder: String) throws -> [SmartStore] {
        guard arm.way == "ten-stores" else {
            return [try StorageArm.open(arm, in: folder)]
        }
        return try (0..<Self.soups).map { number in
            try Folders.make(folder + "/\(number)")
            // Together they have the cache of one store, or ten times the memory would be part of what is compared.
            return try StorageArm.open(arm, in: folder + "/\(number)") { $0.settings.cacheSize /= Self.soups }
        }
    }

    func fill(_ folder: String, _ arm: Arm) throws {
        let stores = try open(arm, in: folder)
        for number in 0..<Self.soups {
            let store = stores[number % stores.count]
            _ = try store.registerSoup(
                soup(number), indexSpecs: [.string("key"), .string("category"), .integer("amount")])
            for start in stride(from: 0, to: share, by: StoreCorpus.batch) {
                try store.upsert(
                    (start..<min(start + StoreCorpus.batch, share)).map { documents.document(at: number * share + $0) },
                    into: soup(number))
            }
        }
        for store in stores {
            try store.close()
        }
    }

    func find(_ stores: [SmartStore]) throws -> [[UInt8]] {
        var random = SplitMix(seed: documents.seed ^ 0x9A7)
        return try (0..<100).flatMap { turn -> [[UInt8]] in
            let number = turn % Self.soups
            let key = documents.key(of: number * share + Int(random.next(below: UInt64(share))))
            return try stores[number % stores.count].query(
                .exact(path: "key", matchKey: .string(key)), soup: soup(number)
            ).currentPage.entries.map { Array($0) }
        }
    }

    func add(_ stores: [SmartStore], turn: Int) throws -> [[UInt8]] {
        try (0..<Self.soups).flatMap { number in
            try stores[number % stores.count].upsert(
                (0..<10).map { documents.document(at: entries + (turn * Self.soups + number) * 10 + $0) },
                into: soup(number))
        }
    }
}

/// Work on several open stores.
private final class StoresSubject: Subject {
    private let stores: [SmartStore]
    private let folder: String
    private let work: ([SmartStore]) throws -> [[UInt8]]
    private var found: [[UInt8]] = []

    init(_ stores: [SmartStore], folder: String, _ work: @escaping ([SmartStore]) throws -> [[UInt8]]) {
        self.stores = stores
        self.folder = folder
        self.work = work
    }

    func run(_ watch: Stopwatch) throws -> Int {
        found = try work(stores)
        return found.count
    }

    func digest(into digest: inout ContentDigest) throws { for entry in found { digest.add(entry: entry) } }
    var evidence: Evidence? { Evidence(folder: folder, markers: [GeneratedCorpus.marker]) }
    func close() throws { for store in stores { try store.close() } }
}
