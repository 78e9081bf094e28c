import Benchmarking
import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// Values under names, compared with entries of a soup (APP-73): one written, one read, and a long one in pieces.
enum KeyValueCells: CellSource {
    private static let count = 200
    private static let longValue = 5 << 20

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [memory] + StoreCorpus.all(scope).filter { $0.count <= 1_000 }.flatMap { [set($0), get($0)] }
    }

    // MARK: - Short values

    /// A soup has at least one index. That of strings is what the unique keys of values are.
    private static func set(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "kv-set", corpus.parameters(["durability": "relaxed"]), revision: 1,
            summary: "stores \(count) documents of about 1 KB, each in a transaction of its own: as entries, as values",
            arms: Arm.all("upsert", "set"), comparisons: Cell.Comparison.ways("upsert", "set", sameAnswer: false),
            style: .once, profile: .full,
            claims: claims("a value costs at most 1.1 times as much to store as an entry", "upsert", "set", atMost: 1.1)
        ) { arm, workplace in
            let documents = try documents(corpus)
            guard arm.way == "set" else {
                let store = try StorageArm.open(arm, in: workplace.folder) { $0.settings.durability = .relaxed }
                try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("key")])
                return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
                    for document in documents {
                        try store.upsert([document], into: StoreCorpus.soup)
                    }
                    return documents.count
                } answer: { store, digest in
                    try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: documents.count)(store, &digest)
                }
            }
            let values = try open(arm, workplace.folder)
            return ValueSubject(values, workplace.folder, corpus.questions.markers) {
                for (index, document) in documents.enumerated() {
                    try values.set(document, for: key(index))
                }
                return documents.count
            } answer: { digest in
                for index in documents.indices {
                    digest.add(entry: try values.data(for: key(index)) ?? [])
                }
            }
        }
    }

    private static func get(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "kv-get", corpus.parameters(), revision: 2,
            summary: "reads \(count) values of about 1 KB, drawn at random, one a call: as entries, as values",
            arms: Arm.all("retrieve", "data"), comparisons: Cell.Comparison.ways("retrieve", "data"),
            profile: .full,
            claims: claims(
                "a value costs at most 1.3 times as much to read as an entry", "retrieve", "data", atMost: 1.3)
        ) { arm, workplace in
            let ids = corpus.ids(count, seed: workplace.seed)
            var found: [[UInt8]] = []
            let folder = try corpus.filledCopy(workplace)
            guard arm.way == "data" else {
                return StoreSubject(
                    try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers
                ) { store, _ in
                    found.removeAll(keepingCapacity: true)
                    for id in ids {
                        if let entry = try store.retrieve(id: id, from: StoreCorpus.soup) {
                            found.append(entry)
                        }
                    }
                    return ids.count
                } answer: { _, digest in
                    for entry in found {
                        digest.add(entry: entry)
                    }
                }
            }
            // The same texts, each under its id.
            let store = try StorageArm.open(arm, in: folder)
            let values = try open(arm, folder)
            try values.transaction {
                for id in 1...corpus.count {
                    for text in try store.retrieve(ids: [Int64(id)], from: StoreCorpus.soup) {
                        try values.set(text, for: key(id))
                    }
                }
            }
            try store.close()
            let keys = ids.map { key(Int($0)) }
            return ValueSubject(values, folder, corpus.questions.markers) {
                found.removeAll(keepingCapacity: true)
                for key in keys {
                    found += try values.data(for: key).map { [$0] } ?? []
                }
                return keys.count
            } answer: { digest in
                for value in found {
                    digest.add(entry: value)
                }
            }
        }
    }

    private static func claims(_ statement: String, _ base: String, _ arm: String, atMost: Double) -> [Claim] {
        Claim.onBackends("APP-73", statement) { .ratio(base: Arm($0, base), arm: Arm($0, arm), atMost: atMost) }
    }

    private static func documents(_ corpus: StoreCorpus) throws -> [[UInt8]] {
        var documents: [[UInt8]] = []
        try corpus.forEachBatch { documents += $0 }
        return Array(documents.prefix(count))
    }

    private static func key(_ index: Int) -> String { "key \(index)" }

    private static func open(_ arm: Arm, _ folder: String) throws -> KeyValueStore {
        var options = try StorageArm.options(of: arm)
        options.settings.durability = .relaxed
        return try KeyValueStore(path: folder + "/values.db", options: options)
    }

    // MARK: - A long one

    private static var memory: Cell {
        Cell(
            "kv-memory", ["megabytes": "5"], revision: 1, summary: "stores and reads a value of 5 MiB, in pieces",
            arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)], style: .once, primary: .memoryGrowth,
            pairs: 6, profile: .full,
            claims: [Arm.plain, .cipher].map { arm in
                Claim(
                    "APP-73", "a value of 5 MiB goes in and out with less than 16 MB of growth", backend: arm.name,
                    metric: .memoryGrowth, .cost(arm: arm, atMost: 16_000_000))
            }
        ) { arm, workplace in
            let values = try open(arm, workplace.folder)
            let memory = ProcessMemory()
            var growth: Int?
            let subject = ValueSubject(values, workplace.folder, [marker]) {
                var left = longValue
                try values.set(
                    from: ByteSource { buffer in
                        let count = min(buffer.count, left)
                        for index in 0..<count {
                            buffer[index] = marker[index % marker.count]
                        }
                        left -= count
                        return count
                    }, for: "long")
                let source = try values.source(for: "long")
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
                defer { buffer.deallocate() }
                var read = 0
                while let source, case let count = try source.read(into: buffer), count > 0 {
                    read += count
                }
                growth = memory.growth
                return read == longValue ? 1 : 0
            } answer: { digest in
                digest.add(Int(try values.size(of: "long") ?? 0))
            }
            subject.ownCounters = { growth.map { [(.memoryGrowth, $0)] } ?? [] }
            return subject
        }
    }

    private static let marker = Array("marker of a long value; ".utf8)
}

/// Work on an open key-value store.
private final class ValueSubject: Subject {
    private let values: KeyValueStore
    private let folder: String
    private let markers: [[UInt8]]
    private let work: () throws -> Int
    private let answer: (inout ContentDigest) throws -> Void
    var ownCounters: () -> [(Metric, Int)] = { [] }

    init(
        _ values: KeyValueStore, _ folder: String, _ markers: [[UInt8]], work: @escaping () throws -> Int,
        answer: @escaping (inout ContentDigest) throws -> Void
    ) {
        self.values = values
        self.folder = folder
        self.markers = markers
        self.work = work
        self.answer = answer
    }

    func run(_ watch: Stopwatch) throws -> Int { try work() }
    func digest(into digest: inout ContentDigest) throws { try answer(&digest) }
    func counters() throws -> [(Metric, Int)] { ownCounters() }
    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
    func close() throws { try values.close() }
}
