import Benchmarking
import OfflineStore
import SQLiteAccess
import Soups

/// Removes the entries that a query finds, in one call and by their ids (PERF-13).
enum RemovalCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return StoreCorpus.all(scope).map(cell)
    }

    /// About a tenth of the entries.
    private static func spec(_ corpus: StoreCorpus, ids: Bool) -> QuerySpec {
        .range(
            path: "amount", from: 0, through: 99_999, pageSize: corpus.count, selectPaths: ids ? ["_soupEntryId"] : nil)
    }

    private static func cell(_ corpus: StoreCorpus) -> Cell {
        Cell(
            "remove-by-query", corpus.parameters(), revision: 1,
            summary: "removes the tenth of the entries that a range finds: by the query, or by the ids that it gives",
            arms: Arm.all("by-query", "by-ids"), comparisons: Cell.Comparison.ways("by-query", "by-ids"), style: .once,
            pairs: corpus.count > 1_000 ? 6 : 10, profile: .full,
            claims: Claim.onBackends(
                "PERF-13", "removing by a query costs less processor time than asking for the ids and removing these",
                metric: .cpu
            ) {
                .slower(base: Arm($0, "by-query"), arm: Arm($0, "by-ids"), atLeast: 1.05)
            }
        ) { arm, workplace in
            let folder = try corpus.filledCopy(workplace)
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.questions.markers)
            { store, _ in
                if arm.way == "by-query" {
                    return try store.remove(matching: spec(corpus, ids: false), from: StoreCorpus.soup)
                }
                let rows = try store.query(spec(corpus, ids: true), soup: StoreCorpus.soup).currentPage.rows
                let ids = rows.compactMap { row -> Int64? in
                    if case .value(.integer(let id))? = row.first { id } else { nil }
                }
                try store.remove(ids: ids, from: StoreCorpus.soup)
                return ids.count
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: corpus.count)(store, &digest)
            }
        }
    }
}
