import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// What keys cost apart from reading and writing: deriving one from a passphrase, and changing it.
enum KeyCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).enumerated().flatMap { index, corpus in
            // The derivation does not depend on the size of the store.
            [rekey(corpus)] + (index == 0 ? [derivation(corpus)] : [])
        }
    }

    // MARK: - Iterations

    private static let iterations = [4_000, 64_000, 256_000]

    private static func way(_ iterations: Int) -> String { "iterations-\(iterations)" }

    private static func derivation(_ corpus: StoreCorpus) -> Cell {
        let arms = iterations.map { Arm("passphrase", way($0)) }
        return Cell(
            "open-iterations", corpus.parameters(), revision: 1,
            summary: "opens an empty store with a passphrase, by the iterations of the key derivation", arms: arms,
            comparisons: arms.dropFirst().map { .init(arms[0], $0) }, pairs: 6, profile: .full,
            claims: zip(arms.dropFirst(), [8.0, 32]).map { arm, factor in
                Claim(
                    "PERF-20", "64,000 and 256,000 iterations make opening slower in proportion", backend: "cipher",
                    .slower(base: arms[0], arm: arm, atLeast: factor))
            }
        ) { arm, workplace in
            let count = iterations.first { ByteKey(way($0)) == ByteKey(arm.way) }
            let folder = workplace.folder
            func open() throws -> SmartStore {
                try StorageArm.open(arm, in: folder) { $0.settings.cipher.kdfIterations = count }
            }
            let store = try open()
            _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("key")])
            try store.close()
            var names: [String] = []
            return Computation {
                let store = try open()
                names = try store.allSoupNames()
                try store.close()
                return 1
            } answer: { digest in
                for name in names {
                    digest.add(name)
                }
            }
        }
    }

    // MARK: - Change of key

    private static func rekey(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "rekey", corpus.parameters(), revision: 1,
            summary: "changes the key of a filled store: to another raw key, and to a passphrase",
            arms: [.cipher, .passphrase], comparisons: [.init(.cipher, .passphrase)], style: .once,
            pairs: corpus.count >= 10_000 ? 6 : 10, profile: .full
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let store = try StorageArm.open(arm, in: folder)
            let key =
                arm.work == .passphrase
                ? try Key(passphrase: "another passphrase of a benchmark")
                : try Key(raw: [UInt8](repeating: 9, count: 32))
            return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { store, _ in
                try store.rekey(to: key)
                return corpus.count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
            }
        }
    }
}
