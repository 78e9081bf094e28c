import OfflineStore
import Soups

/// Finds words by match and by like: the guide's statements on full text.
enum FullTextSpeedCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else { return [] }
        return scope.sizes.map { cell(AnimalCorpus(entries: $0), entries: $0) }
    }

    private static func cell(_ corpus: AnimalCorpus, entries: Int) -> Cell {
        let backends = ["plain", "cipher"]
        let arms = backends.flatMap { [Arm($0 + "/match"), Arm($0 + "/like")] }
        return Cell(
            "match-or-like", ["entries": String(entries)], revision: 1, summary: "finds 4 words, each in one entry, by match and by like '%word%'", arms: arms,
            comparisons: backends.map { .init(Arm($0 + "/match"), Arm($0 + "/like")) }, pairs: entries >= 100_000 ? 4 : 8,
            claims: backends.flatMap { claims($0, entries) }
        ) { arm, place in
            let folder = try place.template("animals-\(entries)") { folder in try fill(folder, arm, corpus) }
            let specs = corpus.words(4, seed: place.seed).map { word in
                isMatch(arm)
                    ? QuerySpec.match(path: "text", matchKey: word, pageSize: corpus.rows) : .like(path: "text", likeKey: "%\(word)%", pageSize: corpus.rows)
            }
            var found: [EntryList] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: [AnimalCorpus.marker]) { store, _ in
                found = try specs.map { try store.query($0, soup: AnimalCorpus.soup).currentPage.entries }
                return specs.count
            } answer: { _, digest in
                for page in found {
                    digest.add(page.count)
                    for entry in page { digest.add(entry: Array(entry)) }
                }
            }
        }
    }

    private static func isMatch(_ arm: Arm) -> Bool { arm.work.name.utf8.elementsEqual("plain/match".utf8) || arm.work.name.utf8.elementsEqual("cipher/match".utf8) }

    private static func fill(_ folder: String, _ arm: Arm, _ corpus: AnimalCorpus) throws {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(AnimalCorpus.soup, indexSpecs: [isMatch(arm) ? .fullText("text") : .string("text")])
        for letter in AnimalCorpus.letters {
            for start in stride(from: 0, to: corpus.rows, by: StoreCorpus.batch) {
                let batch = (start..<min(start + StoreCorpus.batch, corpus.rows)).map { corpus.document(letter: letter, row: $0) }
                try store.upsert(batch, into: AnimalCorpus.soup)
            }
        }
        try store.close()
    }

    private static func claims(_ backend: String, _ entries: Int) -> [Claim] {
        let match = Arm(backend + "/match")
        let like = Arm(backend + "/like")
        var claims = [
            Claim("PERF-03", "the time of a match stays nearly constant with the number of entries", backend: backend, .growth(arm: match, atMost: 0.2))
        ]
        if entries >= 10_000 {
            claims.append(Claim("PERF-01", "match is at least 10 times faster than like", backend: backend, .slower(base: match, arm: like, atLeast: 10)))
        } else if entries <= 1_000 {
            claims.append(Claim("PERF-02", "below 1,000 entries the gain is negligible: like takes at most twice as long", backend: backend, .ratio(base: match, arm: like, atMost: 2)))
        }
        return claims
    }
}
