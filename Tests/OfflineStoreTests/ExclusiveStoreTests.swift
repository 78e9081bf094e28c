import Platform
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Stores that keep their file for one connection.
@Suite
struct ExclusiveStoreTests {
    private func setup(_ backEnd: BackEnd) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try open(setup)
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert((0..<50).map { #"{"k":"\#($0)","t":"red fox"}"#.bytes }, into: "s")
        return (setup, store)
    }

    private func open(_ setup: StoreFolder, _ change: (inout StoreOptions) -> Void = { _ in }) throws -> SmartStore {
        try setup.open {
            $0.settings.lockingMode = .exclusive
            $0.settings.busyTimeout = 50
            change(&$0)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `one connection answers everything, without a -shm`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let cursor = try store.query(.all(orderPath: "k", pageSize: 20), soup: "s")
        #expect(try cursor.totalEntries == 50)
        try cursor.moveToNextPage()
        try cursor.moveToPage(2)
        #expect(cursor.currentPage.count == 10)
        #expect(try store.retrieve(id: 7, from: "s") != nil)
        #expect(try store.count(.match(path: "t", matchKey: "fox"), soup: "s") == 50)
        #expect(try store.transaction { _ in try store.count(.all(), soup: "s") } == 50)
        #expect(!File.exists(setup.path + "-shm"))
        #expect(store.connections.gather(0) { count, _ in count += 1 } == 1)
        try store.alterSoup("s", indexSpecs: [.string("k"), .integer("n")])
        #expect(try store.count(.exact(path: "k", matchKey: "7"), soup: "s") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `whatever else opens the file hears busy, until the store is closed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let others: [(inout StoreOptions) -> Void] = [
            { $0.settings.lockingMode = .shared }, { _ in }, { $0.access = .readOnly },
            {
                $0.access = .readOnly
                $0.settings.readsInPlace = true
            },
        ]
        for change in others {
            #expect(faultCode { _ = try open(setup, change) } == .busy)
        }
        try store.close()
        for change in others {
            let other = try open(setup, change)
            #expect(try other.count(.all(), soup: "s") == 50)
            try other.close()
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a store without a -wal is kept for one connection too, before anything is written`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.close()
        let first = try open(setup) { $0.settings.journalMode = .delete }
        #expect(try first.count(.all(), soup: "s") == 50)
        #expect(faultCode { _ = try open(setup) { $0.settings.journalMode = .delete } } == .busy)
        #expect(faultCode { _ = try open(setup) { $0.settings.lockingMode = .shared } } == .busy)
        try first.upsert([#"{"k":"written"}"#.bytes], into: "s")
        try first.close()
        #expect(try open(setup) { $0.settings.journalMode = .delete }.count(.all(), soup: "s") == 51)
    }

    @Test(.timeLimit(.minutes(5)), arguments: BackEnd.allCases)
    func `readers that wait while a store is reopened for one connection are answered by it`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try setup(backEnd)
        try await store.reopen { $0.settings.lockingMode = .shared }
        let (isReading, mayEnd) = (Signal(), Signal())
        async let reader: Void = Threads.run {
            try store.connections.read { (_) throws(Fault) in
                isReading.raise()
                _ = mayEnd.block()
            }
        }
        try await isReading.wait()
        async let reopening: Void = Threads.run { try store.reopen { $0.settings.lockingMode = .exclusive } }
        let gate = store.connections.gate
        try await Waiting.suspend { gate.keepsReadersOut }
        async let counts = withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { try await store.count(.all(), soup: "s") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        async let blocked = Threads.run { try store.count(.all(), soup: "s") }
        try await Waiting.suspend { gate.waitingCount(.reading) == 5 }
        async let altered = store.alterSoup("s", indexSpecs: [.string("k")])
        try await Waiting.suspend { gate.waitingCount(.writing) == 1 }
        mayEnd.raise()
        try await reader
        try await reopening
        #expect(try await counts == [50, 50, 50, 50])
        #expect(try await blocked == 50)
        #expect(try await altered == "s")
        #expect(store.connections.gather(0) { count, _ in count += 1 } == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `opening for one connection while another one is open is busy`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let shared = try setup.open()
        try shared.registerSoup("s", indexSpecs: [.string("k")])
        #expect(faultCode { _ = try open(setup) } == .busy)
        try shared.upsert([#"{"k":"still open"}"#.bytes], into: "s")
        try shared.close()
        #expect(try open(setup).count(.all(), soup: "s") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `a reopened store follows the mode that it is given`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        try store.reopen { $0.settings.lockingMode = .shared }
        #expect(try store.count(.all(), soup: "s") == 50)
        let other = try setup.open()
        #expect(try other.count(.all(), soup: "s") == 50)
        try other.close()
        try store.reopen { $0.settings.lockingMode = .exclusive }
        #expect(try store.count(.all(), soup: "s") == 50)
        #expect(faultCode { _ = try setup.open { $0.settings.busyTimeout = 50 } } == .busy)
    }

    @Test(.timeLimit(.minutes(5)), arguments: BackEnd.allCases)
    func `readers, writers and alterations of many tasks take turns`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let (_, store) = try setup(backEnd)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    for _ in 0..<10 {
                        let cursor = try await store.query(.all(pageSize: 10), soup: "s")
                        _ = try await cursor.moveToNextPage()
                        _ = try await cursor.countEntries()
                    }
                    _ = try await store.upsert([#"{"k":"new \#(number)","t":"hen"}"#.bytes], into: "s")
                }
            }
            group.addTask {
                for _ in 0..<3 {
                    _ = try await store.alterSoup("s", indexSpecs: [.string("k"), .fullText("t")])
                }
            }
            try await group.waitForAll()
        }
        let found = try await store.count(.match(path: "t", matchKey: "hen"), soup: "s")
        #expect(found == 6)
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
    func `a change of key keeps the mode`() throws {
        let (setup, store) = try setup(.cipher)
        let key = try Key(raw: Array(repeating: 9, count: 32))
        try store.rekey(to: key)
        #expect(try store.count(.all(), soup: "s") == 50)
        #expect(faultCode { _ = try open(setup) { $0.key = key } } == .busy)
        try store.close()
        #expect(try open(setup) { $0.key = key }.count(.all(), soup: "s") == 50)
    }
}
