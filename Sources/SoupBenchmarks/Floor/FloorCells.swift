import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Compares the store with the same statements in direct calls of the same SQLite library: the difference is the cost
/// of the store itself.
enum FloorCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil, let size = scope.sizes.first(where: { $0 >= 10_000 }) ?? scope.sizes.last else {
            return []
        }
        let corpus = StoreCorpus(source: .generated(GeneratedCorpus(seed: scope.seed)), count: size)
        return [upsert(corpus), retrieve(corpus), retrieveMany(corpus), page(corpus)]
    }

    private static func atMost(
        _ id: String, _ statement: String, _ bound: Double, base: Arm = .floor, arm: Arm = .plain
    ) -> Claim {
        Claim(id, statement, backend: "plain", .ratio(base: base, arm: arm, atMost: bound))
    }

    private static func makeSoup(_ folder: String, _ arm: Arm) throws -> SmartStore {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: FloorStore.indexes)
        return store
    }

    /// A store with three string indexes, filled once in a run for each arm.
    private static func filled(_ corpus: StoreCorpus, _ workplace: Workplace) throws -> String {
        try workplace.template("floor-\(corpus.count)") { folder in
            let store = try makeSoup(folder, workplace.arm)
            try corpus.forEachBatch { try store.upsert($0, into: StoreCorpus.soup) }
            try store.close()
        }
    }

    // MARK: - Upsert

    private static func upsert(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "floor-upsert", corpus.parameters(), revision: 1,
            summary:
                "inserts all documents, \(StoreCorpus.batch) a transaction, 3 string indexes; the floor binds what the store would",
            arms: [.floor, .plain],
            comparisons: [.init(.floor, .plain)], style: .once,
            claims: [atMost("FLOOR-upsert", "an upsert costs at most 1.15 x bare calls", 1.15)]
        ) { arm, workplace in
            if arm == .floor {
                let source = try FloorStore(arm, in: try filled(corpus, workplace))
                let script = try source.inserts()
                source.connection.close()
                try makeSoup(workplace.folder, arm).close()
                return FloorSubject(
                    try FloorStore(arm, in: workplace.folder), folder: workplace.folder,
                    markers: corpus.questions.markers
                ) { floor in
                    try floor.connection.runFloor(script, batch: StoreCorpus.batch)
                    return script.count
                } answer: { floor, digest in
                    digest.add(corpus.count)
                    try FloorSubject.feed(FloorStore.allEntries, floor.connection, into: &digest)
                }
            }
            var batches: [[[UInt8]]] = []
            try corpus.forEachBatch { batches.append($0) }
            return StoreSubject(
                try makeSoup(workplace.folder, arm), folder: workplace.folder, markers: corpus.questions.markers
            ) { store, _ in
                for batch in batches {
                    try store.upsert(batch, into: StoreCorpus.soup)
                }
                return corpus.count
            } answer: { store, digest in
                digest.add(corpus.count)
                for id in 1...corpus.count {
                    for entry in try store.retrieve(ids: [Int64(id)], from: StoreCorpus.soup) {
                        digest.add(entry: entry)
                    }
                }
            }
        }
    }

    // MARK: - Retrieve

    private static func retrieve(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "floor-retrieve", corpus.parameters(), revision: 3, summary: "retrieves 2,000 entries by id, one a call",
            arms: [.floor, .plain],
            comparisons: [.init(.floor, .plain)],
            claims: [atMost("FLOOR-retrieve", "a retrieval by id costs at most 1.10 x bare calls", 1.10)]
        ) { arm, workplace in
            let folder = try filled(corpus, workplace)
            let ids = corpus.ids(2_000, seed: workplace.seed)
            if arm == .floor {
                let script = FloorStore.ids(ids)
                return FloorSubject(try FloorStore(arm, in: folder), folder: folder, markers: corpus.questions.markers)
                { floor in
                    Int(try floor.connection.runFloor(script).rows)
                } answer: { floor, digest in
                    for id in ids {
                        try FloorSubject.feed(
                            "SELECT soup FROM TABLE_1 WHERE id = \(id)", floor.connection, into: &digest)
                    }
                }
            }
            // Entries are released as they are read, as in the floor: keeping 2,000 of them would measure the
            // allocator.
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                var found = 0
                for id in ids where try store.retrieve(id: id, from: StoreCorpus.soup) != nil {
                    found += 1
                }
                return found
            } answer: { store, digest in
                for id in ids {
                    if let entry = try store.retrieve(id: id, from: StoreCorpus.soup) {
                        digest.add(entry: entry)
                    }
                }
            }
        }
    }

    private static let oneCall = Arm("plain/one-call")
    private static let manyCalls = Arm("plain/many-calls")

    private static func retrieveMany(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "retrieve-100", corpus.parameters(), revision: 1,
            summary: "retrieves 20 times 100 entries: in one call each, or in 100 calls",
            arms: [oneCall, manyCalls], comparisons: [.init(oneCall, manyCalls)],
            claims: [
                Claim(
                    "FLOOR-retrieve-100", "100 ids in one call are at least twice as fast as 100 calls",
                    backend: "plain", .slower(base: oneCall, arm: manyCalls, atLeast: 2))
            ]
        ) { arm, workplace in
            let folder = try filled(corpus, workplace)
            let groups = (0..<20).map { group in
                Array(Set(corpus.ids(120, seed: workplace.seed &+ UInt64(group)))).sorted().prefix(100)
            }
            var found: [[UInt8]] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                found.removeAll(keepingCapacity: true)
                for group in groups {
                    if arm == oneCall {
                        found += try store.retrieve(ids: Array(group), from: StoreCorpus.soup)
                    } else {
                        for id in group {
                            found += try store.retrieve(ids: [id], from: StoreCorpus.soup)
                        }
                    }
                }
                return found.count
            } answer: { _, digest in
                for entry in found {
                    digest.add(entry: entry)
                }
            }
        }
    }

    // MARK: - Page

    private static let asText = Arm("plain/text")

    private static func page(_ corpus: StoreCorpus) -> Cell {
        let spec = QuerySpec.all(orderPath: "key", pageSize: 100)
        let count = max(1, min(50, corpus.count / 100))
        return Cell(
            "floor-page", corpus.parameters(), revision: 2,
            summary: "reads \(count) pages of 100 entries one after the other, as bytes or as String",
            arms: [.floor, .plain, asText], comparisons: [.init(.floor, .plain), .init(.floor, asText)],
            claims: [
                atMost("FLOOR-page", "a page of a cursor costs at most 1.05 x bare calls", 1.05),
                atMost("FLOOR-page-text", "a page as String costs at most 1.25 x bare calls", 1.25, arm: asText),
            ]
        ) { arm, workplace in
            let folder = try filled(corpus, workplace)
            if arm == .floor {
                let floor = try FloorStore(arm, in: folder)
                let script = try floor.pages(spec, count: count)
                return FloorSubject(floor, folder: folder, markers: corpus.questions.markers) { floor in
                    Int(try floor.connection.runFloor(script).rows)
                } answer: { floor, digest in
                    try FloorSubject.feed(
                        "SELECT soup FROM TABLE_1 ORDER BY TABLE_1_0, id LIMIT \(count * spec.pageSize)",
                        floor.connection, into: &digest)
                }
            }
            let store = try StorageArm.open(arm, in: folder)
            let cursor = try store.query(spec, soup: StoreCorpus.soup)
            // Pages are released as the cursor moves on, as a list on a screen does; the answer reads them again.
            func walk(_ visit: (StorePage) -> Void) throws -> Int {
                var page = try cursor.moveToPage(0)
                var done = 0
                for index in 0..<count {
                    if index > 0 {
                        page = try cursor.moveToNextPage()
                    }
                    visit(page)
                    done += page.count
                }
                return done
            }
            var bytes = 0
            return StoreSubject(store, folder: folder, markers: corpus.questions.markers) { _, _ in
                try walk { page in
                    if arm == asText {
                        for index in 0..<page.count {
                            bytes += page.entries.text(at: index).utf8.count
                        }
                    }
                }
            } answer: { _, digest in
                _ = try walk { page in for entry in page.entries { digest.add(entry: Array(entry)) } }
            }
        }
    }
}
