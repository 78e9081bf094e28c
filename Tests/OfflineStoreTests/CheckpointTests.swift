import FoundationEssentials
import JSONText
import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// When the -wal is written back into the file.
@Suite
struct CheckpointTests {
    /// 200 entries, about 2 MB, for each transaction.
    private static let perTransaction = 200

    private func lines(_ transactions: Int) -> [UInt8] {
        let text = String(repeating: "x", count: 10_000)
        var lines: [UInt8] = []
        for number in 0..<(transactions * Self.perTransaction) {
            lines += #"{"k":"\#(number)","t":"\#(text)"}\#n"#.utf8
        }
        return lines
    }

    private func log(_ setup: StoreFolder) -> Int64 { File.size(setup.path + "-wal") }

    @Test(arguments: BackEnd.allCases)
    func `a load lets the -wal grow, and empties it at its end`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        var longest: Int64 = 0
        let done = try store.load(
            jsonLines: ByteSource(lines(5)), into: "s", entriesPerTransaction: Self.perTransaction
        ) { _ in longest = max(longest, log(setup)) }
        #expect(done.entries == 5 * Self.perTransaction)
        #expect(longest > 8 << 20)
        #expect(log(setup) == 0)
        #expect(try store.count(.all(), soup: "s") == done.entries)
    }

    @Test func `the -wal of a load stays within its bound and one transaction`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        var longest: Int64 = 0
        try store.load(jsonLines: ByteSource(lines(20)), into: "s", entriesPerTransaction: Self.perTransaction) { _ in
            longest = max(longest, log(setup))
        }
        // A frame has a header of 24 bytes.
        let bound = StoreSession.bulkLogBytes + 4 << 20
        #expect(longest > 24 << 20 && longest < bound, "\(longest)")
        #expect(log(setup) == 0)
    }

    @Test func `a load that fails leaves a -wal no longer than other calls do`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let code = faultCode {
            try store.load(
                jsonLines: ByteSource(lines(4) + "no entry\n".bytes), into: "s",
                entriesPerTransaction: Self.perTransaction)
        }
        #expect(code == .invalidEntry)
        #expect(log(setup) == 0)
        #expect(try store.count(.all(), soup: "s") == 4 * Self.perTransaction)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that is cancelled leaves a -wal no longer than other calls do`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open()
        try await store.registerSoup("s", indexSpecs: [.string("k")])
        let file = setup.folder.file("lines.jsonl")
        try Data(lines(5)).write(to: URL(filePath: file))
        let fourth = Signal()
        let task = Task {
            try await store.load(jsonLines: file, into: "s", entriesPerTransaction: Self.perTransaction) { done in
                if done.entries == 4 * Self.perTransaction {
                    withUnsafeCurrentTask { $0?.cancel() }
                    fourth.raise()
                }
            }
        }
        try await fourth.wait()
        task.cancel()
        _ = await task.result
        #expect(log(setup) <= 4 << 20)
    }

    @Test func `calls after a load write the -wal back as often as before`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open { $0.settings.checkpointPages = 50 }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.load(jsonLines: ByteSource(lines(1)), into: "s")
        let pages = try store.connections.write { (session, _) throws(Fault) in
            try session.connection.integer("PRAGMA wal_autocheckpoint")
        }
        #expect(pages == 50)
    }

    @Test func `what another connection reads is not taken away by the end of a load`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"before"}"#.bytes], into: "s")
        try setup.look { reader in
            try reader.transaction(.deferred) { () throws(Fault) in
                #expect(try reader.integer("SELECT count(*) FROM TABLE_1") == 1)
                try store.load(jsonLines: ByteSource(lines(4)), into: "s", entriesPerTransaction: Self.perTransaction)
                #expect(try reader.integer("SELECT count(*) FROM TABLE_1") == 1)
                #expect(log(setup) > 0)
            }
            #expect(try reader.integer("SELECT count(*) FROM TABLE_1") == Int64(1 + 4 * Self.perTransaction))
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `the setting says after how many pages a commit writes the -wal back`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        func sizes(_ pages: Int) throws -> (log: Int64, file: Int64) {
            let setup = try StoreFolder(backEnd)
            let store = try setup.open { $0.settings.checkpointPages = pages }
            try store.registerSoup("s", indexSpecs: [.string("k")])
            for number in 0..<30 {
                try store.upsert(
                    [#"{"k":"\#(number)","t":"\#(String(repeating: "x", count: 100_000))"}"#.bytes], into: "s")
            }
            let sizes = (log(setup), File.size(setup.path))
            try store.close()
            return sizes
        }
        let (often, seldom) = (try sizes(20), try sizes(100_000))
        #expect(often.log < 1 << 20 && often.file > 2 << 20)
        #expect(seldom.log > 2 << 20 && seldom.file < 1 << 20)
    }

    @Test(arguments: [0, -1, Int.max])
    func `a number of pages that SQLite would not heed is refused`(_ pages: Int) throws {
        let setup = try StoreFolder(.plain)
        #expect(faultCode { _ = try setup.open { $0.settings.checkpointPages = pages } } == .invalidArguments)
    }
}
