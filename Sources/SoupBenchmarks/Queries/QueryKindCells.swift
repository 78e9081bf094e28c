import Benchmarking
import JSONText
import OfflineStore
import SQLiteAccess
import Soups

/// Compares the kinds of queries, and the ways to read their results: the guide's statements on queries.
enum QueryKindCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return StoreCorpus.all(scope).flatMap { [kinds($0), dates($0), narrowing($0), results($0)] }
    }

    // MARK: - Kinds

    private static func kinds(_ corpus: StoreCorpus) -> Cell {
        let names = ["id", "exact", "range", "match"]
        return Cell(
            "kinds", corpus.parameters(), revision: 1,
            summary: "finds 1 to 10 entries by id, exact, range, match and like",
            arms: Arm.backends.flatMap { backend in (names + ["like"]).map { Arm(backend + "/" + $0) } },
            comparisons: Arm.backends.flatMap { backend in
                names.map { .init(Arm(backend + "/" + $0), Arm(backend + "/like"), sameAnswer: false) } + [
                    .init(Arm(backend + "/id"), Arm(backend + "/exact"), sameAnswer: false)
                ]
            },
            claims: Arm.backends.flatMap { backend in
                names.map {
                    Claim(
                        "PERF-04", "like is slower than \($0)", backend: backend,
                        .slower(base: Arm(backend + "/" + $0), arm: Arm(backend + "/like"), atLeast: 1.05))
                }
                    + [
                        Claim(
                            "PERF-17", "retrieving by id is no slower than an exact query", backend: backend,
                            .slower(base: Arm(backend + "/id"), arm: Arm(backend + "/exact"), atLeast: 1))
                    ]
            }
        ) { arm, workplace in
            let questions = corpus.questions
            let kind = arm.work.name.split(separator: "/").last.map(String.init) ?? ""
            let spec: QuerySpec? =
                switch kind {
                case "exact": .exact(path: "key", matchKey: questions.keys[0], pageSize: 10)
                case "range": .range(path: "amount", from: 500_000, orderPath: "amount", pageSize: 10)
                case "match": .match(path: "body", matchKey: GeneratedCorpus.rareWord, pageSize: 10)
                case "like": .like(path: "body", likeKey: "%\(GeneratedCorpus.rareWord)%", pageSize: 10)
                default: nil
                }
            let id = corpus.ids(1, seed: workplace.seed)
            return try subject(corpus, arm, workplace) { store in
                if let spec {
                    try store.query(spec, soup: StoreCorpus.soup).currentPage.count
                } else {
                    try store.retrieve(ids: id, from: StoreCorpus.soup).count
                }
            } answer: { store, digest in
                if let spec {
                    try Self.feed(store.query(spec, soup: StoreCorpus.soup).currentPage, into: &digest)
                } else {
                    for entry in try store.retrieve(ids: id, from: StoreCorpus.soup) {
                        digest.add(entry: entry)
                    }
                }
            }
        }
    }

    private static func subject(
        _ corpus: StoreCorpus, _ arm: Arm, _ workplace: Workplace, _ work: @escaping (SmartStore) throws -> Int,
        answer: @escaping StoreSubject.Answer
    ) throws -> any Subject {
        let folder = try corpus.filled(workplace)
        var found = 0
        return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers) {
            store, _ in
            found = try work(store)
            return 1
        } answer: { store, digest in
            digest.add(found)
            try answer(store, &digest)
        }
    }

    /// Adds the entries of a page in their order: with counts alone, other entries would be the same answer.
    private static func feed(_ page: StorePage, into digest: inout ContentDigest) {
        for entry in page.entries {
            digest.add(entry: Array(entry))
        }
    }

    // MARK: - Dates

    private static func dates(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "by-date", corpus.parameters(), revision: 1,
            summary: "reads the newest 10 entries by _soupLastModifiedDate, with its index and without",
            arms: Arm.backends.flatMap { [Arm($0 + "/index"), Arm($0 + "/no-index")] },
            comparisons: Arm.backends.map { .init(Arm($0 + "/index"), Arm($0 + "/no-index")) },
            claims: Arm.backends.map {
                Claim(
                    "PERF-14", "the index on the date makes queries by it faster", backend: $0,
                    .slower(base: Arm($0 + "/index"), arm: Arm($0 + "/no-index"), atLeast: 1.05))
            }
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            if arm.work.name.hasSuffix("/no-index") {
                try dropDateIndex(arm, folder)
            }
            var found = 0
            let spec = QuerySpec.all(orderPath: "_soupLastModifiedDate", order: .descending, pageSize: 10)
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                found = try store.query(spec, soup: StoreCorpus.soup).currentPage.count
                return 1
            } answer: { store, digest in
                digest.add(found)
                Self.feed(try store.query(spec, soup: StoreCorpus.soup).currentPage, into: &digest)
            }
        }
    }

    /// Changes the file without the store, so that it looks like one from before version 4.2.
    private static func dropDateIndex(_ arm: Arm, _ folder: String) throws {
        let options = try StorageArm.options(of: arm)
        let connection = try Connection(
            path: StorageArm.file(in: folder), library: options.library, access: .readWrite, key: options.key,
            settings: options.settings)
        defer { connection.close() }
        try connection.execute("DROP INDEX TABLE_1_lastModified_idx")
    }

    // MARK: - Results

    private static func narrowing(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "select-paths", corpus.parameters(), revision: 1,
            summary: "reads 100 entries in order of a key, whole and as rows of that key",
            arms: Arm.backends.flatMap { [Arm($0 + "/rows"), Arm($0 + "/entries")] },
            comparisons: Arm.backends.map { .init(Arm($0 + "/rows"), Arm($0 + "/entries")) },
            claims: Arm.backends.map {
                Claim(
                    "PERF-16", "rows of selected paths cost less than whole entries", backend: $0,
                    .slower(base: Arm($0 + "/rows"), arm: Arm($0 + "/entries"), atLeast: 1.05))
            }
        ) { arm, workplace in
            let isRows = arm.work.name.hasSuffix("/rows")
            let spec = QuerySpec.all(orderPath: "key", pageSize: 100, selectPaths: isRows ? ["key"] : nil)
            let checked = QuerySpec.all(
                orderPath: "key", pageSize: 100, selectPaths: isRows ? ["key", "_soupEntryId"] : nil)
            return try subject(corpus, arm, workplace) {
                try $0.query(spec, soup: StoreCorpus.soup).currentPage.count
            } answer: { store, digest in
                // Rows and entries are the same answer if they have the same keys and ids in the same order. The rows
                // that are measured hold the keys only.
                let page = try store.query(checked, soup: StoreCorpus.soup).currentPage
                for row in page.rows where isRows {
                    if case .value(.text(let key))? = row.first, case .value(.integer(let id))? = row.last {
                        digest.add(key)
                        digest.add(Int(id))
                    }
                }
                for entry in page.entries where !isRows {
                    let entry = try JSONValue(parsing: Array(entry))
                    digest.add(entry["key"]?.string ?? "")
                    digest.add(Int(entry["_soupEntryId"]?.int64 ?? 0))
                }
            }
        }
    }

    private static func results(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "text-or-objects", corpus.parameters(), revision: 1,
            summary: "reads 100 entries in order of a key, as text and as trees of values",
            arms: Arm.backends.flatMap { [Arm($0 + "/text"), Arm($0 + "/objects")] },
            comparisons: Arm.backends.map { .init(Arm($0 + "/text"), Arm($0 + "/objects")) },
            claims: Arm.backends.map {
                Claim(
                    "PERF-23", "text costs less than objects", backend: $0,
                    .slower(base: Arm($0 + "/text"), arm: Arm($0 + "/objects"), atLeast: 1.05))
            }
        ) { arm, workplace in
            let isText = arm.work.name.hasSuffix("/text")
            let spec = QuerySpec.all(orderPath: "key", pageSize: 100)
            return try subject(corpus, arm, workplace) { store in
                let page = try store.query(spec, soup: StoreCorpus.soup).currentPage
                if isText {
                    return page.json.isEmpty ? 0 : page.count
                }
                return try page.entries.map { try JSONValue(parsing: Array($0)) }.count
            } answer: { store, digest in
                let page = try store.query(spec, soup: StoreCorpus.soup).currentPage
                let values =
                    try isText
                    ? JSONValue(parsing: Array(page.json)).array ?? []
                    : page.entries.map { try JSONValue(parsing: Array($0)) }
                for value in values {
                    digest.add(entry: value.bytes(.compact))
                }
            }
        }
    }
}
