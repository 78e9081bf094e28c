import Benchmarking
import OfflineStore
import Soups

/// Creates the entries of the reference's native load tests: fields `k_0`, `k_1`, … of padded values, loaded in batches
/// of a hundred. The case of 1,000 fields of 1,000 characters, which the reference has commented out, is left out here
/// too.
struct ReferenceCorpus: Sendable {
    let entries: Int
    let fields: Int
    let characters: Int
    let indexes: Int

    static let soup = "load"
    static let batch = 100

    /// The four shapes of the reference; the last is the one with ten indexes.
    static let shapes: [(fields: Int, characters: Int, indexes: Int)] = [
        (1, 20, 1), (1, 1_000, 1), (10, 20, 1), (10, 20, 10),
    ]

    /// Ten short fields, of which `indexes` are indexed.
    init(entries: Int, indexes: Int) { self.init(entries: entries, fields: 10, characters: 20, indexes: indexes) }

    init(entries: Int, fields: Int, characters: Int, indexes: Int) {
        self.entries = entries
        self.fields = fields
        self.characters = characters
        self.indexes = indexes
    }

    var parameters: KeyValuePairs<String, String> {
        [
            "entries": String(entries), "fields": String(fields), "characters": String(characters),
            "indexes": String(indexes),
        ]
    }

    func specs(_ type: IndexType) -> [IndexSpec] { (0..<indexes).map { IndexSpec(path: "k_\($0)", type: type) } }

    /// The value of a field: `v_<batch>_<entry>_<field>_`, padded with x.
    func value(_ index: Int, field: Int) -> String {
        let text = "v_\(index / Self.batch)_\(index % Self.batch)_\(field)_"
        return text + String(repeating: "x", count: max(0, characters - text.utf8.count))
    }

    func entry(_ index: Int) -> [UInt8] {
        Array(
            ("{" + (0..<fields).map { "\"k_\($0)\":\"\(value(index, field: $0))\"" }.joined(separator: ",") + "}").utf8)
    }

    /// All entries, a hundred at a time. They are generated with the clock stopped.
    func forEachBatch(_ watch: Stopwatch?, _ body: ([[UInt8]]) throws -> Void) rethrows {
        for start in stride(from: 0, to: entries, by: Self.batch) {
            func make() -> [[UInt8]] { (start..<min(start + Self.batch, entries)).map { entry($0) } }
            try body(watch?.pause { make() } ?? make())
        }
    }

    /// Upserts all entries, each batch in a transaction; only that is measured. Returns the number of transactions.
    func load(into store: SmartStore, _ watch: Stopwatch) throws -> Int {
        var batches = 0
        try forEachBatch(watch) { batch in
            try store.upsert(batch, into: Self.soup)
            batches += 1
        }
        return batches
    }

    /// The beginning of the first value, which every plain store contains. (A long value is spread over several pages.)
    var markers: [[UInt8]] { [Array(value(0, field: 0).utf8.prefix(20))] }

    /// The number of pairs of a cell that loads or changes all entries.
    var pairs: Int { entries > 1_000 ? 6 : 10 }

    /// A folder with a store that holds all entries, created once in a run for each arm.
    func filled(_ workplace: Workplace, _ type: IndexType) throws -> String {
        try workplace.template(templateName(type)) { try fill($0, workplace.arm, type) }
    }

    /// A copy of that folder, for work that changes it.
    func filledCopy(_ workplace: Workplace, _ type: IndexType) throws -> String {
        try workplace.copy(ofTemplate: templateName(type)) { try fill($0, workplace.arm, type) }
    }

    private func templateName(_ type: IndexType) -> String {
        "load-\(entries)-\(fields)-\(characters)-\(indexes)-\(type.rawValue)"
    }

    private func fill(_ folder: String, _ arm: Arm, _ type: IndexType) throws {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(Self.soup, indexSpecs: specs(type))
        // The cost of loading is measured elsewhere; larger transactions save time here.
        var pending: [[UInt8]] = []
        try forEachBatch(nil) { batch in
            pending += batch
            guard pending.count >= StoreCorpus.batch else { return }
            try store.upsert(pending, into: Self.soup)
            pending.removeAll(keepingCapacity: true)
        }
        if !pending.isEmpty {
            try store.upsert(pending, into: Self.soup)
        }
        try store.close()
    }
}
