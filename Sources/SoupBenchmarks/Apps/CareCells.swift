import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// What looking after a store costs (APP-100): a copy, a check, and opening it to be inspected.
enum CareCells: CellSource {
    private static let arms: [Arm] = [.plain, .cipherOff, .cipher]

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return StoreCorpus.all(scope).filter { $0.count <= 10_000 }.flatMap { [backup($0), check($0), inspect($0)] }
    }

    private static func backup(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "backup", corpus.parameters(), revision: 1,
            summary: "copies the filled store under the same key, checks the copy and brings it to the disk",
            arms: arms,
            comparisons: Cell.Comparison.backends, style: .once, profile: .full
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            let copy = folder + "/copy.db"
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                try store.backupNow(to: copy).soups.reduce(0) { $0 + $1.entries }
            } answer: { _, digest in
                var options = try StorageArm.options(of: arm)
                options.access = .readOnly
                let opened = try SmartStore(path: copy, options: options)
                for entry in try opened.read({ try $0.entries(.all(), in: StoreCorpus.soup) }) {
                    digest.add(entry: Array(entry))
                }
                try opened.close()
            }
        }
    }

    private static func check(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "check", corpus.parameters(), revision: 1,
            summary: "checks pages, indexes, columns and full text of the filled store", arms: arms,
            comparisons: Cell.Comparison.backends, profile: .full
        ) { arm, workplace in
            let folder = try corpus.filled(workplace)
            var findings = -1
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                findings = try store.integrityCheckNow().findings.count
                return 1
            } answer: { _, digest in
                digest.add(findings)
            }
        }
    }

    private static func inspect(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "inspect-open", corpus.parameters(), revision: 1,
            summary: "opens the filled store for reading only, counts its entries, closes it", arms: arms,
            comparisons: Cell.Comparison.backends, profile: .full
        ) { arm, workplace in
            InspectingSubject(arm, try corpus.filled(workplace), corpus.questions.markers)
        }
    }
}

/// Opens for reading only and closes, as `soup inspect` does; nothing is open in between.
private final class InspectingSubject: Subject {
    private let arm: Arm
    private let folder: String
    private let markers: [[UInt8]]
    private var count = 0

    init(_ arm: Arm, _ folder: String, _ markers: [[UInt8]]) {
        self.arm = arm
        self.folder = folder
        self.markers = markers
    }

    func run(_ watch: Stopwatch) throws -> Int {
        let store = try StorageArm.open(arm, in: folder) { $0.access = .readOnly }
        count = try store.count(.all(), soup: StoreCorpus.soup)
        try store.close()
        return 1
    }

    func digest(into digest: inout ContentDigest) throws { digest.add(count) }

    var evidence: Evidence? { Evidence(folder: folder, markers: markers) }
}
