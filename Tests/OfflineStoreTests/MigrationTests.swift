import FoundationEssentials
import JSONText
import Platform
import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Migrations of entries: APP-54. The vectors of `apps/migrations.json` have the rest.
@Suite struct MigrationTests {
    private struct Stop: Error {}

    private func filled(_ backEnd: BackEnd = .plain, entries: Int = 50) throws -> SmartStore {
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert((1...entries).map { #"{"k":"key \#($0)","t":"old words","n":\#($0)}"#.bytes }, into: "s")
        return store
    }

    /// The entry with one more mark in its text: done twice, it shows twice.
    private static func marked(_ entry: borrowing EntryView) -> Rewrite {
        let text = entry.withBytes { String(decoding: $0, as: UTF8.self) }
        return .replace(Array(text.replacing("\"t\":\"", with: "\"t\":\"mark ", maxReplacements: 1).utf8))
    }

    private func texts(_ store: SmartStore, _ soup: String = "s") throws -> [String] {
        try store.query(.all(orderPath: "_soupEntryId", pageSize: 1000, selectPaths: ["t"]), soup: soup).currentPage
            .rows.map { $0[0].string ?? "-" }
    }

    @Test(arguments: BackEnd.allCases)
    func `each migration runs once, in order, and indexes and full text follow`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try filled(backEnd)
        let first = StoreMigration("first") { try $0.rewrite("s", batch: 7) { Self.marked($0) } }
        let second = StoreMigration("second") { context in
            try context.rewrite("s") { $0.id <= 10 ? .remove : .keep }
            try context.renamePath("n", to: "deep.n", in: "s")
            try context.alterSoup("s", indexSpecs: [.string("k"), .fullText("t"), .integer("deep.n")])
        }
        #expect(try store.migrateNow([first]) == ["first"])
        #expect(try store.migrateNow([first, second]) == ["second"])
        #expect(try store.migrateNow([first, second]) == [])
        #expect(try texts(store) == Array(repeating: "mark old words", count: 40))
        #expect(try store.count(.match(path: "t", matchKey: "mark"), soup: "s") == 40)
        #expect(try store.count(.range(path: "deep.n", from: 11, through: 20), soup: "s") == 10)
        #expect(try store.integrityCheckNow().isSound)
    }

    @Test(arguments: 1...5)
    func `after an error in any batch the next run goes on behind the last whole one`(_ batch: Int) throws {
        let store = try filled()
        let seen = Mutex<[Int64: Int]>([:])
        let isCut = Mutex(true)
        let migration = StoreMigration("mark") { context in
            try context.rewrite("s", batch: 10) { entry in
                if entry.id == Int64(batch * 10 - 3), isCut.withLock({ $0 }) {
                    throw Stop()
                }
                seen.withLock { $0[entry.id, default: 0] += 1 }
                return Self.marked(entry)
            }
        }
        #expect(faultCode { _ = try store.migrateNow([migration]) } == .migrationFailed)
        #expect(try store.integrityCheckNow().findings.map(\.code) == [.migrationUnfinished])
        #expect(try texts(store).filter { $0.hasPrefix("mark") }.count == (batch - 1) * 10)
        isCut.withLock { $0 = false }
        try store.reopen()
        #expect(try store.migrateNow([migration]) == ["mark"])
        #expect(try texts(store) == Array(repeating: "mark old words", count: 50))
        // Only the unfinished batch is given to the transformation again.
        let twice = seen.withLock { $0.filter { $0.value > 1 }.keys.sorted() }
        #expect(twice == Array(Int64(batch * 10 - 9)..<Int64(batch * 10 - 3)))
    }

    @Test func `a cancelled migration goes on with the next call`() async throws {
        let store = try blocking { try filled(entries: 200) }
        let (began, isCancelled) = (Signal(), Signal())
        let migration = StoreMigration("mark") { context in try context.rewrite("s", batch: 10) { Self.marked($0) } }
        let task = Task {
            try await store.migrate([migration]) { progress in
                guard progress.entries == 50 else { return }
                began.raise()
                isCancelled.block()
            }
        }
        try await began.wait()
        task.cancel()
        isCancelled.raise()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try blocking { try texts(store) }.filter { $0.hasPrefix("mark") }.count == 50)
        #expect(try await store.migrate([migration]) == ["mark"])
        #expect(try blocking { try texts(store) } == Array(repeating: "mark old words", count: 200))
    }

    @Test func `what the store has run and the app does not have, or in another order, is refused`() throws {
        let store = try filled()
        let migrations = ["a", "b", "c"].map { StoreMigration($0) { _ in } }
        #expect(try store.migrateNow(migrations) == ["a", "b", "c"])
        #expect(faultCode { _ = try store.migrateNow([migrations[0], migrations[2]]) } == .storeNewerThanApp)
        #expect(try store.migrateNow([migrations[0], migrations[2]], allowsUnknown: true) == [])
        #expect(faultCode { _ = try store.migrateNow(migrations.reversed()) } == .invalidArguments)
        #expect(faultCode { _ = try store.migrateNow([migrations[0], migrations[0]]) } == .invalidArguments)
        #expect(faultCode { _ = try store.migrateNow([StoreMigration("") { _ in }]) } == .invalidArguments)
        try store.transaction { _ in #expect(faultCode { _ = try store.migrateNow(migrations) } == .busy) }
    }

    @Test func `an error of the app is named by its type only, and later migrations do not run`() throws {
        struct Secret: Error { let value = FilledStore.marker }
        let store = try filled()
        let migrations = [
            StoreMigration("fails") { try $0.rewrite("s") { _ in throw Secret() } },
            StoreMigration("later") { try $0.removeSoup("s") },
        ]
        do {
            _ = try store.migrateNow(migrations)
            Issue.record("it did not throw")
        } catch let fault as Fault {
            #expect(fault.code == .migrationFailed)
            #expect(fault.message.contains("fails") && fault.message.contains("Secret"))
            #expect(!"\(fault)".contains(FilledStore.marker))
        }
        #expect(try store.soupExists("s"))
    }

    @Test func `ids, dates and local flags stay unless asked otherwise`() throws {
        let store = try filled(entries: 2)
        try store.upsert([#"{"_soupEntryId":1,"k":"a","__local__":true,"__locally_updated__":true}"#.bytes], into: "s")
        let before = try store.retrieve(ids: [1, 2], from: "s").map { Array($0).string }
        let bare = StoreMigration("bare") { try $0.rewrite("s") { _ in .replace(Array(#"{"k":"b"}"#.utf8)) } }
        _ = try store.migrateNow([bare])
        func value(_ id: Int64) throws -> JSONObject {
            let text = try #require(try store.retrieve(ids: [id], from: "s").first)
            return try #require(try JSONValue(parsing: Array(text)).object)
        }
        #expect(try value(1)["__local__"] == .bool(true))
        #expect(try value(1)["k"] == "b")
        #expect(try value(2)["__local__"] == nil)
        for id in [Int64(1), 2] {
            let date = try #require(try value(id)["_soupLastModifiedDate"]).text()
            #expect(before[Int(id) - 1].contains(date))
        }
        let new = StoreMigration("new") {
            try $0.rewrite("s", keepsDates: false, keepsLocalFlags: false) { _ in .replace(Array(#"{"k":"c"}"#.utf8)) }
        }
        _ = try store.migrateNow([bare, new])
        #expect(try value(1)["__local__"] == nil)
        #expect(try !before[0].contains(#require(value(1)["_soupLastModifiedDate"]).text()))
    }

    @Test(arguments: [BackEnd.plain, .cipher])
    func `of two processes one migrates and the other waits, and each entry is rewritten once`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        try blocking {
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
            try store.upsert((1...60).map { #"{"k":"key \#($0)","t":"old words"}"#.bytes }, into: "s")
            try store.close()
        }
        func child() async {
            await #expect(processExitsWith: .exitCode(0)) {
                [path = setup.path as String, name = backEnd.rawValue as String] in
                OtherProcessTests.finish {
                    let store = try OtherProcessTests.open(path, name)
                    let ended = FileSignal(path + "-began")
                    ended.raise()
                    _ = try store.migrateNow([
                        StoreMigration("mark") { context in
                            try context.rewrite("s", batch: 3) { MigrationTests.marked($0) }
                        }
                    ])
                    try store.close()
                    return true
                }
            }
        }
        async let first: Void = child()
        async let second: Void = child()
        _ = await (first, second)
        try blocking {
            let store = try setup.open()
            #expect(try texts(store) == Array(repeating: "mark old words", count: 60))
            try store.close()
            #expect(Folder.names(in: setup.folder.path).filter { $0.hasSuffix(".migrating") } == [])
        }
    }

    @Test func `the folder that a killed migration left goes at the next opening, unless one is under way`() throws {
        let setup = try StoreFolder(.plain)
        let folder = setup.path + ".migrating"
        try Folder.make(folder)
        let lock = try #require(try FolderLock(folder))
        try setup.open().close()
        #expect(File.exists(folder))
        lock.release()
        try setup.open().close()
        #expect(!File.exists(folder))
    }
}
