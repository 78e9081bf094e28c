import FoundationEssentials
import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

@Suite
struct ExternalStorageTests {
    static let spec = SoupSpec(name: "scans", features: [.externalStorage])
    static let marker = "super secret words"

    private func setup(_ backEnd: BackEnd) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(Self.spec, indexSpecs: [.string("title"), .fullText("text")])
        return (setup, store)
    }

    private func entry(_ n: Int, _ text: String = ExternalStorageTests.marker) -> [UInt8] {
        "{\"title\":\"t\(n)\",\"text\":\"\(text)\"}".bytes
    }

    private func files(_ setup: StoreFolder) throws -> [String: [UInt8]] {
        let root = setup.path + "_external_soup_blobs"
        guard let found = FileManager.default.enumeratorPaths(root) else {
            return [:]
        }
        return try Dictionary(
            uniqueKeysWithValues: found.map { ($0, try [UInt8](Data(contentsOf: URL(filePath: root + "/" + $0)))) })
    }

    @Test(arguments: BackEnd.allCases)
    func `entries live in files of their own, read back by id and by query`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        #expect(try setup.texts("SELECT sql FROM sqlite_master WHERE name = 'TABLE_1'")[0].contains("soup") == false)
        #expect(try setup.texts("SELECT * FROM soup_attrs") == ["1|scans|1"])
        #expect(try store.soupSpec(ofSoup: "scans") == Self.spec)
        let stored = try store.upsert((1...10).map { entry($0) }, into: "scans")
        #expect(try store.retrieve(ids: Array(1...10), from: "scans") == stored)
        #expect(try store.retrieve(ids: [3], from: "scans") == [stored[2]])
        #expect(try files(setup).count == 10)
        #expect(try store.externalStorage(ofSoup: "scans").files == 10)
        #expect(
            try store.query(.exact(path: "title", matchKey: "t7"), soup: "scans").currentPage.entries.map { Array($0) }
                == [stored[6]])
        let rows = try store.query(
            .match(matchKey: "secret", orderPath: "_soupEntryId", pageSize: 1, selectPaths: ["title", "_soup"]),
            soup: "scans")
        #expect(rows.currentPage.rows == [[.value(.text("t1")), .entry(stored[0])]])
        let smart = try store.runSmartQuery(
            .smart("select {scans:title}, {scans:_soup} from {scans} where {scans:title} = 't2'"))
        #expect(smart.currentPage.rows == [[.value(.text("t2")), .entry(stored[1])]])
        #expect(try rows.moveToNextPage().rows == [[.value(.text("t2")), .entry(stored[1])]])
    }

    @Test(arguments: BackEnd.allCases)
    func `an update leaves one file with the last version, a removal none; a failed batch leaves what was`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.upsert([entry(1)], into: "scans")
        for n in 1...5 {
            try store.upsert(
                [#"{"_soupEntryId":1,"title":"v\#(n)"}"#.bytes, #"{"_soupEntryId":1,"title":"w\#(n)"}"#.bytes],
                into: "scans")
        }
        #expect(try files(setup).count == 1)
        #expect(try store.retrieve(ids: [1], from: "scans")[0].string.contains(#""title":"w5""#))
        let before = try files(setup)
        #expect(
            faultCode {
                try store.upsert([#"{"_soupEntryId":1,"title":"lost"}"#.bytes, entry(2), "[]".bytes], into: "scans")
            } == .invalidEntry)
        #expect(try files(setup) == before)
        try store.upsert([entry(2), entry(3), entry(4)], into: "scans")
        try store.remove(ids: [1], from: "scans")
        try store.remove(matching: .exact(path: "title", matchKey: "t3"), from: "scans")
        #expect(try files(setup).count == 2)
        try store.clearSoup("scans")
        #expect(try files(setup).isEmpty)
        // BUG-20: a cleared soup takes entries again.
        try store.upsert([entry(5)], into: "scans")
        #expect(try store.retrieve(ids: [5], from: "scans").count == 1)
        try store.removeSoup("scans")
        #expect(try files(setup).isEmpty)
    }

    @Test(arguments: BackEnd.allCases)
    func `files are encrypted exactly when the store is`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.upsert([entry(1)], into: "scans")
        let marker = Self.marker.bytes
        #expect(try files(setup).values.allSatisfy { $0.firstRange(of: marker) != nil } == !backEnd.isKeyed)
    }

    @Test(arguments: BackEnd.allCases)
    func `a file that is cut off, changed or missing is corrupt, and others stay readable`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.upsert([entry(1), entry(2), entry(3), entry(4)], into: "scans")
        let folder = setup.path + "_external_soup_blobs/TABLE_1/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        var cut = try Data(contentsOf: URL(filePath: folder + names[0]))
        cut.removeLast(3)
        try cut.write(to: URL(filePath: folder + names[0]))
        var changed = try Data(contentsOf: URL(filePath: folder + names[1]))
        changed[changed.startIndex + 20] ^= 1
        try changed.write(to: URL(filePath: folder + names[1]))
        try FileManager.default.removeItem(atPath: folder + names[2])
        for id in 1...3 {
            #expect(faultCode { _ = try store.retrieve(ids: [Int64(id)], from: "scans") } == .corrupt)
        }
        #expect(try store.retrieve(ids: [4], from: "scans").count == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `what a crash left over is removed at the next opening for writing, and nothing else`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let stored = try store.upsert([entry(1)], into: "scans")
        try store.close()
        let root = setup.path + "_external_soup_blobs"
        let before = Set(try files(setup).keys)
        for name in [
            "TABLE_1/soupelt_1_5", "TABLE_1/soupelt_9_1600000000001", "TABLE_1/soupelt_2_7.tmp", "TABLE_77/soupelt_1_1",
            "gabc/TABLE_1/soupelt_1_1",
        ] {
            try FileManager.default.createDirectory(
                atPath: root + "/" + name.split(separator: "/").dropLast().joined(separator: "/"),
                withIntermediateDirectories: true)
            try Data("left over".utf8).write(to: URL(filePath: root + "/" + name))
        }
        let inspection = try setup.open { $0.access = .readOnly }
        #expect(try inspection.retrieve(ids: [1], from: "scans") == stored)
        try inspection.close()
        #expect(try files(setup).count == before.count + 5)
        #expect(try setup.open().retrieve(ids: [1], from: "scans") == stored)
        #expect(Set(try files(setup).keys) == before)
    }

    @Test(arguments: BackEnd.allCases)
    func `a soup goes out of the table and comes back, entries, ids and dates being the same`(_ backEnd: BackEnd) throws
    {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let stored = try store.upsert((1...3).map { entry($0) }, into: "scans")
        try store.alterSoup(
            "scans", soupSpec: SoupSpec(name: "scans"), indexSpecs: [.json1("title"), .fullText("text")])
        #expect(try files(setup).isEmpty)
        #expect(try store.soupSpec(ofSoup: "scans").features == [])
        #expect(try store.retrieve(ids: [1, 2, 3], from: "scans") == stored)
        #expect(try store.count(.exact(path: "title", matchKey: "t2"), soup: "scans") == 1)
        try store.alterSoup("scans", soupSpec: Self.spec, indexSpecs: [.fullText("title"), .string("text")])
        #expect(try files(setup).count == 3)
        #expect(try store.retrieve(ids: [1, 2, 3], from: "scans") == stored)
        #expect(try store.count(.match(path: "title", matchKey: "t2"), soup: "scans") == 1)
        // Without a new spec the soup keeps its features.
        try store.alterSoup("scans", indexSpecs: [.string("title")])
        #expect(try store.soupSpec(ofSoup: "scans") == Self.spec)
        #expect(try store.retrieve(ids: [1, 2, 3], from: "scans") == stored)
        #expect(try store.databaseSize() > 0)
    }

    @Test(arguments: BackEnd.allCases)
    func `an entry changed in the table at the date of its file keeps that file for a rollback`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        // The clock does not move, as if all happened within a millisecond.
        let store = try setup.open { $0.clock = StoreClock { 1_600_000_000_000 } }
        try store.registerSoup(Self.spec, indexSpecs: [.string("title")])
        let stored = try store.upsert([entry(1), entry(2)], into: "scans")
        func moveOutAndBack() throws -> [[UInt8]] {
            try store.alterSoup("scans", soupSpec: SoupSpec(name: "scans"), indexSpecs: [.string("title")])
            try store.upsert([#"{"title":"new","_soupEntryId":1}"#.bytes], into: "scans")
            try store.alterSoup("scans", soupSpec: Self.spec, indexSpecs: [.string("title")])
            return try store.retrieve(ids: [1, 2], from: "scans")
        }
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                let changed = try moveOutAndBack()
                #expect(changed[0].string.contains(#""title":"new""#) && changed[1] == stored[1])
                throw Stop()
            }
        }
        #expect(try store.retrieve(ids: [1, 2], from: "scans") == stored)
        #expect(try files(setup).count == 2)

        let kept = try store.transaction { _ in try moveOutAndBack() }
        #expect(try store.retrieve(ids: [1, 2], from: "scans") == kept)
        #expect(kept[0].string.contains(#""_soupLastModifiedDate":1600000000001"#))
        #expect(try files(setup).count == 2)
        try store.close()
        #expect(try setup.open().retrieve(ids: [1, 2], from: "scans") == kept)
    }

    @Test(
        arguments: BackEnd.allCases,
        [
            "DELETE FROM external_storage", "UPDATE external_storage SET directory = '../x'",
            "UPDATE external_storage SET elementKey = x'00'",
            "DROP TABLE external_storage; CREATE TABLE external_storage (x)",
        ])
    func `a damaged record of the files hides no other soup and removes no file`(
        _ backEnd: BackEnd, _ damage: String
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.upsert([entry(1)], into: "scans")
        try store.registerSoup("notes", indexSpecs: [.string("title")])
        let note = try store.upsert([#"{"title":"a"}"#.bytes], into: "notes")
        try store.close()
        let before = try files(setup)
        try setup.look { try $0.execute(damage) }
        let again = try setup.open()
        #expect(try again.retrieve(ids: [1], from: "notes") == note)
        #expect(faultCode { _ = try again.retrieve(ids: [1], from: "scans") } != nil)
        #expect(try files(setup) == before)
    }
}

extension FileManager {
    /// The paths of all files below a folder; nil if it does not exist.
    fileprivate func enumeratorPaths(_ root: String) -> [String]? {
        guard let names = try? contentsOfDirectory(atPath: root) else { return nil }
        return names.flatMap { name in enumeratorPaths(root + "/" + name).map { $0.map { name + "/" + $0 } } ?? [name] }
    }
}
