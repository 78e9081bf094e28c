import LocalChanges
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

    /// What was not saved of pages.
    struct Left {
        /// The number of records that were left because their rows have local changes.
        var count = 0
        /// The next run asks the service for changes since this time, so that it gets these records again; nil if there
        /// is no need to.
        var bound: Int64?

        mutating func note(_ more: Int64?) {
            guard let more else { return }
            bound = min(bound ?? more, more)
        }
    }

    /// Saves pages and returns what was left of them.
    ///
    /// - Throws: `soupNotFound` if a soup was removed since the run began, also if there is another one of its name;
    ///   `pathNotIndexed` if a soup was altered since the run began and lacks an index that it needs: rows with
    ///   local changes would not be seen.
    func save(_ pages: [DownPage], row: SyncState) throws -> Left {
        try row.requireSameSoups(context.store)
        try target.checkSoups(SoupCheck(context.store, soup: context.soup), mergeMode: context.mergeMode)
        if target.replacesAll {
            try removeOthers(than: pages)
        }
        var left = Left()
        for page in pages {
            try save(page, &left)
        }
        var row = row
        row.keep(bound: left.bound)
        _ = try SyncRows(context.store).write(row)
        return left
    }

    private func save(_ given: DownPage, _ left: inout Left) throws {
        var page = given
        if context.mergeMode == .leaveIfChanged {
            page.left = try target.dirtyIds(context, of: page)
        }
        if let trees = target as? ParentChildrenDown {
            left.note(try trees.boundAfterLeaving(page, context))
        }
        try target.save(page, context)
        if !page.left.isEmpty {
            left.count += page.records.reduce(0) { $0 + (page.left.contains($1.id) ? 1 : 0) }
        }
    }

    /// Removes the clean rows that are not among the records of some pages.
    private func removeOthers(than pages: [DownPage]) throws(Fault) {
        var ids = IdSet()
        for page in pages {
            for record in page.records {
                try ids.insert(record.id)
            }
        }
        let condition = try FlagCondition(SoupCheck(context.store, soup: context.soup))
        let clean = condition.clean(syncId: context.syncId, includesUnnamed: true)
        var walk = RowWalk(context.store, condition, idField: target.idField)
        while !walk.isAtEnd {
            var saved = IdSearch(ids)
            let missing = try walk.next(clean) { !saved.contains($0) }
            let gone = missing.filter { row in row.id.map { !$0.isLocal } ?? true }
            try context.store.remove(ids: gone.map(\.entryId), from: context.soup)
        }
    }
}
