import Soups

/// The changes that a watcher has not taken yet: one record for each soup and origin.
struct PendingChanges {
    private struct Key: Hashable {
        let soup: ByteKey
        let origin: StoreChange.Origin
    }

    private struct Record {
        var kinds: StoreChange.Kinds
        var ids: ChangedIDs
    }

    private var records: [Key: Record] = [:]

    var isEmpty: Bool { records.isEmpty }

    mutating func add(_ soup: ByteKey, _ kinds: StoreChange.Kinds, _ ids: ChangedIDs, _ origin: StoreChange.Origin) {
        let key = Key(soup: soup, origin: origin)
        guard var record = records[key] else {
            records[key] = Record(kinds: kinds, ids: ids)
            return
        }
        // Not in two collections at once: the ids would be copied.
        records[key] = nil
        record.kinds.formUnion(kinds)
        record.ids.formUnion(ids)
        records[key] = record
    }

    mutating func removeAll() { records.removeAll(keepingCapacity: true) }

    /// Gives the records in the order of the names' bytes, this process first, and forgets them.
    mutating func take() -> [StoreChange] {
        defer { records = [:] }
        return records.map { key, record in
            StoreChange(soup: key.soup.text, kinds: record.kinds, ids: record.ids.changeIDs, origin: key.origin)
        }.sorted { a, b in
            ByteKey(a.soup) == ByteKey(b.soup)
                ? a.origin == .thisProcess && b.origin != .thisProcess
                : a.soup.utf8.lexicographicallyPrecedes(b.soup.utf8)
        }
    }

    /// Whether one of the records concerns what a read touched.
    func concerns(_ touched: TouchedSoups) -> Bool {
        records.contains { touched.isConcerned(by: $0.key.soup, $0.value.kinds, $0.value.ids) }
    }
}
