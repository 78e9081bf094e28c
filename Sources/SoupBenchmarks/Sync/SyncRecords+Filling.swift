import OfflineStore
import Soups

extension SyncRecords {
    /// Registers a soup with the indexes of a sync and one of the app.
    static func register(_ store: SmartStore, _ soup: String) throws {
        try store.registerSoup(
            soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__"), .string("Name")])
    }

    /// Registers a soup, and stores a row for each record, a page at a time.
    ///
    /// - Parameter isDirty: Whether the row of the record with a number has a local change.
    func fill(_ store: SmartStore, _ soup: String, dirty isDirty: (Int) -> Bool) throws {
        try Self.register(store, soup)
        for number in 0..<pageCount {
            try store.upsert(rows(ofPage: number, dirty: isDirty), into: soup)
        }
    }

    /// Registers a soup, and stores a row for each record that has its id and marks and nothing else.
    func fillWithIds(_ store: SmartStore, _ soup: String) throws {
        try store.registerSoup(soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__")])
        for start in stride(from: 0, to: count, by: 10_000) {
            let rows = (start..<min(start + 10_000, count)).map { number in
                Array(#"{"Id":"\#(id(number))","__local__":false,"__sync_id__":1}"#.utf8)
            }
            try store.upsert(rows, into: soup)
        }
    }
}
