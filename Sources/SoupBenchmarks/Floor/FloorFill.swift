import Benchmarking
import OfflineStore
import Soups

/// The documents and stores of `StoreFloorCells`, the same for the store and for the floor.
struct FloorFill: Sendable {
    let corpus: StoreCorpus

    static let strings: [IndexSpec] = FloorStore.indexes
    static let json1: [IndexSpec] = [.json1("key"), .json1("category"), .json1("name")]
    static let fullText: [IndexSpec] = [.string("key"), .fullText("name"), .fullText("body")]

    init(_ corpus: StoreCorpus) { self.corpus = corpus }

    // MARK: - Stores

    func empty(_ arm: Arm, in folder: String, _ indexes: [IndexSpec]) throws -> SmartStore {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: indexes)
        return store
    }

    /// A folder with a store that holds all documents, filled once in a run for each arm.
    func filled(_ workplace: Workplace, _ indexes: [IndexSpec]) throws -> String {
        try workplace.template(name(indexes)) { try fill($0, workplace.arm, indexes) }
    }

    func filledCopy(_ workplace: Workplace, _ indexes: [IndexSpec]) throws -> String {
        try workplace.copy(ofTemplate: name(indexes)) { try fill($0, workplace.arm, indexes) }
    }

    private func name(_ indexes: [IndexSpec]) -> String {
        "floor-\(indexes.map(\.type.rawValue).joined(separator: "-"))-\(corpus.count)"
    }

    private func fill(_ folder: String, _ arm: Arm, _ indexes: [IndexSpec]) throws {
        let store = try empty(arm, in: folder, indexes)
        try corpus.forEachBatch { try store.upsert($0, into: StoreCorpus.soup) }
        try store.close()
    }

    // MARK: - Documents

    func batches() throws -> [[[UInt8]]] {
        var batches: [[[UInt8]]] = []
        try corpus.forEachBatch { batches.append($0) }
        return batches
    }

    /// All ids in an order drawn from the seed.
    func shuffled(_ seed: UInt64) -> [Int64] {
        var random = SplitMix(seed: seed ^ 0xF1_00)
        var ids = (0..<corpus.count).map { Int64($0 + 1) }
        random.shuffle(&ids)
        return ids
    }

    /// Entries for an upsert that replaces these: each gets the content of another document, so that every index
    /// changes.
    func replacements(of ids: [Int64]) -> [[UInt8]] {
        guard case .generated(let generated) = corpus.source else { return [] }
        return ids.map { id in
            let document = generated.document(at: Int(id - 1), version: 1)
            return Array(#"{"_soupEntryId":\#(id),"#.utf8) + document.dropFirst()
        }
    }

    // MARK: - Subjects

    /// Writing work of the store; the answer is the whole soup, and what the full text finds.
    func store(
        _ store: SmartStore, _ folder: String, _ indexes: [IndexSpec], work: @escaping (SmartStore) throws -> Int
    ) -> StoreSubject {
        self.store(store, folder, work: work) { store, digest in
            for id in 1...corpus.count {
                if let entry = try store.retrieve(id: Int64(id), from: StoreCorpus.soup) {
                    digest.add(entry: entry)
                }
            }
            for spec in Self.proof(indexes) {
                digest.add(try store.count(spec, soup: StoreCorpus.soup))
            }
        }
    }

    func store(
        _ store: SmartStore, _ folder: String, work: @escaping (SmartStore) throws -> Int,
        answer: @escaping StoreSubject.Answer
    ) -> StoreSubject {
        StoreSubject(
            store, folder: folder, markers: corpus.questions.markers, work: { store, _ in try work(store) },
            answer: answer)
    }

    /// The same work in bare calls; the answer is the whole soup, and what the full text finds.
    func floor(
        _ floor: FloorStore, _ folder: String, work: @escaping (FloorStore) throws -> Int
    ) -> FloorSubject {
        self.floor(floor, folder, work: work) { floor, digest in
            try FloorSubject.feed(FloorStore.allEntries, floor.connection, into: &digest)
            for spec in Self.proof(floor.soup.indexSpecs) {
                digest.add(try floor.count(spec))
            }
        }
    }

    func floor(
        _ floor: FloorStore, _ folder: String, work: @escaping (FloorStore) throws -> Int,
        answer: @escaping (FloorStore, inout ContentDigest) throws -> Void
    ) -> FloorSubject {
        FloorSubject(floor, folder: folder, markers: corpus.questions.markers, work: work, answer: answer)
    }

    /// Queries whose counts show that the indexes were written too.
    private static func proof(_ indexes: [IndexSpec]) -> [QuerySpec] {
        let texts = indexes.filter { $0.type == .fullText }.map {
            QuerySpec.match(path: $0.path, matchKey: GeneratedCorpus.commonWord)
        }
        let strings = indexes.filter { $0.type == .string }.map { QuerySpec.like(path: $0.path, likeKey: "%1%") }
        return texts + strings
    }
}
