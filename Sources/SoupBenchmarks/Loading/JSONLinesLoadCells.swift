import Benchmarking
import OfflineStore
import Platform
import Soups

/// Loads a file of JSON lines, and measures how much the process grows during that: the file may be of any length, the
/// memory may not.
enum JSONLinesLoadCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.map { cell(ReferenceCorpus(entries: $0, indexes: 1)) }
    }

    /// From before the first arm of a process was prepared, whatever order the arms come in: no arm hides its growth in
    /// what an earlier one left.
    private static let memory = ProcessMemory()

    private static func cell(_ corpus: ReferenceCorpus) -> Cell {
        let arms: [Arm] = [.plain, .cipherOff, .cipher]
        return Cell(
            "load-json-lines", ["entries": String(corpus.entries)], revision: 1,
            summary: "loads a file of JSON lines, 1,000 entries a transaction", arms: arms,
            comparisons: Cell.Comparison.backends, style: .once, pairs: corpus.entries > 100_000 ? 1 : 6,
            profile: .full,
            claims: [Arm.plain, .cipher].map { arm in
                Claim(
                    "LOAD-memory",
                    "whatever the length of the file, a process that loads it stays within 64 MB beyond its start",
                    backend: arm.name,
                    metric: .memoryGrowth, .cost(arm: arm, atMost: 64_000_000))
            }
        ) { arm, workplace in
            let memory = memory
            let file =
                try workplace.template("lines-\(corpus.entries)") { try write(corpus, to: $0 + "/lines.jsonl") }
                + "/lines.jsonl"
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(ReferenceCorpus.soup, indexSpecs: corpus.specs(.string))
            return StoreSubject(store, folder: workplace.folder, markers: corpus.markers) { store, _ in
                try store.load(jsonLines: file, into: ReferenceCorpus.soup).entries
            } answer: { store, digest in
                try StoreSubject.allEntries(of: ReferenceCorpus.soup, upTo: corpus.entries)(store, &digest)
            }.countingGrowth(since: memory)
        }
    }

    private static func write(_ corpus: ReferenceCorpus, to path: String) throws {
        do throws(SystemError) {
            let file = try FileWriter(path)
            for index in 0..<corpus.entries {
                try file.write(corpus.entry(index) + [UInt8(ascii: "\n")])
            }
            try file.finish()
        } catch {
            throw Fault(.inputOutput, "\(path) cannot be written: \(error.reason)")
        }
    }
}
