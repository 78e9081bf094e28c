import LocalChanges
import OfflineStore
import Soups

/// Removes the clean rows that no page of a full load has listed, some keys at a time.
struct UnmetRowRemoval: Sendable {
    private let client: ODataClient
    private let set: MappedEntitySet
    private let query: LoadQuery
    private let state: LoadState
    /// The keys that the pages have listed.
    private let keys: IdSet
    /// The keys of other sets that the pages have listed with their entities.
    private let expanded: [ByteKey: IdSet]

    static let keysAtOnce = 2_000

    /// Reads the keys that the pages have listed.
    init(
        _ client: ODataClient, _ set: MappedEntitySet, _ query: LoadQuery, _ state: LoadState
    ) throws(Fault) {
        self.client = client
        self.set = set
        self.query = query
        self.state = state
        let seen = try SeenKeys(client.store).keys(set: set.name, generation: state.generation)
        keys = seen.keys
        expanded = seen.expanded
    }

    /// Removes rows whose keys come after one. All keys are walked in their index, which has them without the rows.
    /// Part of the caller's transaction.
    ///
    /// - Parameter renewal: What renews, at the end, the keys of rows that were changed meanwhile.
    /// - Returns: The last key that was looked at; nil at the end.
    func removeNext(
        after last: String?, _ renewal: KeyRenewal?
    ) throws(Fault) -> (last: String?, summary: LoadSummary) {
        try LoadStates(client.store).requireUnchanged(since: state)
        let soup = set.soup
        let found = try client.store.rows(
            "SELECT {\(soup):__key__} FROM {\(soup)} WHERE {\(soup):__key__} \(last == nil ? ">=" : ">") ? "
                + "ORDER BY {\(soup):__key__}",
            arguments: [.text(last ?? "")], limit: Self.keysAtOnce)
        // What a push has brought since the keys were read is in the store.
        let newest = try SeenKeys(client.store).notedLater(set: set.name, generation: state.generation)
        var listed = IdSearch(keys)
        var next: String?
        var unmet: [String] = []
        for cells in found {
            guard case .value(.text(let bytes))? = cells.first else { continue }
            let key = String(decoding: bytes, as: UTF8.self)
            next = key
            if bytes.count <= Int(UInt16.max), !listed.contains(key), !newest.contains(ByteKey(key)) {
                unmet.append(key)
            }
        }
        let writer = PageWriter(client, set, query, state)
        writer.listed = expanded
        try writer.removeClean(unmet)
        try writer.flush()
        // A key that repeats is not valid text; the walk must end all the same.
        let isAtEnd = found.count < Self.keysAtOnce || next == last
        if isAtEnd {
            var renewal = renewal
            try writer.renewKeys(&renewal)
        }
        client.saved.note(writer.met, byLoadOf: set.name)
        return (isAtEnd ? nil : next, writer.summary)
    }
}
