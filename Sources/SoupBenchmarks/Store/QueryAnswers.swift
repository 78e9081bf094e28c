import Benchmarking
import OfflineStore
import Soups

/// What queries found, kept until it is digested.
struct QueryAnswers {
    private var pages: [EntryList] = []
    private var totals: [Int] = []

    /// Asks each query for its first page and its number of entries, in place of what was kept.
    mutating func ask(_ specs: [QuerySpec], of store: SmartStore) throws {
        pages.removeAll(keepingCapacity: true)
        totals.removeAll(keepingCapacity: true)
        for spec in specs {
            let cursor = try store.query(spec, soup: StoreCorpus.soup)
            pages.append(cursor.currentPage.entries)
            totals.append(cursor.totalEntries)
        }
    }

    func feed(_ digest: inout ContentDigest) {
        for total in totals {
            digest.add(total)
        }
        for page in pages {
            digest.add(page.count)
            for entry in page {
                digest.add(entry: Array(entry))
            }
        }
    }
}
