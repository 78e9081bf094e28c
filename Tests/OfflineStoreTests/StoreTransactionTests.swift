import EntryCoding
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// A transaction whose work is handed what it may do: APP-22; and the async forms of APP-20.
@Suite struct StoreTransactionTests {
    struct Item: Codable, Sendable { var n: Int }

    @Test(arguments: BackEnd.allCases)
    func `reads see what was written, and all is kept or nothing`(_ backEnd: BackEnd) async throws {
        struct Stop: Error {}
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("s")
        let ids = try await store.transaction { transaction in
            let ids = try transaction.upsert(values: [Item(n: 1), Item(n: 2)], into: "s")
            #expect(try transaction.count(.all(), in: "s") == 2)
            #expect(try transaction.value(Item.self, id: ids[0], from: "s")?.value.n == 1)
            try? transaction.savepoint { inner in
                try inner.clearSoup("s")
                #expect(try inner.count(.all(), in: "s") == 0)
                throw Stop()
            }
            try transaction.registerSoup("new", indexSpecs: [.integer("n")])
            try transaction.upsert(value: Item(n: 7), into: "new")
            #expect(try transaction.reading { try $0.entries(.exact(path: "n", matchKey: 7), in: "new").count } == 1)
            #expect(try transaction.remove(matching: .exact(path: "n", matchKey: 2), from: "s") == 1)
            return ids
        }
        #expect(ids == [1, 2])
        #expect(try await store.count(.all(), soup: "s") == 1)
        await #expect(throws: Stop.self) {
            try await store.transaction { transaction in
                try transaction.removeSoup("s")
                throw Stop()
            }
        }
        #expect(try await store.count(.all(), soup: "s") == 1)
    }

    @available(*, deprecated)
    @Test func `closures without a parameter and with $0 mean the two forms`() throws {
        let store = try StoreFolder(.plain).opened("s")
        try store.transaction { try store.upsert(value: Item(n: 1), into: "s") }
        try store.transaction { try $0.upsert(value: Item(n: 2), into: "s") }
        #expect(try store.transaction { try $0.count(.all(), in: "s") } == 2)
    }

    @Test func `a cancelled transaction keeps nothing, whatever its work does with the error`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let begun = Signal()
        let over = Signal()
        let task = Task {
            try await store.transaction { transaction in
                try transaction.upsert(value: Item(n: 1), into: "s")
                begun.raise()
                over.block()
                _ = try? transaction.upsert(value: Item(n: 2), into: "s")
            }
        }
        try await begun.wait()
        task.cancel()
        over.raise()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The connection can be written to again.
        try await store.upsert(value: Item(n: 3), into: "s")
        #expect(try await store.count(.all(), soup: "s") == 1)
    }

    @Test func `a store is opened, reopened, changed and closed without blocking the caller`() async throws {
        let setup = try StoreFolder(.plain)
        let store = try await SmartStore.open(path: setup.path, options: setup.options())
        _ = try await store.load(
            StoreConfiguration(
                json: Array(#"{"soups":[{"soupName":"s","indexes":[{"path":"n","type":"integer"}]}]}"#.utf8)))
        try await store.upsert(array: Array(#"[{"n":1},{"n":2}]"#.utf8), into: "s")
        #expect(try await store.lookupEntryId(inSoup: "s", path: "n", value: 2) == 2)
        #expect(try await store.count(.smart("SELECT {s:n} FROM {s}")) == 2)
        #expect(try await store.explain(.exact(path: "n", matchKey: 1), soup: "s").scans == [])
        let isThere = try await store.soupExists("s")
        let names = try await store.allSoupNames()
        #expect(isThere && names == ["s"])
        let soup = try await store.soup("s")
        #expect(try await store.indexSpecs(ofSoup: "s") == soup.indexSpecs)
        let spec = try await store.soupSpec(ofSoup: "s")
        #expect(try await store.hasIndex(forPath: "n", inSoup: "s"))
        #expect(spec.name == "s")
        #expect(try await store.externalStorage(ofSoup: "s").files == 0)
        #expect(try await store.databaseSize() > 4096)
        try await store.reopen { $0.permissivePaths = true }
        #expect(try await store.count(.exact(path: "m", matchKey: 1), soup: "s") == 0)
        try await store.close()
        #expect(store.wasClosed)
        let fault = await #expect(throws: Fault.self) { try await store.count(.all(), soup: "s") }
        #expect(fault?.code == .closed)
    }

    @Test func `closing inside a transaction is still busy`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let fault = await #expect(throws: Fault.self) {
            try await store.transaction { _ in try blocking { try store.close() } }
        }
        #expect(fault?.code == .busy)
        #expect(try await store.count(.all(), soup: "s") == 0)
    }

    @Test func `an opening that was cancelled before it began opens nothing`() async throws {
        let setup = try StoreFolder(.plain)
        let options = try setup.options()
        let started = Signal()
        let task = Task {
            while !started.isRaised { await Task.yield() }
            return try await SmartStore.open(path: setup.path, options: options)
        }
        task.cancel()
        started.raise()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let store = try blocking { try setup.open() }
        #expect(try blocking { try store.allSoupNames() }.isEmpty)
    }

    @Test func `one close among 16 busy readers waits for the calls under way only`() async throws {
        let store = try StoreFolder(.plain).opened("s") { $0.maximumReaders = 4 }
        let over = Signal()
        let readers = (0..<16).map { _ in
            Task {
                while !over.isRaised {
                    guard (try? await store.count(.all(), soup: "s")) != nil else { return }
                }
            }
        }
        _ = try await store.count(.all(), soup: "s")
        try await store.close()
        over.raise()
        for reader in readers {
            await reader.value
        }
        #expect(store.wasClosed)
    }
}
