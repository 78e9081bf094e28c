import JSONText
import LocalChanges
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Random edits of a store, compared with a model in memory.
@Suite struct RandomEditsTests {
    private enum Step: CaseIterable { case create, addClean, update, delete, undelete, discard }

    private static let names = ["a", "b", "c"]

    @Test(arguments: [BackEnd.plain, .cipher])
    func `after each of 1000 random edits flags, originals and pending rows are those of the model`(
        backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of random edits: \(seed)")
        var random = SeededRandom(seed: seed)
        let setup = try EditFolder(backEnd)
        let edits = setup.edits()
        var model = EditModel()
        var refused = 0
        for number in 1...1000 {
            let step = Step.allCases.randomElement(using: &random) ?? .create
            let known = model.rows.keys.sorted()
            // Sometimes a row that is not there.
            let id = Int.random(in: 0..<20, using: &random) == 0 ? 5000 : known.randomElement(using: &random) ?? 5000
            let changes = Self.changes(&random)
            let isRolledBack = Int.random(in: 0..<10, using: &random) == 0
            let before = model
            var isAllowed = true
            let fault = faultCode {
                try setup.store.transaction { _ in
                    switch step {
                    case .create:
                        model.add(
                            try #require(edits.create(Self.record(changes))["_soupEntryId"]?.int64), changes,
                            isCreated: true)
                    case .addClean: model.add(try setup.addClean(Self.record(changes)), changes, isCreated: false)
                    case .update:
                        isAllowed = model.update(id, changes)
                        _ = try edits.update(id, changes: Self.record(changes))
                    case .delete:
                        isAllowed = model.delete(id)
                        try edits.delete(id)
                    case .undelete:
                        isAllowed = model.undelete(id)
                        try edits.undelete(id)
                    case .discard:
                        isAllowed = model.discard(id)
                        try edits.discard(id)
                    }
                    if isRolledBack {
                        throw RolledBack()
                    }
                }
            }
            #expect((fault == .invalidEntry) == !isAllowed, "seed \(seed), edit \(number): \(step) of \(id)")
            if !isAllowed || isRolledBack {
                model = before
                refused += 1
            }
            try #require(try Self.differences(setup, model) == [], "seed \(seed), edit \(number): \(step) of \(id)")
        }
        #expect(refused > 50 && refused < 500)
    }

    private struct RolledBack: Error {}

    private static func changes(_ random: inout SeededRandom) -> [String: Int] {
        var changes: [String: Int] = [:]
        for name in names where Bool.random(using: &random) {
            changes[name] = Int.random(in: 0...3, using: &random)
        }
        return changes
    }

    private static func record(_ fields: [String: Int]) -> JSONObject {
        JSONObject(fields.sorted { $0.key < $1.key }.map { ($0.key, .number(JSONNumber(Int64($0.value)))) })
    }

    private static func fields(_ record: JSONObject?) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                record?[name]?.int64.map { (name, Int($0)) }
            })
    }

    /// What differs between the store and the model, in words.
    private static func differences(_ setup: EditFolder, _ model: EditModel) throws -> [String] {
        var differences: [String] = []
        let entries = try setup.store.query(.all(pageSize: 10_000), soup: "contacts").currentPage.entries
        if entries.count != model.rows.count {
            differences.append("\(entries.count) rows, not \(model.rows.count)")
        }
        let originals = Originals(setup.store, soup: "contacts")
        for entry in entries {
            let row = try #require(JSONValue(parsing: Array(entry)).object)
            let id = try #require(row["_soupEntryId"]?.int64)
            guard let wanted = model.rows[id] else {
                differences.append("row \(id) is there")
                continue
            }
            let flags = LocalFlags(of: row)
            if fields(row) != wanted.fields { differences.append("fields of \(id)") }
            if flags.isCreated != wanted.isCreated || flags.isUpdated != wanted.isUpdated
                || flags.isDeleted != wanted.isDeleted || flags.isLocal != wanted.isDirty
            {
                differences.append("flags of \(id)")
            }
            let original = try originals.original(of: id)
            if original.map({ fields($0) }) != wanted.original { differences.append("original of \(id)") }
        }
        if try setup.store.soupExists(originals.name) {
            let kept = try setup.store.count(.all(), soup: originals.name)
            if kept != model.rows.filter({ $0.value.original != nil }).count {
                differences.append("\(kept) originals")
            }
        }
        if try setup.pending() != model.pending { differences.append("pending rows") }
        return differences
    }
}
