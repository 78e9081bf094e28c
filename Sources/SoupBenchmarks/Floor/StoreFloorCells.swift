import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Compares the store with bare calls on each back end, for every kind of work on a hot path.
///
/// These ratios gate in `soup check`: a slower store moves them, while a ratio of back ends is the same if both sides
/// run the same slower code.
enum StoreFloorCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil, let size = scope.sizes.min() else {
            return []
        }
        let corpus = StoreCorpus(source: .generated(GeneratedCorpus(seed: scope.seed)), count: size)
        let fill = FloorFill(corpus)
        return [
            upsert(fill, "string", FloorFill.strings), upsert(fill, "json1", FloorFill.json1),
            upsert(fill, "full-text", FloorFill.fullText), upsert(fill, "string", FloorFill.strings, idsOnly: true),
            update(fill), delete(fill), retrieve(fill), page(fill),
            queries(
                fill, "exact", "finds entries by a key, 64 queries", FloorFill.strings,
                corpus.questions.keys.map { .exact(path: "key", matchKey: $0, pageSize: 10) }),
            queries(
                fill, "match", "finds a rare word and a common one, first page of 10", FloorFill.fullText,
                [GeneratedCorpus.rareWord, GeneratedCorpus.commonWord].map {
                    .match(path: "body", matchKey: $0, pageSize: 10)
                }),
        ]
    }

    private static let floor = Arm.floorWay

    private static func cell(
        _ fill: FloorFill, _ work: String, _ summary: String, style: Cell.Style = .repeated,
        prepare: @escaping @Sendable (Arm, Workplace) throws -> any Subject
    ) -> Cell {
        Cell(
            "store-over-floor", fill.corpus.parameters(["work": work]), revision: 1,
            summary: summary + ": the store, and its statements in bare calls", arms: Arm.all(floor, "store"),
            comparisons: Cell.Comparison.ways(floor, "store"), style: style, pairs: 24,
            turns: style == .once ? 2 : 1, prepare: prepare)
    }

    // MARK: - Writing

    /// - Parameter idsOnly: Whether the store gives the ids alone, or the entries as they were stored.
    private static func upsert(
        _ fill: FloorFill, _ name: String, _ indexes: [IndexSpec], idsOnly: Bool = false
    ) -> Cell {
        let work = idsOnly ? "upsert-ids-" : "upsert-"
        let given = idsOnly ? ", and gives their ids" : ""
        return cell(
            fill, work + name, "inserts all documents into an empty soup (\(name) indexes)" + given, style: .once
        ) { arm, workplace in
            guard arm.way == floor else {
                let batches = try fill.batches()
                return fill.store(
                    try fill.empty(arm, in: workplace.folder, indexes), workplace.folder, indexes
                ) { store in
                    try batches.reduce(0) { count, batch in
                        idsOnly
                            ? try count + store.upsertIds(batch, into: StoreCorpus.soup).count
                            : try count + store.upsert(batch, into: StoreCorpus.soup).count
                    }
                }
            }
            let source = try FloorStore(arm, in: try fill.filled(workplace, indexes), indexes: indexes)
            let script = try source.inserts()
            source.connection.close()
            try fill.empty(arm, in: workplace.folder, indexes).close()
            return fill.floor(try FloorStore(arm, in: workplace.folder, indexes: indexes), workplace.folder) {
                try $0.connection.runFloor(script, batch: StoreCorpus.batch)
                return fill.corpus.count
            }
        }
    }

    private static func update(_ fill: FloorFill) -> Cell {
        let indexes = FloorFill.strings
        return cell(
            fill, "update", "replaces every entry with the content of another, in one transaction", style: .once
        ) {
            arm, workplace in
            let ids = fill.shuffled(workplace.seed)
            let folder = try fill.filledCopy(workplace, indexes)
            let entries = fill.replacements(of: ids)
            guard arm.way == floor else {
                return fill.store(try StorageArm.open(arm, in: folder), folder, indexes) {
                    try $0.upsert(entries, into: StoreCorpus.soup).count
                }
            }
            // What the store binds is read from a copy that it changed.
            let changed = workplace.folder + "/changed"
            try Folders.copy(folder, to: changed)
            let store = try StorageArm.open(arm, in: changed)
            _ = try store.upsert(entries, into: StoreCorpus.soup)
            try store.close()
            let source = try FloorStore(arm, in: changed, indexes: indexes)
            let script = try source.updates(of: ids)
            source.connection.close()
            return fill.floor(try FloorStore(arm, in: folder, indexes: indexes), folder) {
                try $0.connection.runFloor(script, batch: ids.count)
                return ids.count
            }
        }
    }

    private static func delete(_ fill: FloorFill) -> Cell {
        let indexes = FloorFill.strings
        return cell(fill, "delete", "removes every other entry, in one transaction", style: .once) { arm, workplace in
            let ids = stride(from: 1, through: fill.corpus.count, by: 2).map { Int64($0) }
            let folder = try fill.filledCopy(workplace, indexes)
            guard arm.way == floor else {
                return fill.store(try StorageArm.open(arm, in: folder), folder, indexes) {
                    try $0.remove(ids: ids, from: StoreCorpus.soup)
                    return ids.count
                }
            }
            let source = try FloorStore(arm, in: folder, indexes: indexes)
            let script = source.removals(of: ids)
            return fill.floor(source, folder) {
                try $0.connection.runFloor(script, batch: ids.count)
                return ids.count
            }
        }
    }

    // MARK: - Reading

    private static func retrieve(_ fill: FloorFill) -> Cell {
        let indexes = FloorFill.strings
        return cell(fill, "retrieve", "retrieves 2,000 entries by id, one a call") { arm, workplace in
            let folder = try fill.filled(workplace, indexes)
            let ids = fill.corpus.ids(2_000, seed: workplace.seed)
            guard arm.way == floor else {
                return fill.store(try StorageArm.open(arm, in: folder), folder) { store in
                    try ids.count { try store.retrieve(id: $0, from: StoreCorpus.soup) != nil }
                } answer: { store, digest in
                    for id in ids {
                        digest.add(entry: try store.retrieve(id: id, from: StoreCorpus.soup) ?? [])
                    }
                }
            }
            let script = FloorStore.ids(ids)
            return fill.floor(try FloorStore(arm, in: folder, indexes: indexes), folder) {
                Int(try $0.connection.runFloor(script).rows)
            } answer: { floor, digest in
                for id in ids {
                    try FloorSubject.feed("SELECT soup FROM TABLE_1 WHERE id = \(id)", floor.connection, into: &digest)
                }
            }
        }
    }

    private static func page(_ fill: FloorFill) -> Cell {
        let indexes = FloorFill.strings
        let spec = QuerySpec.all(orderPath: "key", pageSize: 100)
        let count = max(1, min(50, fill.corpus.count / 100))
        return cell(fill, "page", "reads \(count) pages of 100 entries one after the other") { arm, workplace in
            let folder = try fill.filled(workplace, indexes)
            guard arm.way == floor else {
                let store = try StorageArm.open(arm, in: folder)
                let cursor = try store.query(spec, soup: StoreCorpus.soup)
                // Pages are released as the cursor moves on, as a list on a screen does; the answer reads them again.
                func walk(_ visit: (StorePage) -> Void) throws -> Int {
                    var done = 0
                    for index in 0..<count {
                        let page = try index == 0 ? cursor.moveToPage(0) : cursor.moveToNextPage()
                        visit(page)
                        done += page.count
                    }
                    return done
                }
                return fill.store(store, folder) { _ in
                    try walk { _ in }
                } answer: { _, digest in
                    _ = try walk { page in for entry in page.entries { digest.add(entry: Array(entry)) } }
                }
            }
            let floor = try FloorStore(arm, in: folder, indexes: indexes)
            let script = try floor.pages(spec, count: count)
            return fill.floor(floor, folder) {
                Int(try $0.connection.runFloor(script).rows)
            } answer: { floor, digest in
                try FloorSubject.feed(
                    "SELECT soup FROM TABLE_1 ORDER BY TABLE_1_0, id LIMIT \(count * spec.pageSize)",
                    floor.connection, into: &digest)
            }
        }
    }

    private static func queries(
        _ fill: FloorFill, _ work: String, _ summary: String, _ indexes: [IndexSpec], _ specs: [QuerySpec]
    ) -> Cell {
        cell(fill, work, summary) { arm, workplace in
            let folder = try fill.filled(workplace, indexes)
            guard arm.way == floor else {
                var answers = QueryAnswers()
                return fill.store(try StorageArm.open(arm, in: folder), folder) { store in
                    for spec in specs {
                        _ = try store.query(spec, soup: StoreCorpus.soup).currentPage.count
                    }
                    return specs.count
                } answer: { store, digest in
                    for spec in specs {
                        try answers.ask([spec], of: store)
                        answers.feed(&digest)
                    }
                }
            }
            let floor = try FloorStore(arm, in: folder, indexes: indexes)
            let script = try floor.firstPages(specs)
            return fill.floor(floor, folder) {
                try $0.connection.runFloor(script)
                return specs.count
            } answer: { floor, digest in
                try floor.digestFirstPages(specs, into: &digest)
            }
        }
    }
}
