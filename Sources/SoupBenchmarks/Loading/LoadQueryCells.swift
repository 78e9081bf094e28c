import Benchmarking
import OfflineStore
import Soups

/// Runs the queries of the reference's load tests on the loaded soup, page by page, with string and with json1 indexes
/// (PERF-11).
enum LoadQueryCells: CellSource {
    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.enumerated().flatMap { index, entries in
            let corpus = ReferenceCorpus(entries: entries, indexes: 10)
            // Pages of one entry are read only at the reference's size; other cells measure long walks.
            return questions.filter { index == 0 || $0.pageSize > 1 || !$0.readsAll }.map { cell($0, corpus) }
        }
    }

    private struct Question: Sendable {
        let name: String
        let pageSize: Int
        let spec: @Sendable (_ pageSize: Int) -> QuerySpec
        var readsAll = false
    }

    private static let questions: [Question] =
        [1, 10, 100].map { size in Question(name: "all", pageSize: size, spec: { .all(pageSize: $0) }, readsAll: true) }
        + [1, 10, 100].map { size in
            Question(name: "like-100", pageSize: size, spec: { .like(path: "k_0", likeKey: "v_0_%", pageSize: $0) })
        }
        + [1, 10].map { size in
            Question(name: "like-1", pageSize: size, spec: { .like(path: "k_0", likeKey: "v_0_0_%", pageSize: $0) })
        }
        + [Question(name: "exact-none", pageSize: 1, spec: { .exact(path: "k_0", matchKey: "missing", pageSize: $0) })]

    private static func cell(_ question: Question, _ corpus: ReferenceCorpus) -> Cell {
        Cell(
            "load-query",
            ["entries": String(corpus.entries), "page": String(question.pageSize), "query": question.name], revision: 1,
            summary: "reads all pages of a query; a unit is a page", arms: Arm.all("string", "json1"),
            comparisons: Cell.Comparison.ways("string", "json1"), pairs: corpus.entries > 10_000 ? 6 : 8,
            profile: .full,
            claims: Claim.onBackends(
                "PERF-11", "a query takes as long with json1 indexes as with string indexes, within a quarter"
            ) {
                .within(base: Arm($0, "string"), arm: Arm($0, "json1"), 0.8...1.25)
            }
        ) { arm, workplace in
            let folder = try corpus.filled(workplace, arm.way == "json1" ? .json1 : .string)
            let spec = question.spec(question.pageSize)
            var last: [EntryList] = []
            return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: corpus.markers) {
                store, _ in
                last.removeAll(keepingCapacity: true)
                let cursor = try store.query(spec, soup: ReferenceCorpus.soup)
                last.append(cursor.currentPage.entries)
                while let page = last.last, page.count == spec.pageSize, cursor.hasNextPage {
                    last.append(try cursor.moveToNextPage().entries)
                }
                return last.count
            } answer: { _, digest in
                for page in last {
                    digest.add(page.count)
                    for entry in page {
                        digest.add(entry: Array(entry))
                    }
                }
            }
        }
    }
}
