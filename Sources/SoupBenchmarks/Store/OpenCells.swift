import Benchmarking
import OfflineStore
import Soups

/// Opens a store until its soups are known, and measures its size on the disk.
enum OpenCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).flatMap { corpus in
            [
                Cell(
                    "open-raw-key", corpus.parameters(), revision: 1,
                    summary: "opens a store with a raw key, asks for its soups, closes it",
                    arms: [.plain, .cipherOff, .cipher], comparisons: Cell.Comparison.backends
                ) { try opening($0, corpus, $1) },
                Cell(
                    "open-passphrase", corpus.parameters(), revision: 1,
                    summary: "opens a store with a passphrase, which pays the key derivation",
                    arms: [.plain, .cipher, .passphrase],
                    comparisons: [.init(.cipher, .passphrase), .init(.plain, .passphrase)], pairs: 6
                ) { try opening($0, corpus, $1) },
                Cell(
                    "file-size", corpus.parameters(), revision: 1, summary: "bytes of the filled store",
                    arms: [.plain, .cipherOff, .cipher],
                    comparisons: Cell.Comparison.backends, style: .counted, primary: .fileBytes, pairs: 1
                ) { _, workplace in SizeSubject(folder: try corpus.filled(workplace), markers: corpus.questions.markers)
                },
            ]
        }
    }

    private static func opening(_ arm: Arm, _ corpus: StoreCorpus, _ workplace: Workplace) throws -> any Subject {
        OpeningSubject(arm: arm, folder: try corpus.filled(workplace), markers: corpus.questions.markers)
    }
}

/// Opens and closes; nothing is open in between.
private final class OpeningSubject: Subject {
    private let arm: Arm
    private let folder: String
    private let markers: [[UInt8]]
    private var found: [String] = []

    init(arm: Arm, folder: String, markers: [[UInt8]]) {
        self.arm = arm
        self.folder = folder
        self.markers = markers
    }

    func run(_ watch: Stopwatch) throws -> Int {
        let store = try StorageArm.open(arm, in: folder)
        found = try store.allSoupNames()
        try store.close()
        return 1
    }

    func digest(into digest: inout ContentDigest) throws { for name in found { digest.add(name) } }

    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
}
