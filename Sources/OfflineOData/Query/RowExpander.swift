import JSONText
import OData
import OfflineStore
import Soups

/// Reads related rows and puts them into rows as members, level by level. What `$expand` then does with them is what it
/// does with nested data.
struct RowExpander {
    private let run: SoupQueryRun
    private let snapshot: StoreSnapshot
    private let tape = RowTape()

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot) {
        self.run = run
        self.snapshot = snapshot
    }

    /// The text of a row as a node that stays in memory.
    static func document(_ text: [UInt8]) throws(Fault) -> RowNode {
        do throws(JSONError) {
            return try RowDocument(text).root
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
    }

    /// The rows with the related rows of all levels. The levels are limited by the preparation of the options.
    func expanded(
        _ rows: [RowResult], _ expansions: [PreparedOptions.Expansion], of soup: String
    ) throws(Fault) -> [RowResult] {
        var rows = rows
        for expansion in expansions {
            guard let name = expansion.name, let relation = run.relation(name, of: soup) else { continue }
            rows = try expanded(rows, expansion, relation)
        }
        return rows
    }

    private func expanded(
        _ rows: [RowResult], _ expansion: PreparedOptions.Expansion, _ relation: SoupRelation
    ) throws(Fault) -> [RowResult] {
        let paths = relation.local.map(Self.names)
        var keys: [RowKey?] = []
        var wanted: [RowKey] = []
        var seen: Set<RowKey> = []
        for row in rows {
            let key = Self.hasOwn(relation.name, row) ? nil : RowKey(of: row, at: paths)
            keys.append(key)
            if let key, seen.insert(key).inserted {
                wanted.append(key)
            }
        }
        let found = try related(to: wanted, by: relation, expansion)
        var result: [RowResult] = []
        for (row, key) in zip(rows, keys) {
            guard !Self.hasOwn(relation.name, row) else {
                result.append(row)
                continue
            }
            let members = key.flatMap { found[$0] } ?? []
            let value: RowResult =
                relation.isCollection ? .list(members, count: nil) : members.first ?? .value(.null)
            result.append(row.adding([(relation.name, value)]))
        }
        return result
    }

    /// Whether an array or object of the row itself has the name.
    private static func hasOwn(_ name: String, _ row: RowResult) -> Bool {
        switch row.member(name)?.content {
        case .array, .object: true
        default: false
        }
    }

    private static func names(_ path: String) -> [String] {
        path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The related rows of keys, with those of the levels below, each list in the order of the ids.
    private func related(
        to keys: [RowKey], by relation: SoupRelation, _ expansion: PreparedOptions.Expansion
    ) throws(Fault) -> [RowKey: [RowResult]] {
        let soup = try snapshot.soup(relation.soup)
        let paths = relation.foreign.map(Self.names)
        var wanted = Set(keys)
        var found: [(id: Int64, owner: RowKey, member: RowResult)] = []
        func add(_ id: Int64, _ text: UnsafeRawBufferPointer) throws(Fault) {
            try tape.withRow(text) { (row) throws(Fault) in
                let node = RowResult.data(row)
                if let key = RowKey(of: node, at: paths), wanted.contains(key), !Self.isDeleted(node) {
                    found.append((id, key, .data(RowDocument(checked: text).root)))
                }
            }
        }
        for start in stride(from: 0, to: keys.count, by: Self.keysAtOnce) {
            let chunk = keys[start..<min(start + Self.keysAtOnce, keys.count)]
            let search = RelatedSearch(soup, relation.foreign, keys: chunk)
            let isComplete = search.isComplete || !soup.canBeNamed
            if !isComplete {
                // The search for other keys may find a row too.
                wanted = Set(chunk)
            }
            if soup.canBeNamed {
                try snapshot.rows(search.text, arguments: search.arguments) { (row) throws(Fault) in
                    let id = row.integer(at: 0)
                    try row.withEntry(at: 1) { (text) throws(Fault) in try add(id, text) }
                    return true
                }
            } else {
                let ids = try snapshot.ids(matching: .all(), in: soup.name)
                try snapshot.entries(ids, of: soup.name) { (id, text) throws(Fault) in
                    try add(id, text)
                    return true
                }
            }
            if isComplete {
                break
            }
        }
        found.sort { $0.id < $1.id }
        let members = try expanded(found.map(\.member), expansion.options.expansions, of: relation.soup)
        var result: [RowKey: [RowResult]] = [:]
        for (row, member) in zip(found, members) {
            result[row.owner, default: []].append(member)
        }
        return result
    }

    private static let keysAtOnce = 500

    private static func isDeleted(_ row: RowResult) -> Bool {
        if case .boolean(true)? = row.member("__locally_deleted__")?.content {
            true
        } else {
            false
        }
    }
}
