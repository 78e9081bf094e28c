import Foundation
import JSONText
import OfflineStore
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import soup

/// `soup inspect` on damaged stores: it gives what they have, and counts what is missing. `InspectFuzzTests` damages at
/// random.
@Suite struct InspectDamageTests {
    private static let key: [UInt8] = (0..<32).map { 7 + UInt8($0) }

    private func options(_ inspected: InspectedFolder, _ backEnd: BackEnd) throws -> [String] {
        backEnd.isKeyed ? ["--key-file", try inspected.keyFile(Self.key)] : []
    }

    private func store(_ backEnd: BackEnd, entries: Int) throws -> InspectedFolder {
        let inspected = try InspectedFolder()
        let store = try inspected.make(backEnd, key: backEnd.isKeyed ? try BackEnds.key() : nil)
        try store.upsert((31...entries).map(InspectedFolder.entry), into: "people")
        try store.close()
        return inspected
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `of a store with damaged pages every other entry is saved, and the missing ones are counted`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let inspected = try store(backEnd, entries: 2000)
        // Leaves of the table, found by the pages that hold its entries: every tenth page of the file.
        var bytes = try #require(try File.read(inspected.path))
        let pages = bytes.count / 4096
        for page in stride(from: 30, to: pages, by: 10) {
            for offset in 0..<4096 {
                bytes[page * 4096 + offset] ^= 0xA5
            }
        }
        File.remove(inspected.path)
        try File.create(inspected.path, bytes)
        let key = try options(inspected, backEnd)
        let check = try inspected.inspect(["check", "--format", "jsonl"] + key)
        #expect(check.code == 1 && check.output.contains("pageDamaged"), "\(check.errors)")
        let export = try inspected.inspect(["export", "people"] + key)
        #expect(export.code == 1 && export.errors.contains("[corrupt]"), "\(export.code) \(export.errors)")
        let salvage = try inspected.inspect(["export", "people", "--salvage", "--without-system-fields"] + key)
        #expect(salvage.code == 1, "\(salvage.errors)")
        let lines = Set(salvage.output.split(separator: "\n"))
        let whole = Set((1...2000).map { String(decoding: InspectedFolder.entry($0), as: UTF8.self)[...] })
        #expect(lines.isSubset(of: whole))
        #expect(lines.count > 1200 && lines.count < 2000, "\(lines.count)")
        #expect(salvage.errors.contains("\(lines.count) entries read"))
    }

    @Test func `a tree that leads back to a page that was read gives each entry once`() throws {
        let inspected = try store(.plain, entries: 2000)
        let connection = try BackEnd.plain.connect(inspected.path)
        let root = try #require(
            try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'TABLE_1'"))
        connection.close()
        var bytes = try #require(try File.read(inspected.path))
        let page = (Int(root) - 1) * 4096
        // An inner page of a table: its cells begin with the number of a page; their offsets follow a header of 12
        // bytes.
        #expect(bytes[page] == 5)
        let cells = [12, 14].map { page + Int(bytes[page + $0]) << 8 + Int(bytes[page + $0 + 1]) }
        bytes.replaceSubrange(cells[1]..<cells[1] + 4, with: Array(bytes[cells[0]..<cells[0] + 4]))
        File.remove(inspected.path)
        try File.create(inspected.path, bytes)
        let salvage = try inspected.inspect(["export", "people", "--salvage", "--without-system-fields"])
        #expect(salvage.code == 1, "\(salvage.errors)")
        let lines = salvage.output.split(separator: "\n")
        #expect(Set(lines).count == lines.count && lines.count > 1_900 && lines.count < 2_000, "\(lines.count)")
    }

    /// Nothing says which id was the last: many are looked up.
    @Test func `a soup whose first page is damaged is given up within half a minute`() throws {
        let inspected = try store(.plain, entries: 40)
        let connection = try BackEnd.plain.connect(inspected.path)
        let pages = try ["TABLE_1", "TABLE_2", "sqlite_sequence"].map {
            try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = ?", .text($0))
        }
        connection.close()
        var bytes = try #require(try File.read(inspected.path))
        for page in pages {
            let first = (Int(try #require(page)) - 1) * 4096
            bytes.replaceSubrange(first..<first + 4096, with: [UInt8](repeating: 0xA5, count: 4096))
        }
        File.remove(inspected.path)
        try File.create(inspected.path, bytes)
        for soup in ["people", "scans"] {
            let ended = try inspected.shell("timeout 30 $soup export \(soup) --salvage")
            #expect(ended.code == 1 && ended.errors.contains("0 entries read"), "\(ended.code) \(ended.errors)")
        }
    }

    @Test func `an entry and a file that are damaged are left out, and counted`() throws {
        let inspected = try store(.plain, entries: 40)
        let connection = try BackEnd.plain.connect(inspected.path)
        try connection.execute("UPDATE TABLE_1 SET soup = substr(soup, 1, 10) WHERE id = 3")
        connection.close()
        let folder = inspected.path + "_external_soup_blobs/TABLE_2"
        let file = try #require(Folder.names(in: folder).min())
        File.remove(folder + "/" + file)
        for (soup, read) in [("people", 39), ("scans", 2)] {
            let ended = try inspected.inspect(["export", soup, "--salvage"])
            #expect(ended.code == 1 && ended.errors.contains("\(read) entries read, 1 missing"), "\(ended.errors)")
            #expect(ended.output.split(separator: "\n").count == read)
        }
        #expect(try inspected.inspect(["check"]).code == 1)
        #expect(try inspected.inspect([]).code == 0)
    }

    // MARK: - Catalogue

    /// What is done to the lists of a store, and the name by which its entries can still be asked for.
    static let lists: [(sql: String, soup: String)] = [
        ("DROP TABLE soup_index_map", "people"), ("DROP TABLE soup_attrs", "people"),
        ("DROP TABLE soup_attrs; DROP TABLE soup_index_map", "TABLE_1"),
        ("UPDATE soup_index_map SET columnType = 'nonsense'", "people"),
    ]

    @Test(arguments: lists)
    func `entries are saved without a list of soups or indexes, and the check says what is missing`(
        sql: String, soup: String
    ) throws {
        let inspected = try store(.plain, entries: 40)
        let connection = try BackEnd.plain.connect(inspected.path)
        for statement in sql.split(separator: "; ") {
            try connection.execute(String(statement))
        }
        connection.close()
        let salvage = try inspected.inspect(["export", soup, "--salvage"])
        #expect(salvage.errors.contains("40 entries read, 0 missing"), "\(salvage.code) \(salvage.errors)")
        #expect(salvage.output.split(separator: "\n").count == 40)
        #expect(try inspected.inspect(["export", "TABLE_2", "--salvage"]).output.split(separator: "\n").count == 3)
        #expect(try inspected.inspect(["check"]).code == 1)
        let unknown = try inspected.inspect(["export", "nobody", "--salvage"])
        #expect(unknown.code == (sql.contains("DROP") ? 1 : 2), "\(unknown.errors)")
    }

    @Test func `entries are saved though the page of the index map is zeroed`() throws {
        let inspected = try store(.plain, entries: 40)
        let connection = try BackEnd.plain.connect(inspected.path)
        let root = try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'soup_index_map'")
        connection.close()
        var bytes = try #require(try File.read(inspected.path))
        let first = (Int(try #require(root)) - 1) * 4096
        bytes.replaceSubrange(first..<first + 4096, with: [UInt8](repeating: 0, count: 4096))
        File.remove(inspected.path)
        try File.create(inspected.path, bytes)
        for (soup, count) in [("people", 40), ("scans", 3)] {
            let salvage = try inspected.inspect(["export", soup, "--salvage"])
            #expect(salvage.code == 0 && salvage.errors.contains("\(count) entries read"), "\(salvage.errors)")
        }
    }

    @Test func `entries are saved of a file that was cut in half`() throws {
        let inspected = try store(.plain, entries: 2000)
        let bytes = try #require(try File.read(inspected.path))
        File.remove(inspected.path)
        try File.create(inspected.path, Array(bytes.prefix(bytes.count / 8192 * 4096)))
        #expect(try inspected.inspect([]).code == 3)
        let salvage = try inspected.inspect(["export", "people", "--salvage"])
        #expect(salvage.code == 1 && salvage.errors.contains("at its end"), "\(salvage.errors)")
        let lines = salvage.output.split(separator: "\n").count
        #expect(lines > 100 && salvage.errors.contains("\(lines) entries read"), "\(salvage.errors)")
    }

    @Test func `a soup whose table is missing is a finding, and the others are shown`() throws {
        let inspected = try store(.plain, entries: 40)
        let connection = try BackEnd.plain.connect(inspected.path)
        try connection.execute("DROP TABLE TABLE_1")
        connection.close()
        for words in [[], ["soups"]] {
            let ended = try inspected.inspect(words + ["--format", "jsonl"])
            #expect(ended.code == 1 && ended.output.contains("scans"), "\(words): \(ended.code) \(ended.errors)")
            #expect(ended.errors.contains("people") && ended.errors.contains("cannot be read"), "\(ended.errors)")
        }
        #expect(try inspected.inspect(["show", "people"]).code == 1)
    }

    @Test func `a key-value store that lacks a piece has a finding`() throws {
        let inspected = try InspectedFolder()
        let values = try KeyValueStore(path: inspected.path, options: StoreOptions(library: BackEnd.plain.library()))
        try values.set([UInt8](repeating: 1, count: 200_000), for: "photo")
        try values.close()
        #expect(try inspected.inspect(["check"]).code == 0)
        let connection = try BackEnd.plain.connect(inspected.path)
        try connection.execute("DELETE FROM kv_pieces WHERE number = 1")
        connection.close()
        let check = try inspected.inspect(["check", "--format", "jsonl"])
        #expect(check.code == 1 && check.output.contains(#"{"code":"valueIncomplete""#), "\(check.output)")
    }
}
