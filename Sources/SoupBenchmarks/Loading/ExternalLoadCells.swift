import Benchmarking
import OfflineStore
import Soups

/// Compares soups with external storage with ordinary ones: the reference's loads of external soups, and the size from
/// which external storage is faster (PERF-12).
enum ExternalLoadCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil, let entries = scope.sizes.first else {
            return []
        }
        let largest = scope.profile.name == .smoke ? 64 : 5_120
        return [load(ReferenceCorpus(entries: entries, indexes: 1))]
            + [64, 1_024, 5_120].filter { $0 <= largest }.map(elements)
    }

    private static func open(_ arm: Arm, in folder: String) throws -> SmartStore {
        let store = try StorageArm.open(arm, in: folder)
        let features: [SoupFeature] = arm.way == "external" ? [.externalStorage] : []
        _ = try store.registerSoup(
            SoupSpec(name: ReferenceCorpus.soup, features: features), indexSpecs: [.string("k_0")])
        return store
    }

    private static func load(_ corpus: ReferenceCorpus) -> Cell {
        Cell(
            "load-external", corpus.parameters, revision: 1,
            summary: "loads all entries, \(ReferenceCorpus.batch) a transaction; a unit is a transaction",
            arms: Arm.all("internal", "external"), comparisons: Cell.Comparison.ways("internal", "external"),
            style: .once, pairs: 6, profile: .full
        ) { arm, workplace in
            StoreSubject(try open(arm, in: workplace.folder), folder: workplace.folder, markers: corpus.markers) {
                store, watch in
                try corpus.load(into: store, watch)
            } answer: { store, digest in
                try StoreSubject.allEntries(of: ReferenceCorpus.soup, upTo: corpus.entries)(store, &digest)
            }
        }
    }

    /// The reference's sizes: 25 elements of 1 MiB, and elements of five fields of 512 KiB, here twice as long.
    private static func elements(_ kilobytes: Int) -> Cell {
        let count = kilobytes > 1_024 ? 5 : 25
        let corpus = ReferenceCorpus(entries: count, fields: 5, characters: kilobytes * 1_024 / 5, indexes: 1)
        let claims =
            kilobytes < 1_024
            ? Claim.onBackends("PERF-12", "below 1 MB an element in a file of its own is no faster") {
                .slower(base: Arm($0, "internal"), arm: Arm($0, "external"), atLeast: 1)
            }
            : Claim.onBackends("PERF-12", "from 1 MB an element in a file of its own is faster") {
                .ratio(base: Arm($0, "internal"), arm: Arm($0, "external"), atMost: 0.95)
            }
        return Cell(
            "external-elements", ["elements": String(count), "kilobytes": String(kilobytes)], revision: 1,
            summary: "upserts elements of five fields, each in a transaction of its own, and retrieves them",
            arms: Arm.all("internal", "external"),
            comparisons: Cell.Comparison.ways("internal", "external"), style: .once, pairs: 6, profile: .full,
            claims: claims
        ) { arm, workplace in
            let entries = (0..<count).map { corpus.entry($0) }
            var found: [[UInt8]] = []
            return StoreSubject(try open(arm, in: workplace.folder), folder: workplace.folder, markers: corpus.markers)
            {
                store, _ in
                for entry in entries {
                    try store.upsert([entry], into: ReferenceCorpus.soup)
                }
                found = try (1...count).flatMap { try store.retrieve(ids: [Int64($0)], from: ReferenceCorpus.soup) }
                return found.count
            } answer: { _, digest in
                for entry in found {
                    digest.add(entry: entry)
                }
            }
        }
    }
}
