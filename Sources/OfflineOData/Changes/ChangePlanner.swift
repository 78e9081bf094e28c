import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Puts the local changes of some sets in the order in which a service can take them.
struct ChangePlanner {
    private let client: ODataClient
    private let sets: [MappedEntitySet]
    private var result = ChangePlan()
    /// New entities by set and key text, at their positions among the new ones.
    private var inserted: [ByteKey: Int] = [:]
    /// The positions in the plan of the new entities, by their positions among the new ones.
    private var insertPositions: [Int: Int] = [:]

    init(_ client: ODataClient, _ sets: [MappedEntitySet]) {
        self.client = client
        self.sets = sets
    }

    /// What the order of the changes needs of a row. The row itself is read again when it is sent.
    private struct Candidate {
        let set: MappedEntitySet
        let entryId: Int64
        let key: String
        /// The keys of the entities that the row refers to, by the foreign keys that name them.
        var principals: [(reference: EntityReference, key: String)] = []
    }

    /// The plan. Nothing is written.
    ///
    /// - Throws: `invalidPlan` for new entities that need each other's keys; as reading rows.
    mutating func plan() throws(Fault) -> ChangePlan {
        var inserts: [Candidate] = []
        var updates: [Candidate] = []
        var deletes: [Candidate] = []
        for set in sets {
            try client.readChangedRows(of: set) { (page) throws(Fault) in
                let ids = page.compactMap(\.row.entryId)
                let noted = try Outbox(client.store).noted(soup: set.soup, among: ids)
                for row in page {
                    var candidate = Candidate(set: set, entryId: row.row.entryId ?? 0, key: row.row.keyText)
                    guard !isLeftOut(row, of: set, isNoted: noted[candidate.entryId] != nil) else { continue }
                    switch row.flags.pushed {
                    case .insert?:
                        candidate.principals = principalKeys(of: row.row, of: set, without: row.boundReferences)
                        inserts.append(candidate)
                    case .update?:
                        if row.sentNames.isEmpty {
                            result.settled.append((set, candidate.entryId))
                        } else {
                            candidate.principals = changedPrincipalKeys(of: row, in: set)
                            updates.append(candidate)
                        }
                    case .delete?:
                        // What the row was changed to before it was deleted is never sent.
                        candidate.principals = principalKeys(of: row.base ?? row.row, of: set, without: [])
                        deletes.append(candidate)
                    case nil: result.settled.append((set, candidate.entryId))
                    }
                }
            }
        }
        let completions = try addInserts(inserts)
        for update in updates {
            var planned = change(update, .update)
            planned.namedInserts = named(principals(of: update), among: inserts)
            result.changes.append(planned)
        }
        for (index, cut) in completions {
            var planned = change(inserts[index], .update)
            planned.isCompletion = true
            planned.namedInserts = named(cut, among: inserts)
            result.changes.append(planned)
        }
        try addDeletes(deletes)
        return result
    }

    private func change(_ candidate: Candidate, _ operation: ChangeOperation) -> PlannedChange {
        PlannedChange(set: candidate.set, entryId: candidate.entryId, operation: operation, key: candidate.key)
    }

    /// Whether a row waits for a decision, or for the key of its entity.
    private mutating func isLeftOut(_ row: ChangedRow, of set: MappedEntitySet, isNoted: Bool) -> Bool {
        if KeptConflict(of: row.row) != nil {
            return true
        }
        if FormerKey.isFormer(row.row.keyText) {
            result.unknown.append((set, row.row.entryId ?? 0))
            return true
        }
        guard isNoted, set.settings.doubt == .hold else {
            return false
        }
        result.held.append((set, row.row.entryId ?? 0))
        return true
    }

    /// The keys of the entities that a row refers to, without some references.
    private func principalKeys(
        of row: JSONObject, of set: MappedEntitySet, without leftOut: [EntityReference]
    ) -> [(reference: EntityReference, key: String)] {
        client.map.references(ofDependent: set.name).compactMap { reference in
            guard !leftOut.contains(reference) else { return nil }
            return client.principalKey(of: row, reference).map { (reference, $0) }
        }
    }

    /// The keys of the entities that a row refers to by foreign keys that were changed here.
    private func changedPrincipalKeys(
        of row: ChangedRow, in set: MappedEntitySet
    ) -> [(reference: EntityReference, key: String)] {
        let changed = Set(row.changedNames.map { ByteKey($0) })
        let unchanged = set.references.filter { reference in
            !reference.foreignKey.contains { changed.contains(ByteKey($0.dottedNames.first ?? $0)) }
        }
        guard unchanged.count < set.references.count else { return [] }
        return principalKeys(of: row.row, of: set, without: unchanged + row.boundReferences)
    }

    // MARK: - Inserts

    /// A foreign key that names a new entity, which is at a position among the new ones.
    private typealias Edge = (target: Int, reference: EntityReference)

    /// Adds the inserts, principals before dependents, and returns what some of them leave out, by their positions
    /// among the new entities.
    private mutating func addInserts(_ inserts: [Candidate]) throws(Fault) -> [(index: Int, cut: [Edge])] {
        for (index, insert) in inserts.enumerated() {
            inserted[Self.name(insert.set, insert.key)] = index
        }
        var edges: [[Edge]] = []
        for insert in inserts {
            edges.append(principals(of: insert))
        }
        var order = TopologicalOrder(edges.map { $0.map(\.target) })
        var cut: [Int: [Edge]] = [:]
        while let cycle = order.run() {
            guard let (from, to) = Self.weakest(of: cycle, edges) else {
                let names = Set(cycle.map { inserts[$0].set.name }).sorted(by: EntitySetMap.isBefore)
                throw Fault(
                    .invalidPlan,
                    "new entities of \(names.joined(separator: ", ")) need each other's keys; empty one foreign key")
            }
            cut[from, default: []] += edges[from].filter { $0.target == to }
            edges[from].removeAll { $0.target == to }
            order.cut(from: from, to: to)
        }
        for index in order.result {
            var planned = change(inserts[index], .insert)
            planned.principals = edges[index].compactMap { edge in
                insertPositions[edge.target].map { (edge.reference, $0) }
            }
            planned.leftOut = (cut[index] ?? []).map(\.reference)
            insertPositions[index] = result.changes.count
            result.changes.append(planned)
        }
        return order.result.compactMap { index in cut[index].map { (index, $0) } }
    }

    /// The positions in the plan of the inserts whose keys the client gives. The others are waited for by their local
    /// ids.
    private func named(_ edges: [Edge], among inserts: [Candidate]) -> [Int] {
        edges.filter { !LocalId.isLocal(inserts[$0.target].key) }.compactMap { insertPositions[$0.target] }
    }

    /// The new entities that a row refers to. A link that the caller binds leads to an entity of the service.
    private func principals(of candidate: Candidate) -> [Edge] {
        candidate.principals.compactMap { reference, key in
            inserted[ByteKey(reference.principal + "\0" + key)].map { ($0, reference) }
        }
    }

    /// The step of a cycle over a foreign key that may be null.
    private static func weakest(
        of cycle: [Int], _ edges: [[Edge]]
    ) -> (from: Int, to: Int)? {
        for (index, from) in cycle.enumerated() {
            let to = cycle[(index + 1) % cycle.count]
            let steps = edges[from].filter { $0.target == to }
            if !steps.isEmpty, steps.allSatisfy({ !$0.reference.isRequired }) {
                return (from, to)
            }
        }
        return nil
    }

    // MARK: - Deletes

    /// Adds the deletes, dependents before principals.
    private mutating func addDeletes(_ deletes: [Candidate]) throws(Fault) {
        var positions: [ByteKey: Int] = [:]
        for (index, delete) in deletes.enumerated() {
            positions[Self.name(delete.set, delete.key)] = index
        }
        var edges = [[Int]](repeating: [], count: deletes.count)
        for (index, delete) in deletes.enumerated() {
            for (reference, key) in delete.principals {
                let name = ByteKey(reference.principal + "\0" + key)
                guard let principal = positions[name], principal != index else { continue }
                edges[principal].append(index)
            }
        }
        var order = TopologicalOrder(edges)
        while let cycle = order.run() {
            order.cut(from: cycle[0], to: cycle[1 % cycle.count])
        }
        for index in order.result {
            result.changes.append(change(deletes[index], .delete))
        }
    }

    private static func name(_ set: MappedEntitySet, _ key: String) -> ByteKey { ByteKey(set.name + "\0" + key) }
}

extension ODataClient {
    /// The key text of the entity that a row refers to over a foreign key; nil if it refers to nothing.
    func principalKey(of row: JSONObject, _ reference: EntityReference) -> String? {
        guard let principal = map.find(reference.principal), reference.isOwned(by: row) else { return nil }
        var parts: [(String, JSONValue)] = []
        for (path, name) in zip(reference.foreignKey, reference.principalKey) {
            guard let value = row.value(at: path), !value.isNull else { return nil }
            if let text = value.string, LocalId.isLocal(text) {
                return text
            }
            parts.append((name, value))
        }
        return try? StoredKey.text(of: JSONObject(parts), principal, version: map.version)
    }
}
