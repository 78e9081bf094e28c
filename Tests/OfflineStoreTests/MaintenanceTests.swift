import FoundationEssentials
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Checks, checkpoints, compaction, sizes and export: APP-52 and APP-53. The vectors of `apps/maintenance.json` have
/// the rest.
@Suite struct MaintenanceTests {
    // MARK: - Checks

    /// A kind of damage, and what brings it about.
    struct Damage: Sendable, CustomTestStringConvertible {
        let code: IntegrityReport.Code
        let soup: String?
        let sql: String
        var testDescription: String { code.rawValue }
    }

    static let damages: [Damage] = [
        Damage(code: .columnOutOfStep, soup: "s", sql: "UPDATE TABLE_1 SET TABLE_1_0 = 'other' WHERE id = 3"),
        Damage(
            code: .entryInvalid, soup: "s",
            sql: "DROP INDEX TABLE_1_2_idx; UPDATE TABLE_1 SET soup = '{\"k\":' WHERE id = 3"),
        Damage(code: .fullTextOutOfStep, soup: "s", sql: "DELETE FROM TABLE_1_fts WHERE rowid = 3"),
        Damage(code: .tableMissing, soup: "s", sql: "DROP TABLE TABLE_1"),
        Damage(code: .catalogueMissing, soup: nil, sql: "DROP TABLE soup_attrs"),
        Damage(code: .catalogueMissing, soup: nil, sql: "DROP TABLE soup_index_map"),
        Damage(
            code: .catalogueOutOfStep, soup: "gone",
            sql: "INSERT INTO soup_index_map VALUES ('gone', 'k', 'TABLE_9_0', 'string')"),
        Damage(code: .catalogueOutOfStep, soup: nil, sql: "CREATE TABLE TABLE_9 (id INTEGER PRIMARY KEY)"),
        Damage(code: .catalogueOutOfStep, soup: "s", sql: "DELETE FROM soup_index_map WHERE soupName = 's'"),
        Damage(
            code: .migrationUnfinished, soup: nil,
            sql: """
                CREATE TABLE offline_core_migrations (id TEXT NOT NULL UNIQUE, state TEXT, soup TEXT, position INTEGER, \
                finished INTEGER); INSERT INTO offline_core_migrations VALUES ('m', '0', NULL, 0, 0)
                """),
    ]

    @Test(arguments: damages)
    func `a check finds each kind of damage, says where, and repairs nothing`(_ damage: Damage) throws {
        let filled = try FilledStore(.plain)
        try filled.store.close()
        try filled.setup.look { connection in
            for statement in damage.sql.split(separator: "; ") {
                try connection.execute(String(statement))
            }
        }
        let before = try FolderListing(filled.setup.folder.path)
        let store = try filled.setup.open { $0.access = .readOnly }
        let report = try store.integrityCheckNow()
        #expect(report.findings.contains { $0.code == damage.code && $0.soup == damage.soup }, "\(report.findings)")
        #expect(!report.findings.contains { "\($0)".contains(FilledStore.marker) })
        try store.close()
        #expect(try FolderListing(filled.setup.folder.path) == before)
    }

    @Test func `a check finds an index that differs from its table`() throws {
        let filled = try FilledStore(.plain)
        try filled.store.close()
        let root = try filled.setup.look {
            try $0.integer("SELECT rootpage FROM sqlite_master WHERE name = 'TABLE_1_0_idx'")
        }
        var bytes = try #require(try File.read(filled.setup.path))
        let page = (Int(try #require(root)) - 1) * 4096
        let found = try #require(bytes[page..<(page + 4096)].firstRange(of: "of-an-entry 20".utf8))
        bytes[found.upperBound - 1] = UInt8(ascii: "1")
        File.remove(filled.setup.path)
        try File.create(filled.setup.path, bytes)
        let store = try filled.setup.open { $0.access = .readOnly }
        #expect(try store.integrityCheckNow().findings.map(\.code) == [.indexOutOfStep])
    }

    @Test(arguments: BackEnd.allCases)
    func `a check finds files that are missing, damaged or left over`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        let folder = try filled.store.reading { (session) throws(Fault) in
            try session.elements().folder(ofTable: session.soup("x").id)
        }
        try filled.store.close()
        let files = Folder.names(in: folder).sorted()
        #expect(files.count == 5)
        File.remove(folder + "/" + files[0])
        var bytes = try #require(try File.read(folder + "/" + files[1]))
        bytes[bytes.count / 2] ^= 0xFF
        File.remove(folder + "/" + files[1])
        try File.create(folder + "/" + files[1], bytes)
        try File.create(folder + "/soupelt_900_900")
        let store = try filled.setup.open { $0.access = .readOnly }
        let quick = try store.integrityCheckNow(.quick)
        #expect(quick.findings.map(\.code) == [.externalFileMissing, .externalFileOrphaned])
        let full = try store.integrityCheckNow()
        #expect(full.findings.map(\.code) == [.externalFileMissing, .externalFileDamaged, .externalFileOrphaned])
        #expect(full.findings.map(\.count) == [1, 1, 1])
        #expect(full.findings.allSatisfy { $0.soup == "x" })
    }

    /// The file of a version is there before its commit, and for a moment after the next one.
    @Test func `a check beside a transaction with files finds nothing`() async throws {
        let filled = try FilledStore(.plain)
        let (isWritten, mayCommit) = (Signal(), Signal())
        let writer = OwnThread {
            try filled.store.transaction { _ in
                try filled.store.upsert([FilledStore.entry(6)], into: "x")
                isWritten.raise()
                // Long enough for the first look of the check, or the check shows nothing.
                mayCommit.block(for: .milliseconds(300))
            }
        }
        try await isWritten.wait()
        let report = try await OwnThread { try filled.store.integrityCheckNow(.quick) }.value()
        mayCommit.raise()
        try await writer.value()
        #expect(report.isSound, "\(report.findings)")
        #expect(try await filled.store.count(.all(), soup: "x") == 6)
    }

    @Test(arguments: BackEnd.allCases)
    func `a check finds pages that were changed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd, entries: 2000)
        try filled.store.close()
        var bytes = try #require(try File.read(filled.setup.path))
        for page in 60..<80 {
            for offset in 1000..<1040 {
                bytes[page * 4096 + offset] ^= 0x5A
            }
        }
        File.remove(filled.setup.path)
        try File.create(filled.setup.path, bytes)
        let store = try filled.setup.open { $0.access = .readOnly }
        #expect(!(try store.integrityCheckNow().isSound))
    }

    @Test func `of a kind of damage at most 100 are counted`() throws {
        let filled = try FilledStore(.plain, entries: 300)
        try filled.setup.look { try $0.execute("UPDATE TABLE_1 SET TABLE_1_0 = 'other'") }
        let report = try filled.store.integrityCheckNow()
        let finding = try #require(report.findings.first { $0.code == .columnOutOfStep })
        #expect(finding.count == 100)
        #expect(finding.ids == Array(1...100))
    }

    // MARK: - Checkpoints

    @Test(arguments: BackEnd.allCases)
    func `a checkpoint says how much it has moved, and truncate empties the -wal`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        let log = filled.setup.path + "-wal"
        #expect(File.size(log) > 0)
        let passive = try await filled.store.checkpoint()
        #expect(passive.frames > 0 && passive.framesMoved == passive.frames && !passive.isBusy)
        #expect(File.size(log) > 0)
        _ = try await filled.store.checkpoint(.truncate)
        #expect(File.size(log) == 0)
        try blocking {
            try filled.store.transaction { _ in
                #expect(faultCode { _ = try filled.store.checkpointNow(.passive) } == .busy)
            }
        }
    }

    // MARK: - Compaction

    @Test(arguments: BackEnd.allCases)
    func `compaction gives back the room of removed entries, keeps the rest and tells who watches`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd, entries: 3000)
        let store = filled.store
        try blocking { try store.remove(ids: Array(1...2900), from: "s") }
        let contents = try blocking { try FilledStore.contents(store) }
        let changes = store.changes()
        let (before, after) = try await store.compact()
        #expect(after < before / 2)
        #expect(File.size(filled.setup.path) == after)
        let told = changes.takeKnown()
        #expect(told.map(\.soup) == ["s", "x"])
        #expect(told.allSatisfy { $0.ids == .all && $0.origin == .thisProcess })
        try blocking {
            #expect(try FilledStore.contents(store) == contents)
            #expect(try store.integrityCheckNow().isSound)
            try store.upsert([FilledStore.entry(1)], into: "s")
            try store.transaction { _ in #expect(faultCode { _ = try store.compactNow() } == .busy) }
            try store.close()
            let reopened = try filled.setup.open()
            #expect(try reopened.count(.all(), soup: "s") == 101)
        }
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key tells who watches, once the store is open under the new one`() async throws {
        let filled = try FilledStore(.cipher)
        let changes = filled.store.changes()
        let counts = filled.store.liveCount(.all(), in: "s")
        var iterator = counts.makeAsyncIterator()
        #expect(try await iterator.next() == 20)
        try await filled.store.rekey(to: BackEnds.key(31))
        #expect(changes.takeKnown().map(\.soup) == ["s", "x"])
        try await filled.store.upsert([FilledStore.entry(21)], into: "s")
        #expect(try await iterator.next() == 21)
    }

    // MARK: - The rest

    @Test(arguments: BackEnd.allCases)
    func `optimize merges full text and keeps what queries find`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        for number in 100..<160 {
            try await filled.store.upsert([FilledStore.entry(number)], into: "s")
        }
        try await filled.store.optimize()
        #expect(try await filled.store.count(.match(matchKey: "words"), soup: "s") == 80)
        #expect(try await filled.store.integrityCheck().isSound)
    }

    @Test(arguments: BackEnd.allCases)
    func `the sizes name every soup, and their sum is not above the file`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd, entries: 500)
        _ = try await filled.store.checkpoint(.truncate)
        let sizes = try await filled.store.sizes()
        #expect(sizes.soups.map(\.name) == ["s", "x"])
        #expect(sizes.soups.map(\.entries) == [500, 5])
        #expect(sizes.soups[0].table > 0 && sizes.soups[0].indexes > 0 && sizes.soups[0].fullText > 0)
        #expect(sizes.soups[0].files == 0 && sizes.soups[1].files > 0)
        let sum = sizes.soups.reduce(sizes.free) { $0 + $1.table + $1.indexes + $1.fullText }
        #expect(sum <= sizes.file || sizes.isEstimated)
        #expect(sizes.file == File.size(filled.setup.path))
    }

    @Test func `an entry that is not JSON any more ends an export, and its salvage goes on`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.opened("s")
        try await store.upsert((1...3).map { "{\"n\":\($0)}".bytes }, into: "s")
        // Other implementations may have stored a name twice: that is no damage.
        try setup.look { try $0.execute(#"UPDATE TABLE_1 SET soup = '{"n":1,"n":2}' WHERE id = 2"#) }
        #expect(try await store.exportJSONLines(soup: "s", to: setup.path + ".twice") == 3)
        for damage in ["marker", "[1]", "{\"n\":2", ""] {
            try setup.look { try $0.execute("UPDATE TABLE_1 SET soup = '\(damage)' WHERE id = 2") }
            let path = setup.path + ".jsonl"
            let fault = await #expect(throws: Fault.self) { try await store.exportJSONLines(soup: "s", to: path) }
            #expect(fault?.code == .corrupt && fault?.message.contains("the entry 2 ") == true)
            #expect(fault?.message.contains("marker") == false)
            #expect(!FileManager.default.fileExists(atPath: path))
            var lines = 0
            let salvage = try blocking { try store.salvage(soup: "s", systemFields: true) { _ in lines += 1 } }
            #expect(salvage.read == 2 && salvage.missing == 1 && lines == 2)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `lines that are exported load into another store as they were`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let filled = try FilledStore(backEnd)
        for soup in ["s", "x"] {
            let path = filled.setup.folder.file(soup + ".jsonl")
            let count = try await filled.store.exportJSONLines(soup: soup, to: path, systemFields: false)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let other = try StoreFolder(backEnd)
            let store = try blocking { try other.open() }
            try await store.registerSoup(soup, indexSpecs: [.string("k")])
            try await store.load(jsonLines: path, into: soup)
            #expect(try await store.count(.all(), soup: soup) == count)
            let third = QuerySpec.exact(path: "k", matchKey: .string("\(FilledStore.marker) 3"))
            #expect(try await store.count(third, soup: soup) == 1)
        }
    }
}
