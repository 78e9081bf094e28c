import Foundation
import JSONText
import OfflineStore
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import soup

/// `soup inspect` on damaged stores: it gives what they have, writes nothing and ends with a code of its table.
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

    /// One seeded damage.
    enum Kind: CaseIterable {
        case cut, flipped, zeroed, overwritten
    }

    /// `ci/fuzz/run inspect` tries more.
    @Test func `twenty damaged stores: no crash, no write, a code of the table`() throws {
        var random = SeededRandom(seed: UInt64(ProcessInfo.processInfo.environment["SOUP_RANDOM_SEED"] ?? "") ?? 20)
        print("seed \(random.seed)")
        let count = Int(ProcessInfo.processInfo.environment["SOUP_DAMAGED_STORES"] ?? "") ?? 20
        var codes: [Int32: Int] = [:]
        for (index, backEnd) in (0..<count).map({ ($0, [BackEnd.plain, .cipher][$0 / 4 % 2]) })
        where BackEnds.available.contains(backEnd) {
            let inspected = try store(backEnd, entries: 200)
            let what = try damage(inspected.path, Kind.allCases[index % 4], &random)
            let key = try options(inspected, backEnd)
            for words in [[], ["check"], ["export", "people", "--salvage"]] {
                let ended = try inspected.inspect(words + ["--format", "jsonl"] + key)
                let isKnown =
                    [0, 1, 3, 4].contains(ended.code) || (ended.code == 2 && ended.errors.contains("soupNotFound"))
                #expect(isKnown, "\(index) \(backEnd.rawValue) \(what) \(words): \(ended.code) \(ended.errors)")
                codes[ended.code, default: 0] += 1
                #expect(ended.code == 0 || !ended.errors.isEmpty || !ended.output.isEmpty)
                for line in ended.output.split(separator: "\n") {
                    #expect((try? JSONValue(parsing: String(line))) != nil, "\(line)")
                }
            }
        }
        print(
            "damaged stores: \(count), exit codes \(codes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
    }

    private func damage(_ path: String, _ kind: Kind, _ random: inout SeededRandom) throws -> String {
        var bytes = try #require(try File.read(path))
        let at = Int.random(in: 100..<bytes.count, using: &random)
        switch kind {
        case .cut: bytes.removeLast(bytes.count - at)
        case .flipped:
            for _ in 0..<20 {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case .zeroed:
            for offset in at..<min(bytes.count, at + 6000) {
                bytes[offset] = 0
            }
        case .overwritten:
            for offset in at..<min(bytes.count, at + 3000) {
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
        }
        File.remove(path)
        try File.create(path, bytes)
        return "\(kind) at \(at)"
    }
}
