import LocalChanges
import OfflineStore
import Soups
import Synchronization

/// Removes the clean rows that a sync brought and its target no longer finds.
struct GhostRun: Sendable {
    private let target: any DownTarget
    private let context: DownContext

    init(_ target: any DownTarget, context: DownContext) {
        self.target = target
        self.context = context
    }

    /// Removes ghosts and returns how many, without those that go with another row.
    func run() async throws -> Int {
        switch target {
        case is MetadataTarget, is LayoutTarget: return 0
        case let trees as ParentChildrenDown: return try await TreeGhosts(trees, context: context).run()
        default: break
        }
        guard try await hasCleanRows(context.soup, idField: target.idField) else { return 0 }
        let ids = try await Self.collect(context) { try await target.remoteIds(context, $0) }
        return try await remove(notIn: ids, soup: context.soup, idField: target.idField)
    }

    /// Collects ids, in packed form.
    ///
    /// - Throws: `limitExceeded` for more ids than a run may have records.
    static func collect(
        _ context: DownContext, _ give: (@escaping @Sendable ([RecordId]) throws -> Void) async throws -> Void
    ) async throws -> IdSet {
        let ids = IdCollector(limit: context.recordLimit)
        try await give { found in try ids.insert(found) }
        return ids.all
    }

    func hasCleanRows(_ soup: String, idField: String) async throws -> Bool {
        let context = context
        return try await context.store.readingToTheEnd {
            let condition = try FlagCondition(SoupCheck(context.store, soup: soup))
            let clean = condition.clean(syncId: context.syncId)
            return try !context.store.rows(
                "SELECT \(condition.column("_soupEntryId")) FROM {\(soup)} WHERE \(clean.text)",
                arguments: clean.arguments, limit: 1
            ).isEmpty
        }
    }

    /// Walks the clean rows of a soup and removes those whose ids are not in a set, page by page. Where the service was
    /// asked for rows by their ids, others stay.
    ///
    /// - Parameter removing: Removes rows that are clean at this moment and returns how many; inside a transaction.
    func remove(
        notIn ids: IdSet, soup: String, idField: String,
        removing: (@Sendable ([RowWalk.Row]) throws -> Int)? = nil
    ) async throws -> Int {
        let context = context
        let (condition, number) = try await context.store.readingToTheEnd {
            (try FlagCondition(SoupCheck(context.store, soup: soup)), try context.store.soupId(soup))
        }
        let clean = condition.clean(syncId: context.syncId)
        let asked = context.askedIds.all
        var walk = RowWalk(context.store, condition, idField: idField)
        var removed = 0
        while !walk.isAtEnd {
            try context.link.control.check()
            let current = walk
            let (missing, next) = try await context.store.readingToTheEnd {
                var walk = current
                // Services list ids in about the order in which they sent the records that became the rows.
                var living = IdSearch(ids)
                let missing = try walk.next(clean) { !living.contains($0) && asked?.contains($0) ?? true }
                return (missing, walk)
            }
            walk = next
            let gone = missing.filter { row in row.id.map { !$0.isLocal } ?? false }
            guard !gone.isEmpty else { continue }
            removed += try await context.store.writingToTheEnd {
                guard try context.store.soupId(soup) == number else { throw SoupCheck.replaced(soup) }
                let still = try Self.stillClean(gone, soup, context.store)
                if let removing {
                    return try removing(still)
                }
                try Self.remove(still, soup, context.store)
                return still.count
            }
        }
        return removed
    }

    /// The rows that have no local changes at this moment.
    static func stillClean(_ rows: [RowWalk.Row], _ soup: String, _ store: SmartStore) throws(Fault) -> [RowWalk.Row] {
        let found = try currentRows(rows.map(\.entryId), soup, store)
        let clean = Set(found.filter { !$0.hasChanges }.map(\.entryId))
        return rows.filter { clean.contains($0.entryId) }
    }

    /// A row as it is at this moment.
    struct CurrentRow {
        let entryId: Int64
        let row: JSONObject
        /// Whether it has local changes or its creation is in doubt: it is not a ghost then, whatever the service has.
        let hasChanges: Bool
    }

    /// Reads rows with all their flags, because the index has only one of them.
    static func currentRows(_ ids: [Int64], _ soup: String, _ store: SmartStore) throws(Fault) -> [CurrentRow] {
        let held = Set(try Outbox(store).doubts(inSoup: soup).map(\.entryId))
        var rows: [CurrentRow] = []
        for bytes in try store.retrieve(ids: ids, from: soup) {
            let row = try SoupRows.object(of: bytes)
            guard let id = row.entryId else { continue }
            let hasChanges = LocalFlags(of: row).isDirty || held.contains(id)
            rows.append(CurrentRow(entryId: id, row: row, hasChanges: hasChanges))
        }
        return rows
    }

    /// Removes rows with their originals.
    static func remove(_ rows: [RowWalk.Row], _ soup: String, _ store: SmartStore) throws(Fault) {
        let ids = rows.map(\.entryId)
        try store.remove(ids: ids, from: soup)
        try Originals(store, soup: soup).remove(ids)
    }
}

/// Collects ids of several pages.
private final class IdCollector: Sendable {
    private let limit: Int
    private let state = Mutex((ids: IdSet(), given: 0))

    init(limit: Int) { self.limit = limit }

    func insert(_ found: [RecordId]) throws(Fault) {
        try state.withLock { (state) throws(Fault) in
            // Ids that are given again count too: a service that repeats itself must end.
            state.given += max(found.count, 1)
            guard state.given <= limit else {
                throw Fault(.limitExceeded, "the service has more than \(limit) ids; raise recordLimit")
            }
            for id in found {
                try state.ids.insert(id)
            }
        }
    }

    var all: IdSet { state.withLock { $0.ids } }
}

extension IdSet {
    /// Adds each form in which an index may hold an id.
    mutating func insert(_ id: RecordId) throws(Fault) {
        guard id.isNumber else { return try insert(id.text) }
        for form in id.forms {
            try insert(form)
        }
    }
}
