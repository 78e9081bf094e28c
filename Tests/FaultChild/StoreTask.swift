import OfflineStore
import SQLiteAccess
import Soups

/// What the child does while it may be killed. The store was filled by `StoreTask.prepare` before.
enum StoreTask: String, CaseIterable {
    case open, registerSoup, upsert, removeByQuery, clearSoup, alterSoup, reIndexSoup, removeSoup, externalUpsert,
        externalise, checkpoint, rekey

    /// Entries at the start; enough for some pages, few enough for a quick sweep.
    static let entries = 40

    static func entry(_ n: Int, _ word: String) -> [UInt8] {
        Array(
            "{\"k\":\"key \(n % 4)\",\"t\":\"\(word) \(n)\",\"n\":\(n),\"filler\":\"\(String(repeating: "x", count: 200))\"}"
                .utf8)
    }

    static func prepare(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert((1...entries).map { entry($0, "old") }, into: "s")
        try store.upsert((1...4).map { entry($0, "old") }, into: "x")
    }

    func run(_ store: SmartStore, newKey: Key?) throws {
        switch self {
        case .open: break
        case .registerSoup: try store.registerSoup("fresh", indexSpecs: [.string("a"), .fullText("b"), .json1("c")])
        case .upsert:
            // Half of them replace, half of them are new.
            try store.upsert(
                (1...10).map { Array("{\"_soupEntryId\":\($0),".utf8) + Self.entry($0, "new").dropFirst() }
                    + (1...10).map { Self.entry($0, "new") }, into: "s")
        case .removeByQuery: try store.remove(matching: .exact(path: "k", matchKey: "key 1"), from: "s")
        case .clearSoup: try store.clearSoup("s")
        case .alterSoup:
            try store.alterSoup("s", indexSpecs: [.integer("n"), .fullText("k"), .string("t")], reIndexData: true)
        case .reIndexSoup: try store.reIndexSoup("s", paths: ["k", "t"])
        case .removeSoup: try store.removeSoup("s")
        case .externalUpsert:
            try store.upsert(
                (1...4).map { Array("{\"_soupEntryId\":\($0),".utf8) + Self.entry($0, "new").dropFirst() }, into: "x")
        case .externalise:
            try store.alterSoup("x", soupSpec: SoupSpec(name: "x"), indexSpecs: [.json1("k")], reIndexData: true)
        case .checkpoint:
            try store.upsert([Self.entry(50, "new")], into: "s")
            try store.close()
        case .rekey: try store.rekey(to: newKey)
        }
    }
}
