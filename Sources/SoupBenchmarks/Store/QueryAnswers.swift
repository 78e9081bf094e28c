import Benchmarking
import OfflineStore
import Soups

/// Holds what queries found until it is digested.
struct QueryAnswers {
    private var pages: [EntryList] = []
    private var totals: [Int] = []

    /// Reads the first page and the number of entries of each query, replacing what was held.
    mutating func ask(_ specs: [QuerySpec], of store: SmartStore) throws {
        pages.removeAll(keepingCapacity: true)
        totals.removeAll(keepingCapacity: true)
        for spec in specs {
            let cursor = try store.query(spec, soup: StoreCorpus.soup)
            pages.append(cursor.currentPage.entries)
            totals.append(try cursor.totalEntries)
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
