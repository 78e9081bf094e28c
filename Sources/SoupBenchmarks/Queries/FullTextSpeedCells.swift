import Benchmarking
import OfflineStore
import Soups

/// Finds words by match and by like, and inserts them under a full-text and under a string index: the guide's
/// statements on full text (PERF-01 to PERF-03, PERF-05), on the data of the reference's speed test.
enum FullTextSpeedCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.flatMap { entries -> [Cell] in
            let one = AnimalCorpus(entries: entries, findsAll: false)
            let all = AnimalCorpus(entries: entries, findsAll: true)
            // The reference has both kinds at 1,000 and 10,000 entries, and only the first kind above that.
            return [query(one, entries)] + (entries <= 10_000 ? [query(all, entries)] : []) + [insert(one, entries)]
        }
    }

    private static func specs(_ arm: Arm) -> [IndexSpec] {
        ["match", "full-text"].contains(arm.way) ? [.fullText("text")] : [.string("text")]
    }

    // MARK: - Queries

    private static func query(_ corpus: AnimalCorpus, _ entries: Int) -> Cell {
        Cell(
            "match-or-like", ["entries": String(entries), "finds": corpus.findsAll ? "letter" : "one"], revision: 2,
            summary:
                "finds 4 words, each in \(corpus.findsAll ? "all entries of its letter" : "one entry"), by match and by like '%word%'",
            arms: Arm.all("match", "like"), comparisons: Cell.Comparison.ways("match", "like"),
            pairs: entries > 10_000 ? 6 : 8,
            claims: corpus.findsAll ? [] : claims(entries)
        ) { arm, workplace in
            let folder = try workplace.template("animals-\(entries)-\(corpus.findsAll)-\(arm.way)") { folder in
                let store = try StorageArm.open(arm, in: folder)
                _ = try store.registerSoup(AnimalCorpus.soup, indexSpecs: specs(arm))
                try corpus.forEachBatch(nil) { try store.upsert($0, into: AnimalCorpus.soup) }
                try store.close()
            }
            let queries = corpus.words(4, seed: workplace.seed).map { word in
                arm.way == "match"
                    ? QuerySpec.match(path: "text", matchKey: word, pageSize: corpus.rows)
                    : .like(path: "text", likeKey: "%\(word)%", pageSize: corpus.rows)
            }
            var found: [EntryList] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: [AnimalCorpus.marker]) {
                store, _ in
                found = try queries.map { try store.query($0, soup: AnimalCorpus.soup).currentPage.entries }
                guard found.allSatisfy({ $0.count == corpus.matches }) else {
                    throw Fault(.inputOutput, "a word was not found as often as it was stored")
                }
                return queries.count
            } answer: { _, digest in
                for page in found {
                    digest.add(page.count)
                    for entry in page {
                        digest.add(entry: Array(entry))
                    }
                }
            }
        }
    }

    private static func claims(_ entries: Int) -> [Claim] {
        var claims =
            Claim.onBackends("PERF-03", "the time of a match stays nearly constant with the number of entries") {
                .growth(arm: Arm($0, "match"), -1...0.2)
            }
            + Claim.onBackends("PERF-03", "the time of a like is in proportion to the number of entries") {
                .growth(arm: Arm($0, "like"), 0.8...1.2)
            }
        if entries >= 10_000 {
            claims += Claim.onBackends(
                "PERF-01", "at tens of thousands of entries match is 10 times faster than like, or more"
            ) {
                .slower(base: Arm($0, "match"), arm: Arm($0, "like"), atLeast: 10)
            }
        } else if entries <= 1_000 {
            claims += Claim.onBackends(
                "PERF-02", "below 1,000 entries the gain is negligible: like takes at most twice as long"
            ) {
                .ratio(base: Arm($0, "match"), arm: Arm($0, "like"), atMost: 2)
            }
        }
        return claims
    }

    // MARK: - Inserts

    private static func insert(_ corpus: AnimalCorpus, _ entries: Int) -> Cell {
        Cell(
            "insert-animals", ["entries": String(entries)], revision: 1,
            summary: "inserts all texts under a string index and under a full-text index",
            arms: Arm.all("string", "full-text"), comparisons: Cell.Comparison.ways("string", "full-text"),
            style: .once,
            pairs: entries > 1_000 ? 6 : 10, profile: .full,
            claims: Claim.onBackends(
                "PERF-05", "inserts cost more processor time with a full-text index than with a string index",
                metric: .cpu
            ) {
                .slower(base: Arm($0, "string"), arm: Arm($0, "full-text"), atLeast: 1.05)
            }
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(AnimalCorpus.soup, indexSpecs: specs(arm))
            return StoreSubject(store, folder: workplace.folder, markers: [AnimalCorpus.marker]) { store, watch in
                var done = 0
                try corpus.forEachBatch(watch) { done += try store.upsert($0, into: AnimalCorpus.soup).count }
                return done
            } answer: { store, digest in
                try StoreSubject.allEntries(of: AnimalCorpus.soup, upTo: corpus.count)(store, &digest)
            }
        }
    }
}
