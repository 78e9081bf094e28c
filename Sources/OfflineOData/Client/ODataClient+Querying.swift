import OData
import OfflineStore
import Soups

extension ODataClient {
    /// Runs a query in OData over the rows of a set and shows its first page: with the types of the model, the
    /// properties that only the rows have (`localOnly`), and the relations of the map for `$expand`. Rows that were
    /// deleted locally are rows; a filter on `__locally_deleted__` leaves them out.
    ///
    /// ```swift
    /// let filter = "$filter=Status eq 'open' and __locally_deleted__ eq false"
    /// let page = try await client.query("Orders", filter).page
    /// ```
    ///
    /// A path over a relation in a filter or an order is `unsupported`, unless the set keeps expanded entities inline.
    ///
    /// - Throws: `invalidArguments` for a set that is not mapped; as `SmartStore.query(odata:in:relations:)`.
    public func query(_ set: String, _ query: String = "", pageSize: Int = 200) throws(Fault) -> ODataCursor {
        let set = try map.set(set)
        let parsed = try SoupQuery(
            query, version: map.version, model: map.rowModel, entityType: set.entityType, pageSize: pageSize)
        let others = Dictionary(map.sets.map { (ByteKey($0.soup), $0.relations) }) { first, _ in first }
        let types = map.sets.compactMap { set in set.entityType.map { (ByteKey(set.soup), $0) } }
        let inline = map.sets.filter { $0.settings.keepsExpansionsInline == true }.map { ByteKey($0.soup) }
        return try ODataCursor(
            SoupQueryRun(
                parsed, store: store, soup: set.soup, relations: set.relations, others: others,
                types: Dictionary(types) { first, _ in first }, inlineSoups: Set(inline)))
    }
}
