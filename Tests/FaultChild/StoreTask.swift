import FoundationEssentials
import JSONText
import LocalChanges
import OfflineStore
import SQLiteAccess
import Soups

/// What the child does while it may be killed. `prepare` has filled the store before.
enum StoreTask: String, CaseIterable {
    case open, registerSoup, upsert, removeByQuery, clearSoup, alterSoup, reIndexSoup, removeSoup, checkpoint
    /// Several calls in one transaction.
    case twoCalls, threeCalls
    /// The first local change of a row, whose original is kept in a soup that is made for it.
    case localEdit
    case load, loadExternal
    case externalUpsert, clearExternal, removeExternal, clearAndFillExternal
    /// From external storage into the table, and out of it.
    case internalise, externalise
    /// Out of the table in a store without any external soup yet: a keyed store also makes the key of its files.
    case externaliseFirst
    /// From key to key, from no key to one, and from one to none.
    case rekey, encrypt, decrypt
    /// A copy next to the store; a copy of an earlier state in the place of the store.
    case backup, restore
    case compact, migrate

    /// The number of entries at the start: enough for some pages, few enough for a quick sweep.
    static let entries = 40

    static func entry(_ n: Int, _ word: String) -> [UInt8] {
        Array(
            "{\"k\":\"key \(n % 4)\",\"t\":\"\(word) \(n)\",\"n\":\(n),\"filler\":\"\(String(repeating: "x", count: 200))\"}"
                .utf8)
    }

    /// The same for an entry that exists already.
    static func change(_ n: Int, _ word: String) -> [UInt8] {
        Array("{\"_soupEntryId\":\(n),".utf8) + entry(n, word).dropFirst()
    }

    /// Fills the soup `s`, and the external soup `x` unless the operation is about a store that has none.
    func prepare(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert((1...Self.entries).map { Self.entry($0, "old") }, into: "s")
        guard self != .externaliseFirst else { return }
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert((1...4).map { Self.entry($0, "old") }, into: "x")
        switch self {
        case .restore:
            // What the backup lacks is gone afterwards.
            _ = try store.backupNow(to: Self.copy(ofStore: store.path))
            try store.upsert((1...10).map { Self.change($0, "later") } + [Self.entry(60, "later")], into: "s")
            try store.remove(ids: [1], from: "x")
            try store.upsert([Self.change(2, "later"), Self.entry(60, "later")], into: "x")
        case .compact: try store.remove(ids: Array(11...30), from: "s")
        default: break
        }
    }

    /// Where a backup is.
    static func copy(ofStore path: String) -> String { path + ".copy" }

    // MARK: - Migrations

    /// Every call of a migration. None may be done twice: each entry would show it.
    static let migrations = [
        StoreMigration("mark") { context in
            try context.rewrite("s", batch: 10) { .replace(marked($0)) }
            try context.alterSoup("s", indexSpecs: [.string("k"), .fullText("t"), .integer("n")])
            try context.renamePath("n", to: "inner.n", in: "x", batch: 3)
        },
        StoreMigration("thin out") { context in
            try context.registerSoup("fresh", indexSpecs: [.string("a")])
            try context.rewrite("s", batch: 15) { $0.id % 8 == 0 ? .remove : .replace(marked($0)) }
            try context.removeSoup("nothing")
        },
    ]

    /// The text with one more mark in its member `t`.
    private static func marked(_ entry: borrowing EntryView) -> [UInt8] {
        let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
        return Array(text.replacing("\"t\":\"", with: "\"t\":\"+", maxReplacements: 1).utf8)
    }

    // MARK: - Keys

    /// Whether only the key changes, so that the entries are the same before and after.
    var changesKey: Bool { [.rekey, .encrypt, .decrypt].contains(self) }

    /// The seed of the store's key before, or after, the operation; nil if there is none.
    func keySeed(_ backEnd: BackEnd, after: Bool = false) -> UInt8? {
        switch self {
        case .rekey: after ? 8 : 7
        case .encrypt: after ? 8 : nil
        case .decrypt: after ? nil : 7
        default: backEnd.isKeyed ? 7 : nil
        }
    }

    /// The back ends that can perform it.
    var backEnds: [BackEnd] {
        switch self {
        case .rekey, .decrypt: [.cipher]
        case .encrypt: [.cipherOff]
        default: [.plain, .cipher]
        }
    }

    // MARK: - Work

    /// - Parameter options: Those of the store.
    func run(_ store: SmartStore, _ options: StoreOptions, newKey: Key?) throws {
        switch self {
        case .open: break
        case .registerSoup: try store.registerSoup("fresh", indexSpecs: [.string("a"), .fullText("b"), .json1("c")])
        case .upsert:
            // Half of them replace entries, half of them are new.
            try store.upsert(
                (1...10).map { Self.change($0, "new") } + (1...10).map { Self.entry($0, "new") }, into: "s")
        case .removeByQuery: try store.remove(matching: .exact(path: "k", matchKey: "key 1"), from: "s")
        case .clearSoup: try store.clearSoup("s")
        case .alterSoup:
            try store.alterSoup("s", indexSpecs: [.integer("n"), .fullText("k"), .string("t")], reIndexData: true)
        case .reIndexSoup: try store.reIndexSoup("s", paths: ["k", "t"])
        case .removeSoup: try store.removeSoup("s")
        case .checkpoint:
            try store.upsert([Self.entry(50, "new")], into: "s")
            try store.close()
        case .twoCalls:
            try store.transaction { _ in
                try store.upsert((1...10).map { Self.change($0, "new") }, into: "s")
                try store.upsert([Self.change(2, "new"), Self.entry(50, "new")], into: "x")
            }
        case .threeCalls:
            try store.transaction { _ in
                try store.remove(ids: [1, 3], from: "x")
                try store.upsert([Self.entry(50, "new")], into: "x")
                try store.remove(matching: .exact(path: "k", matchKey: "key 1"), from: "s")
            }
        case .localEdit:
            _ = try LocalEdits(store, soup: "s", keyField: "k", keepsOriginals: true).update(1, changes: ["t": "mine"])
        case .load: try load(store, into: "s", count: 20)
        case .loadExternal: try load(store, into: "x", count: 3)
        case .externalUpsert: try store.upsert((1...4).map { Self.change($0, "new") }, into: "x")
        case .clearExternal: try store.clearSoup("x")
        case .removeExternal: try store.removeSoup("x")
        case .clearAndFillExternal:
            try store.transaction { _ in
                try store.clearSoup("x")
                try store.upsert([Self.entry(50, "new"), Self.entry(51, "new")], into: "x")
            }
        case .internalise:
            try store.alterSoup("x", soupSpec: SoupSpec(name: "x"), indexSpecs: [.json1("k")], reIndexData: true)
        case .externalise, .externaliseFirst:
            try store.alterSoup(
                "s", soupSpec: SoupSpec(name: "s", features: [.externalStorage]),
                indexSpecs: [.string("k"), .fullText("t")], reIndexData: true)
        case .rekey, .encrypt: try store.rekey(to: newKey)
        case .decrypt: try store.rekey(to: nil)
        case .backup: _ = try store.backupNow(to: Self.copy(ofStore: store.path))
        case .restore:
            try store.close()
            try SmartStore.restoreNow(
                from: Self.copy(ofStore: store.path), key: options.key, to: store.path, replacing: true,
                options: options)
        case .compact: _ = try store.compactNow()
        case .migrate: _ = try store.migrateNow(Self.migrations)
        }
    }

    /// Loads a file of `count` lines, half of which replace entries, from next to the store.
    private func load(_ store: SmartStore, into soup: String, count: Int) throws {
        let lines = (1...count).map { $0 % 2 == 0 ? Self.change($0, "new") : Self.entry($0, "new") }
        let path = store.path + ".jsonl"
        try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(filePath: path))
        try store.load(jsonLines: path, into: soup)
    }
}
