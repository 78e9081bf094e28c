import OfflineStore
import Soups

/// Asks the service which of the records of a soup it still has: the ids of the clean rows, slice by slice.
struct LivingIds {
    private let context: DownContext
    private let soup: String
    private let idField: String
    private let objectType: String

    init(_ context: DownContext, soup: String, idField: String, objectType: String) {
        self.context = context
        self.soup = soup
        self.idField = idField
        self.objectType = objectType
    }

    /// Gives the ids that the service knows.
    ///
    /// - Parameter count: The most ids of one query.
    func give(count: Int, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
        // Rows are asked for by their ids, also if there are none.
        try context.askedIds.insert([])
        let (store, soup) = (context.store, soup)
        let condition = try await store.readingToTheEnd { try FlagCondition(SoupCheck(store, soup: soup)) }
        let clean = condition.clean(syncId: context.syncId)
        let slices = IdSlices(
            count: count, head: "select \(idField) from \(objectType) where \(idField) IN (", context: context)
        var walk = RowWalk(context.store, condition, idField: idField)
        var ids: ArraySlice<RecordId> = []
        while true {
            // What is left of a page begins the next query, which is made when there are enough ids for it.
            while ids.count < count, !walk.isAtEnd {
                let current = walk
                let (rows, next) = try await store.readingToTheEnd {
                    var walk = current
                    let rows = try walk.next(clean)
                    return (rows, walk)
                }
                walk = next
                ids = (ids + rows.compactMap(\.id).filter { !$0.isLocal })[...]
            }
            guard !ids.isEmpty else { return }
            let slice = ids.prefix(try slices.length(of: ids))
            ids = ids.dropFirst(slice.count)
            try context.askedIds.insert(slice)
            try await context.ids(of: slices.query(slice), idField: idField, take)
        }
    }
}
