import EntryCoding
import JSONText
import OfflineStore
import Soups

/// Reads the entries of one soup in every way that the store has, which must all give the same.
struct EntryReadings {
    let store: SmartStore
    let soup: String
    /// Whether the calling thread is inside a transaction, whose changes other threads do not see.
    let isInTransaction: Bool

    /// The entries of these ids.
    func entries(ids: [Int64]) throws(Fault) -> JSONValue {
        let (list, single) = try Self.ownFaults {
            try store.read { reader in
                (
                    try reader.retrieve(ids: ids, from: soup),
                    try Self.different(ids).compactMap { try reader.retrieve(id: $0, from: soup) }
                )
            }
        }
        let entries = try Self.json(list.map { Array($0) })
        try Self.agree(entries, Self.json(single), "one by one")
        let values = try Self.ownFaults {
            (
                try store.values(CodableTree.self, ids: ids, from: soup),
                try Self.different(ids).compactMap { try store.value(CodableTree.self, id: $0, from: soup) }
            )
        }
        try agree(entries, values.0, "as values")
        try agree(entries, values.1, "as single values")
        return .array(entries)
    }

    /// The entries that match a query: at most `limit`, or all.
    func entries(_ spec: QuerySpec, limit: Int?) throws(Fault) -> JSONValue {
        let (list, count) = try Self.ownFaults {
            try store.read { reader in
                (try reader.entries(spec, in: soup, limit: limit), try reader.count(spec, in: soup))
            }
        }
        let entries = try Self.json(list.map { Array($0) })
        guard entries.count == min(limit ?? .max, count) else {
            throw Self.disagreement("counted")
        }
        try Self.agree(entries, Self.json(shown(spec, limit: limit)), "shown one at a time")
        let values = try Self.ownFaults { try store.values(CodableTree.self, spec, in: soup, limit: limit) }
        try agree(entries, values, "as values")
        if !isInTransaction {
            try compareAsynchronous(entries, spec, limit: limit)
        }
        try Self.agree(entries, Self.json(shownInTransaction(spec, limit: limit)), "inside of a transaction")
        return .array(entries)
    }

    /// The texts that a transaction shows to a closure, which stops after `limit` of them.
    private func shownInTransaction(_ spec: QuerySpec, limit: Int?) throws(Fault) -> [[UInt8]] {
        try Self.ownFaults {
            try store.transaction { transaction in
                var texts: [[UInt8]] = []
                try transaction.forEach(spec, in: soup) { entry in
                    texts.append(entry.withBytes { Array($0) })
                    return texts.count == limit ? .stop : .next
                }
                return texts
            }
        }
    }

    /// The ways that read page by page.
    private func compareAsynchronous(_ entries: [JSONValue], _ spec: QuerySpec, limit: Int?) throws(Fault) {
        let (store, soup) = (store, soup)
        let limit = limit ?? .max
        let pages = try SyncCalls.awaiting {
            var texts: [[UInt8]] = []
            for try await page in try await store.query(spec, soup: soup).pages {
                texts += page.entries.map { Array($0) }
            }
            return Array(texts.prefix(limit))
        }
        try Self.agree(entries, Self.json(pages), "page by page")
        let streamed = try SyncCalls.awaiting {
            var values: [Identified<CodableTree>] = []
            for try await value in store.stream(CodableTree.self, spec, in: soup) {
                values.append(value)
                if values.count == limit {
                    break
                }
            }
            return values
        }
        try agree(entries, streamed, "as a stream of values")
    }

    /// The texts that are shown to a closure, which stops after `limit` of them.
    private func shown(_ spec: QuerySpec, limit: Int?) throws(Fault) -> [[UInt8]] {
        try Self.ownFaults {
            try store.read { reader in
                var texts: [[UInt8]] = []
                try reader.forEach(spec, in: soup) { entry in
                    let text = entry.withBytes { Array($0) }
                    let json = try CallResults.entry(text)
                    guard json["_soupEntryId"]?.int64 == entry.id,
                        json["_soupLastModifiedDate"]?.int64 == (try entry.lastModified)
                    else {
                        throw Self.disagreement("shown with their ids and dates")
                    }
                    texts.append(text)
                    return texts.count == limit ? .stop : .next
                }
                return texts
            }
        }
    }
}

// MARK: - Comparing
extension EntryReadings {
    private func agree(
        _ entries: [JSONValue], _ values: [Identified<CodableTree>], _ way: String
    ) throws(Fault) {
        try Self.agree(entries.map { CodableTree($0).json }, values.map(\.value.json), way)
        let hasSystemFields = zip(entries, values).allSatisfy { entry, value in
            entry["_soupEntryId"]?.int64 == value.id && entry["_soupLastModifiedDate"]?.int64 == value.lastModified
        }
        guard hasSystemFields else {
            throw Self.disagreement(way)
        }
    }

    static func agree(_ expected: [JSONValue], _ found: [JSONValue], _ way: String) throws(Fault) {
        guard expected == found else {
            throw disagreement(way)
        }
    }

    /// Requires that the digests of a backup are those of the entries that were copied.
    static func requireDigests(of summary: BackupSummary, in store: SmartStore) throws(Fault) {
        for soup in summary.soups {
            let lines = try ownFaults {
                try store.read { reader in
                    var lines: [UInt8] = []
                    try reader.forEach(.all(), in: soup.name) { entry in
                        lines += entry.withBytes { Array($0) } + [UInt8(ascii: "\n")]
                        return .next
                    }
                    return lines
                }
            }
            guard soup.digest == SHA256.hex(lines) else { throw disagreement("by a backup") }
        }
    }

    static func disagreement(_ way: String) -> Fault { Fault(.corrupt, "what is read \(way) is not the same") }

    /// Runs work that also throws errors of the language.
    static func ownFaults<R>(_ work: () throws -> R) throws(Fault) -> R {
        do {
            return try work()
        } catch {
            throw error as? Fault ?? Fault(.corrupt, "the reading ended with \(error)")
        }
    }

    private static func json(_ texts: [[UInt8]]) throws(Fault) -> [JSONValue] {
        try texts.map { (text) throws(Fault) in try CallResults.entry(text) }
    }

    /// The ids without those that came before.
    private static func different(_ ids: [Int64]) -> [Int64] {
        var seen: Set<Int64> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
