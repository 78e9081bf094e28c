import OfflineStore
import Soups

/// Asks query specs of the filled store: by key, by range, by words.
enum QueryCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        StoreCorpus.all(scope).flatMap { corpus -> [Cell] in
            let questions = corpus.questions
            var cells: [Cell] = []
            if let path = questions.keyPath {
                let exact = questions.keys.map { QuerySpec.exact(path: path, matchKey: $0, pageSize: 10) }
                cells.append(query("exact", "finds entries by a key, \(exact.count) queries", corpus, exact))
                // Ranges on a path with an order of its own: numbers where the corpus has them.
                let range = corpus.isGenerated ? Self.amounts : questions.keys.prefix(16).map { .range(path: path, from: $0, orderPath: path, pageSize: 100) }
                cells.append(query("range-page", "reads the first page of 100 entries of an open range, \(range.count) queries", corpus, range))
            }
            if let path = questions.matchPath, let rare = questions.rareWord, let common = questions.commonWord {
                cells.append(query("match-rare", "finds a rare word, first page of 10", corpus, [.match(path: path, matchKey: rare, pageSize: 10)]))
                cells.append(query("match-common", "finds a common word, first page of 10", corpus, [.match(path: path, matchKey: common, pageSize: 10)]))
            }
            return cells
        }
    }

    private static let amounts: [QuerySpec] = (0..<8).map { .range(path: "amount", from: .integer($0 * 100_000), orderPath: "amount", pageSize: 100) }

    private static func query(_ name: String, _ summary: String, _ corpus: StoreCorpus, _ specs: [QuerySpec]) -> Cell {
        Cell(
            name, corpus.parameters(), revision: 1, summary: summary, arms: [.plain, .cipherOff, .cipher], comparisons: Cell.Comparison.backends
        ) { arm, place in
            let folder = try corpus.filled(place)
            var found: [EntryList] = []
            var totals: [Int] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers) { store, _ in
                found.removeAll(keepingCapacity: true)
                totals.removeAll(keepingCapacity: true)
                for spec in specs {
                    let cursor = try store.query(spec, soup: StoreCorpus.soup)
                    found.append(cursor.currentPage.entries)
                    totals.append(cursor.totalEntries)
                }
                return specs.count
            } answer: { _, digest in
                for total in totals { digest.add(total) }
                for page in found {
                    digest.add(page.count)
                    for entry in page { digest.add(entry: Array(entry)) }
                }
            }
        }
    }
}
