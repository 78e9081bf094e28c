import OfflineStore
import Soups

/// What the writers of a backup trial do: commit after commit, each decided by its number, whoever makes it. So the
/// content of the store after each commit can be computed.
struct WritersModel {
    /// The number of the last commit.
    private(set) var number = 0
    /// The number of the commit that wrote each entry, by its key: of the soup, and of the one with external storage.
    private(set) var entries: [String: Int] = [:]
    private(set) var files: [String: Int] = [:]

    private static let keys = 50
    private static let fileKeys = 7

    /// Goes on to a commit.
    mutating func advance(to last: Int) {
        while number < last {
            number += 1
            let change = Self.change(number)
            entries[change.written] = number
            change.removed.map { entries[$0] = nil }
            files[change.writtenFile] = number
            change.removedFile.map { files[$0] = nil }
        }
    }

    private static func change(
        _ number: Int
    ) -> (written: String, removed: String?, writtenFile: String, removedFile: String?) {
        (
            "key \(number % keys)", number % 3 == 0 ? "key \(number * 7 % keys)" : nil, "file \(number % fileKeys)",
            number % 4 == 0 ? "file \(number * 3 % fileKeys)" : nil
        )
    }

    // MARK: - In a store

    /// Registers the soups, and writes the number 0.
    static func prepare(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.registerSoup("last", indexSpecs: [.string("k"), .integer("n"), .integer("w")])
        try store.upsert([entry("last", 0, 0)], into: "last", externalIdPath: "k")
    }

    /// Makes the next commit, and returns its number.
    static func commit(_ store: SmartStore, writer: Int) throws -> Int {
        try store.transaction {
            let number = try last(of: store).number + 1
            let change = change(number)
            try store.upsert([entry(change.written, number, writer)], into: "s", externalIdPath: "k")
            if let removed = change.removed {
                try store.remove(matching: .exact(path: "k", matchKey: .string(removed)), from: "s")
            }
            try store.upsert([entry(change.writtenFile, number, writer)], into: "x", externalIdPath: "k")
            if let removed = change.removedFile {
                try store.remove(matching: .exact(path: "k", matchKey: .string(removed)), from: "x")
            }
            try store.upsert([entry("last", number, writer)], into: "last", externalIdPath: "k")
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

    /// What a store holds that this state does not, or the other way round; nil if they are equal.
    func difference(from store: SmartStore) throws -> String? {
        for (soup, expected) in [("s", entries), ("x", files)] {
            var found: [String: Int] = [:]
            try store.read { reader in
                try reader.forEach(.all(), in: soup) { entry in
                    let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
                    let parts = text.split(separator: "\"")
                    let number = text.firstRange(of: "\"n\":").map { text[$0.upperBound...].prefix { $0.isNumber } }
                    found[parts.count > 3 ? String(parts[3]) : text] = number.flatMap { Int($0) } ?? -1
                    return .next
                }
            }
            if found != expected {
                let wrong = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
                return "\(soup): "
                    + wrong.prefix(3).map { key in
                        "\(key) is \(found[key].map(String.init) ?? "missing") and not \(expected[key].map(String.init) ?? "missing")"
                    }.joined(separator: ", ")
            }
        }
        return nil
    }

    private static func entry(_ key: String, _ number: Int, _ writer: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: 100 + number % 7 * 50)
        return Array(#"{"k":"\#(key)","n":\#(number),"w":\#(writer),"t":"words \#(number)","f":"\#(filler)"}"#.utf8)
    }
}
