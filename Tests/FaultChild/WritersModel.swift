import OfflineStore
import Soups

/// What the writers of a trial do: commit after commit, each decided by its number and a seed, no matter which one
/// makes it. So the content of the store after each commit can be computed.
struct WritersModel {
    let seed: UInt64
    /// The number of the last commit.
    private(set) var number = 0
    /// The number of the commit that wrote each entry, by its key: of the soup, and of the one with external storage.
    private(set) var entries: [String: Int] = [:]
    private(set) var files: [String: Int] = [:]

    private static let keys = 50
    private static let fileKeys = 7

    init(seed: UInt64 = 0) { self.seed = seed }

    /// What one commit writes and removes.
    struct Change {
        let written: String
        let removed: String?
        let writtenFile: String
        let removedFile: String?
    }

    /// Goes on to a commit.
    mutating func advance(to last: Int) {
        while number < last {
            number += 1
            let change = change(number)
            entries[change.written] = number
            change.removed.map { entries[$0] = nil }
            files[change.writtenFile] = number
            change.removedFile.map { files[$0] = nil }
        }
    }

    func change(_ number: Int) -> Change {
        var draws = Draws(seed: seed &+ UInt64(number) &* 0x1_0000_0001)
        return Change(
            written: "key \(draws.below(Self.keys))",
            removed: draws.below(3) == 0 ? "key \(draws.below(Self.keys))" : nil,
            writtenFile: "file \(draws.below(Self.fileKeys))",
            removedFile: draws.below(4) == 0 ? "file \(draws.below(Self.fileKeys))" : nil)
    }

    // MARK: - In a store

    /// Registers the soups, and writes the number 0.
    static func prepare(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.registerSoup("last", indexSpecs: [.string("k"), .integer("n"), .integer("w")])
        try store.upsert([entry("last", 0, 0)], into: "last", externalIdPath: "k")
    }

    /// An error that undoes a commit.
    struct Undone: Error {}

    /// Makes the next commit, and returns its number.
    ///
    /// - Parameter isKept: False to undo it at its end.
    func commit(_ store: SmartStore, writer: Int, isKept: Bool = true) throws -> Int {
        try store.transaction { _ in
            let number = try Self.last(of: store).number + 1
            let change = change(number)
            try store.upsert([Self.entry(change.written, number, writer)], into: "s", externalIdPath: "k")
            if let removed = change.removed {
                try store.remove(matching: .exact(path: "k", matchKey: .string(removed)), from: "s")
            }
            try store.upsert([Self.entry(change.writtenFile, number, writer)], into: "x", externalIdPath: "k")
            if let removed = change.removedFile {
                try store.remove(matching: .exact(path: "k", matchKey: .string(removed)), from: "x")
            }
            try store.upsert([Self.entry("last", number, writer)], into: "last", externalIdPath: "k")
            guard isKept else {
                throw Undone()
            }
            return number
        }
    }

    /// The number of the last commit in a store, and who made it.
    static func last(of store: SmartStore) throws -> (number: Int, writer: Int) {
        let rows = try store.query(
            .exact(path: "k", matchKey: "last", selectPaths: ["n", "w"]), soup: "last"
        ).currentPage.rows
        return (Int(rows.first?[0].int64 ?? -1), Int(rows.first?[1].int64 ?? -1))
    }

    static func entry(_ key: String, _ number: Int, _ writer: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: 100 + number % 7 * 50)
        return Array(#"{"k":"\#(key)","n":\#(number),"w":\#(writer),"t":"words \#(number)","f":"\#(filler)"}"#.utf8)
    }

    /// What a store holds that this state does not, or the other way round; nil if they are equal.
    func difference(from content: WritersContent) -> String? {
        var wrong = content.faults
        if content.number != number {
            wrong.append("it has the number \(content.number) after \(number)")
        }
        for (found, expected) in [(content.entries, entries), (content.files, files)] where found != expected {
            for key in Set(found.keys).union(expected.keys).sorted() where found[key] != expected[key] {
                let text = found[key].map { "of commit \($0)" } ?? "missing"
                wrong.append("\(key) is \(text) and should be \(expected[key].map { "of commit \($0)" } ?? "removed")")
            }
        }
        return wrong.isEmpty ? nil : wrong.prefix(3).joined(separator: ", ")
    }
}
