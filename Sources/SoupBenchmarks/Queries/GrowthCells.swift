import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// The same work in a small soup and in one that is a hundred times larger, in turn within each block; a thousand times
/// larger if a size of a million is asked for, as `ci/large-soups` does.
///
/// The ratio of the two is that factor to the power of the exponent by which the time of one unit grows. It gates like
/// every ratio: a path that begins to depend on the size of the soup is red, although it is as fast as before where the
/// soup is small.
enum GrowthCells: CellSource {
    /// What grows; the raw value is a parameter of its cell.
    enum Work: String, CaseIterable {
        case upsert, retrieve, exact
        case page = "range-page"
        case match
        case matchFirst = "match-first"
        /// `match-first` next to bare calls, only with a million entries: says how much of the growth is the store's
        /// own.
        case matchFirstCalls = "match-first-calls"

        var usesText: Bool { self == .match || self == .matchFirst || self == .matchFirstCalls }
        /// Whether the bare calls say how much its time may grow.
        var hasFloor: Bool { self == .upsert || self == .matchFirstCalls }

        /// The greatest exponent by which the time of one unit may grow; for inserts the bare calls say how much it
        /// may. `match` asks for the number of matches too, which takes time in proportion to it.
        var exponent: Double { self == .match ? 1.15 : 0.1 }
    }

    private static let (small, large) = ("small", "large")
    /// The same in bare calls. For inserts: an index of keys in no order does not fit into the cache of a connection
    /// any more, whichever program writes it.
    private static let (smallFloor, largeFloor) = ("small-floor", "large-floor")

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let largest = max(scope.sizes.max() ?? 0, 100_000)
        let (from, to) = scope.profile.name == .smoke ? (20, 80) : (1_000, largest)
        let works = Work.allCases.filter { work in
            work != .matchFirstCalls || largest >= 1_000_000 || scope.profile.name == .smoke
        }
        return works.map { cell($0, from, to, GeneratedCorpus(seed: scope.seed)) }
    }

    private static func cell(_ work: Work, _ from: Int, _ to: Int, _ documents: GeneratedCorpus) -> Cell {
        Cell(
            "growth", ["from": String(from), "to": String(to), "work": work.rawValue],
            revision: work == .upsert ? 2 : 1,
            summary: "\(summary(work)), in a soup of \(from) entries and in one of \(to)",
            arms: work.hasFloor ? Arm.all(small, smallFloor, large, largeFloor) : Arm.all(small, large),
            comparisons: comparisons(work),
            style: work == .upsert ? .once : .repeated, pairs: 6, profile: .full,
            claims: claims(work, from, to)
        ) { arm, workplace in
            let isLarge = [large, largeFloor].contains(arm.way)
            let corpus = StoreCorpus(source: .generated(documents), count: isLarge ? to : from)
            return try subject(work, arm, corpus, workplace)
        }
    }

    private static func comparisons(_ work: Work) -> [Cell.Comparison] {
        let growth = Cell.Comparison.ways(small, large, sameAnswer: false)
        guard work.hasFloor else {
            return growth
        }
        return growth + Cell.Comparison.ways(smallFloor, largeFloor, sameAnswer: false)
            + Cell.Comparison.ways(largeFloor, large, sameAnswer: false)
    }

    private static func claims(_ work: Work, _ from: Int, _ to: Int) -> [Claim] {
        let id = "FLOOR-growth-\(work.rawValue)"
        if work.hasFloor {
            let (unit, limit) = work == .upsert ? ("an insert", 1.25) : ("the first page of a match", 1.3)
            return Claim.onBackends(id, "with \(to) entries \(unit) takes at most \(limit) times the bare calls") {
                .ratio(base: Arm($0, largeFloor), arm: Arm($0, large), atMost: limit)
            }
        }
        let most = Exponential.power(Double(to) / Double(from), work.exponent)
        return Claim.onBackends(
            id, "from \(from) to \(to) entries the time of one unit grows by an exponent of at most \(work.exponent)"
        ) {
            .ratio(base: Arm($0, small), arm: Arm($0, large), atMost: most)
        }
    }

    private static func summary(_ work: Work) -> String {
        switch work {
        case .upsert: "inserts 200 more entries in one transaction"
        case .retrieve: "retrieves 200 entries by id, drawn at random, one a call"
        case .exact: "finds entries by a key, 64 queries"
        case .page: "reads the first page of 100 entries of an open range, 8 queries"
        case .match: "finds a common word: the number of entries and the first 10"
        case .matchFirst: "finds a common word: the first 10 entries"
        case .matchFirstCalls: "finds a common word: the first 10 entries, in the store and in bare calls"
        }
    }

    /// Full text is left out where it is not asked for, because its index would be most of what is copied.
    private static func indexes(_ work: Work) -> [IndexSpec] {
        work.usesText ? [.fullText("body")] : [.string("key"), .string("category"), .integer("amount")]
    }

    private static func subject(
        _ work: Work, _ arm: Arm, _ corpus: StoreCorpus, _ workplace: Workplace
    ) throws -> any Subject {
        let name = "growth-\(corpus.count)-\(work.usesText ? "text" : "values")"
        let fill = { (store: SmartStore) in
            _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: indexes(work))
            try corpus.forEachBatch { try store.upsert($0, into: StoreCorpus.soup) }
        }
        let markers = corpus.questions.markers
        if work == .upsert {
            if [smallFloor, largeFloor].contains(arm.way) {
                return try insertingFloor(corpus, arm, workplace, name, fill)
            }
            let store = try StorageArm.openCopy(of: name, arm, workplace, fill: fill)
            return inserting(store, corpus, workplace.folder + "/" + name, markers)
        }
        let folder = try StorageArm.filledFolder(name, arm, workplace, fill: fill)
        if [smallFloor, largeFloor].contains(arm.way) {
            return try matchingFloor(corpus, arm, folder)
        }
        let store = try StorageArm.open(arm, in: folder)
        if work == .retrieve {
            let ids = corpus.ids(200, seed: workplace.seed)
            var found: [[UInt8]] = []
            return StoreSubject(store, folder: folder, markers: markers) { store, _ in
                found = try ids.compactMap { try store.retrieve(id: $0, from: StoreCorpus.soup) }
                return ids.count
            } answer: { _, digest in
                for entry in found {
                    digest.add(entry: entry)
                }
            }
        }
        let specs = specs(work, corpus)
        var pages: [EntryList] = []
        var totals: [Int] = []
        return StoreSubject(store, folder: folder, markers: markers) { store, _ in
            (pages, totals) = ([], [])
            for spec in specs {
                let cursor = try store.query(spec, soup: StoreCorpus.soup)
                pages.append(cursor.currentPage.entries)
                if work == .match {
                    totals.append(try cursor.totalEntries)
                }
            }
            return specs.count
        } answer: { _, digest in
            for total in totals {
                digest.add(total)
            }
            for entry in pages.joined() {
                digest.add(entry: Array(entry))
            }
        }
    }

    private static func specs(_ work: Work, _ corpus: StoreCorpus) -> [QuerySpec] {
        let name = work.usesText ? "match-common" : work.rawValue
        return QueryCells.questions(of: corpus).first { ByteKey($0.workload) == ByteKey(name) }?.specs ?? []
    }

    private static func inserting(
        _ store: SmartStore, _ corpus: StoreCorpus, _ folder: String, _ markers: [[UInt8]]
    ) -> any Subject {
        let documents = moreDocuments(corpus)
        return StoreSubject(store, folder: folder, markers: markers) { store, _ in
            try store.upsert(documents, into: StoreCorpus.soup).count
        } answer: { store, digest in
            for id in (corpus.count + 1)...(corpus.count + documents.count) {
                digest.add(entry: try store.retrieve(id: Int64(id), from: StoreCorpus.soup) ?? [])
            }
        }
    }

    private static func moreDocuments(_ corpus: StoreCorpus) -> [[UInt8]] {
        let more = GeneratedCorpus(seed: 1)
        return (0..<200).map { more.document(at: corpus.count + $0, version: 1) }
    }

    /// The statements of the first pages of a match, in bare calls.
    private static func matchingFloor(_ corpus: StoreCorpus, _ arm: Arm, _ folder: String) throws -> any Subject {
        let specs = specs(.matchFirstCalls, corpus)
        let floor = try FloorStore(arm, in: folder, indexes: indexes(.matchFirstCalls))
        let script = try floor.firstPages(specs)
        return FloorFill(corpus).floor(floor, folder) {
            _ = try $0.connection.runFloor(script)
            return specs.count
        } answer: { floor, digest in
            for entry in try specs.flatMap({ try floor.firstEntries($0) }) {
                digest.add(entry: entry)
            }
        }
    }

    /// The same inserts in bare calls, with the values that a store binds for them.
    private static func insertingFloor(
        _ corpus: StoreCorpus, _ arm: Arm, _ workplace: Workplace, _ name: String, _ fill: (SmartStore) throws -> Void
    ) throws -> any Subject {
        let documents = moreDocuments(corpus)
        let indexes = indexes(.upsert)
        let folder = workplace.folder + "/bound"
        try Folders.make(folder)
        var store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: indexes)
        try store.close()
        let sequence = try FloorStore(arm, in: folder, indexes: indexes)
        try sequence.connection.execute(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('TABLE_1', \(corpus.count))")
        sequence.connection.close()
        store = try StorageArm.open(arm, in: folder)
        _ = try store.upsert(documents, into: StoreCorpus.soup)
        try store.close()
        let source = try FloorStore(arm, in: folder, indexes: indexes)
        let script = try source.inserts()
        source.connection.close()

        try StorageArm.openCopy(of: name, arm, workplace, fill: fill).close()
        let filled = workplace.folder + "/" + name
        return FloorFill(corpus).floor(try FloorStore(arm, in: filled, indexes: indexes), filled) {
            try $0.connection.runFloor(script, batch: documents.count)
            return documents.count
        } answer: { floor, digest in
            try FloorSubject.feed(
                "SELECT soup FROM TABLE_1 WHERE id > \(corpus.count) ORDER BY id", floor.connection, into: &digest)
        }
    }
}
