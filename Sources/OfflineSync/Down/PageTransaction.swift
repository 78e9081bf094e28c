import OfflineStore
import Soups

/// What is written for pages: their records, and the row of their sync. Every call is inside one transaction.
struct PageTransaction {
    private let target: any DownTarget
    private let context: DownContext

    init(_ target: any DownTarget, _ context: DownContext) {
        self.target = target
        self.context = context
    }

    /// Saves pages and returns how many records were left because their rows have local changes.
    func save(_ pages: [DownPage], row: SyncState) throws -> Int {
        if target.replacesAll {
            try removeOthers(than: pages)
        }
        var left = 0
        for page in pages {
            left += try save(page)
        }
        _ = try SyncRows(context.store).write(row)
        return left
    }

    private func save(_ given: DownPage) throws -> Int {
        var page = given
        if context.mergeMode == .leaveIfChanged || target.replacesAll {
            page.left = try target.dirtyIds(context, of: page)
        }
        try target.save(page, context)
        guard !page.left.isEmpty else { return 0 }
        return page.records.reduce(0) { $0 + (page.left.contains($1.id) ? 1 : 0) }
    }

    /// Removes the clean rows that are not among the records of some pages.
    private func removeOthers(than pages: [DownPage]) throws(Fault) {
        var ids = IdSet()
        for page in pages {
            for record in page.records {
                ids.insert(record.id.text)
            }
        }
        let condition = try FlagCondition(SoupCheck(context.store, soup: context.soup))
        let clean = condition.clean(syncId: context.syncId, includesUnnamed: true)
        var walk = RowWalk(context.store, condition, idField: target.idField)
        while true {
            let rows = try walk.next(clean)
            guard !rows.isEmpty else { return }
            let gone = rows.filter { row in row.id.map { !ids.contains($0.text) && !$0.isLocal } ?? true }
            try context.store.remove(ids: gone.map(\.entryId), from: context.soup)
        }
    }
}
