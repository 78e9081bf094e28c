import Benchmarking
import OfflineStore
import Soups

/// The documents of storage cells: generated ones, or a user's file. One soup, `items`, holds them.
struct StoreCorpus: Sendable {
    enum Source: Sendable {
        case generated(GeneratedCorpus)
        case documents(DocumentCorpus)
    }

    let source: Source
    let count: Int

    static let soup = "items"
    /// Entries in a transaction, as in the design's floors.
    static let batch = 1_000

    /// The corpora of a scope: the user's documents, or the generated ones at all sizes.
    static func all(_ scope: CellScope) -> [StoreCorpus] {
        if let documents = scope.documents as? DocumentCorpus {
            return [StoreCorpus(source: .documents(documents), count: documents.count)]
        }
        return scope.sizes.map { StoreCorpus(source: .generated(GeneratedCorpus(seed: scope.seed)), count: $0) }
    }

    var isGenerated: Bool {
        if case .generated = source {
            true
        } else {
            false
        }
    }

    /// The parameters of all cells of this corpus, together with those of a cell.
    func parameters(_ own: KeyValuePairs<String, String> = [:]) -> KeyValuePairs<String, String> {
        switch (source, own.first) {
        case (.generated, nil): ["entries": String(count)]
        case (.generated, let other?): ["entries": String(count), other.key: other.value]
        case (.documents(let documents), nil): ["corpus": documents.name, "entries": String(count)]
        case (.documents(let documents), let other?):
            ["corpus": documents.name, "entries": String(count), other.key: other.value]
        }
    }

    /// All kinds of indexes, for the cells that read.
    var indexes: [IndexSpec] {
        switch source {
        case .generated:
            [.string("key"), .string("category"), .integer("amount"), .json1("address.city"), .fullText("body")]
        case .documents(let documents): documents.indexes
        }
    }

    var questions: CorpusQuestions {
        switch source {
        case .documents(let documents): return documents.questions
        case .generated(let generated):
            var random = SplitMix(seed: generated.seed ^ 0xA5C)
            return CorpusQuestions(
                keyPath: "key",
                keys: (0..<64).map { _ in .string(generated.key(of: Int(random.next(below: UInt64(count))))) },
                matchPath: "body",
                rareWord: GeneratedCorpus.rareWord, commonWord: GeneratedCorpus.commonWord,
                markers: [GeneratedCorpus.marker])
        }
    }

    /// Passes all documents on, a batch at a time. Generating or reading a batch happens inside `pause`, so that a
    /// clock can be stopped.
    func forEachBatch(
        pause: (() throws -> [[UInt8]]) throws -> [[UInt8]] = { try $0() }, _ body: ([[UInt8]]) throws -> Void
    ) throws {
        switch source {
        case .generated(let generated):
            for start in stride(from: 0, to: count, by: Self.batch) {
                try body(try pause { (start..<min(start + Self.batch, count)).map { generated.document(at: $0) } })
            }
        case .documents(let documents):
            let lines = try DocumentLines(path: documents.path)
            while true {
                let batch = try pause {
                    var batch: [[UInt8]] = []
                    while batch.count < Self.batch, let line = try lines.next() {
                        batch.append(line)
                    }
                    return batch
                }
                if batch.isEmpty {
                    return
                }
                try body(batch)
            }
        }
    }

    /// A folder with a store that holds all documents, created once in a run for each arm.
    func filled(_ workplace: Workplace) throws -> String {
        try workplace.template(templateName) { try fill($0, workplace.arm) }
    }

    /// A copy of that folder, for work that changes it.
    func filledCopy(_ workplace: Workplace) throws -> String {
        try workplace.copy(ofTemplate: templateName) { try fill($0, workplace.arm) }
    }

    private var templateName: String { "filled-\(count)" }

    private func fill(_ folder: String, _ arm: Arm) throws {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(Self.soup, indexSpecs: indexes)
        try forEachBatch { try store.upsert($0, into: Self.soup) }
        try store.close()
    }

    /// Entries for an upsert that replaces some entries of the filled store, drawn from the seed: each gets the content
    /// of another, so that every index changes.
    func replacements(_ wanted: Int, in store: SmartStore, seed: UInt64) throws -> [[UInt8]] {
        let ids = ids(2 * wanted, seed: seed)
        // Read inside a writing transaction, so that no second connection fills a cache of its own.
        let contents = try store.transaction { _ in
            try store.retrieve(ids: Array(ids.suffix(wanted)), from: Self.soup)
        }
        return zip(ids, contents).map { EntryText.withID($0, $1) }
    }

    /// Returns some ids of the filled store, drawn from the seed: the same for all arms.
    func ids(_ wanted: Int, seed: UInt64) -> [Int64] {
        var random = SplitMix(seed: seed ^ 0x1D5)
        return (0..<wanted).map { _ in Int64(1 + random.next(below: UInt64(max(count, 1)))) }
    }
}
