import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Reads related rows and puts them into rows as members, level by level. What `$expand` then does with them is what it
/// does with nested data.
struct RowExpander {
    private let run: SoupQueryRun
    private let snapshot: StoreSnapshot

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot) {
        self.run = run
        self.snapshot = snapshot
    }

    /// The text of a row as a node that stays in memory.
    static func document(_ text: UnsafeRawBufferPointer) throws(Fault) -> RowNode {
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
        var done: Set<ByteKey> = []
        for expansion in expansions {
            guard let name = expansion.name, done.insert(ByteKey(name)).inserted,
                let relation = run.relation(name, of: soup)
            else { continue }
            // Several items may show one relation, as `Items/$count` and `Items`.
            let items = expansions.filter { $0.name.map { ByteKey($0) } == ByteKey(name) }
            rows = try expanded(rows, items, relation, of: soup)
        }
        return rows
    }

    private func expanded(
        _ rows: [RowResult], _ items: [PreparedOptions.Expansion], _ relation: SoupRelation, of soup: String
    ) throws(Fault) -> [RowResult] {
        let paths = relation.local.map(\.dottedNames)
        // Each row has the number of its key among those that are wanted; nil if it has no key, or a member of its own.
        var owners: [(hasOwn: Bool, key: Int?)] = []
        var wanted: [RowKey] = []
        var numbers: [RowKey: Int] = [:]
        for row in rows {
            guard !row.hasPart(relation.name) else {
                owners.append((true, nil))
                continue
            }
            let number = key(of: row, at: paths, for: relation, from: soup).map { key in
                let number = numbers[key] ?? wanted.count
                if number == wanted.count {
                    numbers[key] = number
                    wanted.append(key)
                }
                return number
            }
            owners.append((false, number))
        }
        let found = try values(of: wanted, numbers, by: relation, items)
        let none: RowResult = relation.isCollection ? .list([], count: nil) : .value(.null)
        var result: [RowResult] = []
        result.reserveCapacity(rows.count)
        for (row, owner) in zip(rows, owners) {
            guard !owner.hasOwn else {
                result.append(row)
                continue
            }
            result.append(row.adding(relation.name, owner.key.map { found[$0] } ?? none))
        }
        return result
    }

    /// The key of a row of a soup for a relation. Rows that refer to a new entity without a key do so by its local id.
    private func key(
        of row: RowResult, at paths: [[String]], for relation: SoupRelation, from soup: String
    ) -> RowKey? {
        guard relation.localTypes?.contains(row) ?? true else { return nil }
        if let key = RowKey(of: row, at: paths) {
            return key
        }
        // A row of the same soup without a foreign key would find itself.
        guard relation.isCollection || ByteKey(relation.soup) != ByteKey(soup),
            let key = RowKey(of: row, at: [[RowMember.key]])
        else { return nil }
        return Self.localIds(in: key).isEmpty ? nil : key
    }

    /// The parts of a key that are local ids, each as a key of its own.
    private static func localIds(in key: RowKey) -> [RowKey] {
        key.parts.compactMap { part in
            guard case .text(let text) = part, LocalId.isLocal(text) else { return nil }
            return RowKey(text: text)
        }
    }

    /// The rows that name new entities by their local ids at a path, or have them as keys, for each key.
    private func rows(
        naming keys: [RowKey], at path: String, in soup: RegisteredSoup
    ) throws(Fault) -> [RelatedResults] {
        let none = RelatedResults(areRead: true)
        var ids: [RowKey] = []
        var numbers: [RowKey: Int] = [:]
        // The numbers of the local ids in each key.
        let named = keys.map { key in
            Self.localIds(in: key).map { id in
                let number = numbers[id] ?? ids.count
                if number == ids.count {
                    numbers[id] = number
                    ids.append(id)
                }
                return number
            }
        }
        guard !ids.isEmpty, soup.canBeNamed else { return keys.map { _ in none } }
        var found = RelatedRows(keys: ids.count, paths: [path.dottedNames], numbers: numbers, empty: none)
        found.wanted = ids.indices
        for start in stride(from: 0, to: ids.count, by: Self.keysAtOnce) {
            let chunk = ids[start..<min(start + Self.keysAtOnce, ids.count)]
            let search = RelatedSearch(soup, [path], keys: chunk)
            try snapshot.rows(search.text, arguments: search.arguments) { (row) throws(Fault) in
                try found.add(row, cell: search.cell)
                return true
            }
            if search.isComplete {
                break
            }
        }
        let lists = found.lists
        return named.map { numbers in
            var rows = none
            for number in numbers {
                rows.add(lists[number])
            }
            return rows
        }
    }

    /// What a row with each of some keys has as its related rows.
    private func values(
        of keys: [RowKey], _ numbers: [RowKey: Int], by relation: SoupRelation, _ items: [PreparedOptions.Expansion]
    ) throws(Fault) -> [RowResult] {
        // Rows that are shown as they are need not be results of their own, each copied and freed. Over keys of several
        // parts new entities are added to them.
        if relation.isCollection, relation.foreign.count == 1, items.count == 1, items[0].showsMembersAsTheyAre {
            return try related(to: keys, numbers, by: relation, RelatedText()).map { $0.finishedArray() }
        }
        let lists = try results(of: keys, numbers, by: relation, items)
        return lists.map { list in
            relation.isCollection ? .list(list, count: nil) : list.first ?? .value(.null)
        }
    }

    /// The related rows of each key, with those of the levels below that any of the items shows, in the order of the
    /// ids.
    private func results(
        of keys: [RowKey], _ numbers: [RowKey: Int], by relation: SoupRelation, _ items: [PreparedOptions.Expansion]
    ) throws(Fault) -> [[RowResult]] {
        let areRead = !relation.isCollection || items.contains { $0.readsMembers }
        var found = try related(to: keys, numbers, by: relation, RelatedResults(areRead: areRead))
        try addNewEntities(to: &found, of: keys, by: relation)
        let lists = found.map(\.sorted)
        let below = items.flatMap { $0.options.expansions }
        guard !below.isEmpty else {
            return lists
        }
        var members = try expanded(lists.flatMap(\.self), below, of: relation.soup)[...]
        return lists.map { list in
            defer { members = members.dropFirst(list.count) }
            return Array(members.prefix(list.count))
        }
    }

    /// Adds the new entities that keys name by their local ids, and the rows that name new entities.
    private func addNewEntities(
        to lists: inout [RelatedResults], of keys: [RowKey], by relation: SoupRelation
    ) throws(Fault) {
        let soup = try snapshot.soup(relation.soup)
        if !relation.isCollection, soup.indexSpec(for: RowMember.key)?.type == .string {
            for (index, list) in try rows(naming: keys, at: RowMember.key, in: soup).enumerated()
            where lists[index].isEmpty {
                lists[index] = list
            }
        }
        guard relation.foreign.count > 1 else { return }
        // A new entity is named at one part of the foreign key.
        let new = keys.indices.filter { keys[$0].parts.count == 1 }
        for path in relation.foreign {
            for (index, list) in zip(new, try rows(naming: new.map { keys[$0] }, at: path, in: soup)) {
                lists[index].add(list)
            }
        }
    }

    /// The related rows of each key.
    private func related<List: RelatedRowList>(
        to keys: [RowKey], _ numbers: [RowKey: Int], by relation: SoupRelation, _ empty: List
    ) throws(Fault) -> [List] {
        let soup = try snapshot.soup(relation.soup)
        var found = RelatedRows(
            keys: keys.count, paths: relation.foreign.map(\.dottedNames), numbers: numbers,
            types: relation.foreignTypes, empty: empty)
        for start in stride(from: 0, to: keys.count, by: Self.keysAtOnce) {
            let chunk = start..<min(start + Self.keysAtOnce, keys.count)
            // The local id of a new entity is not a key of several parts.
            let whole = keys[chunk].filter { $0.parts.count == relation.foreign.count }
            guard !whole.isEmpty else { continue }
            let search = RelatedSearch(soup, relation.foreign, keys: whole[...])
            let isComplete = search.isComplete || !soup.canBeNamed
            // The search for other keys may find a row too. Those before are answered.
            found.wanted = isComplete ? chunk.lowerBound..<keys.count : chunk
            if soup.canBeNamed {
                try snapshot.rows(search.text, arguments: search.arguments) { (row) throws(Fault) in
                    try found.add(row, cell: search.cell)
                    return true
                }
            } else {
                let ids = try snapshot.ids(matching: .all(), in: soup.name)
                try snapshot.entries(ids, of: soup.name) { (id, text) throws(Fault) in
                    try found.add(id, text)
                    return true
                }
            }
            if isComplete {
                break
            }
        }
        return found.lists
    }

    private static let keysAtOnce = 500
}
