import EntryCoding
import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Transactions that depend on an earlier read: APP-22.
@Suite struct CommitNumberTests {
    private func filled(_ backEnd: BackEnd) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        for soup in ["a", "b"] {
            try store.registerSoup(soup, indexSpecs: [.string("k")])
            try store.upsert([#"{"k":"x"}"#.bytes], into: soup)
        }
        return (setup, store)
    }

    /// The code with which a transaction that depends on soups ends; nil if it wrote.
    private func write(_ store: SmartStore, since state: CommitNumber, _ soups: [String]) throws -> Fault.Code? {
        let before = try store.count(.all(), soup: "b")
        let code = faultCode {
            try store.transaction { transaction in
                try transaction.requireUnchanged(since: state, soups: soups)
                try transaction.upsert(["{}".bytes], into: "b")
            }
        }
        #expect(try store.count(.all(), soup: "b") == before + (code == nil ? 1 : 0))
        return code
    }

    @Test(arguments: BackEnd.allCases)
    func `only changes of the soups that are named count`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (_, store) = try filled(backEnd)
        let state = try store.read { $0.commit }
        #expect(try write(store, since: state, ["a"]) == nil)
        // That was a change of b.
        #expect(try write(store, since: state, ["a", "b"]) == .conflict)
        #expect(try write(store, since: state, ["a"]) == nil)
        #expect(try write(store, since: state, []) == nil)
        try store.remove(ids: [1], from: "a")
        #expect(try write(store, since: state, ["a"]) == .conflict)
        let later = try store.read { $0.commit }
        #expect(later != state)
        #expect(try write(store, since: later, ["a", "b"]) == nil)
    }

    @Test func `the first read that asks runs twice, and its number holds`() throws {
        let (_, store) = try filled(.plain)
        var runs = 0
        let state = try store.read { reader in
            runs += 1
            return reader.commit
        }
        #expect(runs == 2)
        #expect(try write(store, since: state, ["a"]) == nil)
        _ = try store.read { reader in
            runs += 1
            return reader.commit
        }
        #expect(runs == 3)
    }

    @Test func `a commit after the state was fixed counts, though the number is asked for later`() throws {
        let (_, store) = try filled(.plain)
        _ = try store.read { $0.commit }
        let state = try store.read { reader in
            let thread = OwnThread { try store.upsert(["{}".bytes], into: "a") }
            _ = Waiting.block { thread.hasEnded }
            return reader.commit
        }
        #expect(try write(store, since: state, ["a"]) == .conflict)
    }

    @Test func `altering, clearing, removing and registering count; what was undone does not`() throws {
        let (_, store) = try filled(.plain)
        struct Own: Error {}
        let changes: [() throws -> Void] = [
            { try store.alterSoup("a", indexSpecs: [.string("k"), .string("n")]) },
            { try store.clearSoup("a") },
            { try store.reIndexSoup("a", paths: ["k"]) },
            { try store.removeSoup("a") },
            { try store.registerSoup("a", indexSpecs: [.string("k")]) },
            { _ = try store.load(jsonLines: ByteSource(#"{"k":"y"}"#.bytes), into: "a") },
        ]
        for (number, change) in changes.enumerated() {
            // An entry, so that each change has something to do.
            if number == 2 {
                try store.upsert(["{}".bytes], into: "a")
            }
            let state = try store.read { $0.commit }
            try change()
            #expect(try write(store, since: state, ["a"]) == .conflict, "change \(number)")
        }
        let state = try store.read { $0.commit }
        #expect(throws: Own.self) {
            try store.transaction { transaction in
                try transaction.upsert(["{}".bytes], into: "a")
                throw Own()
            }
        }
        #expect(try write(store, since: state, ["a"]) == nil)
    }

    @Test func `the writes of the transaction itself do not count`() throws {
        let (_, store) = try filled(.plain)
        let state = try store.read { $0.commit }
        try store.transaction { transaction in
            try transaction.upsert(["{}".bytes], into: "a")
            try transaction.requireUnchanged(since: state, soups: ["a"])
            let inside = transaction.reading { $0.commit }
            try transaction.requireUnchanged(since: inside, soups: ["a"])
        }
        #expect(try write(store, since: state, ["a"]) == .conflict)
    }

    @Test(arguments: BackEnd.allCases)
    func `a commit of another store object counts for every soup, once`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try filled(backEnd)
        let other = try setup.open()
        let state = try store.read { $0.commit }
        try other.upsert(["{}".bytes], into: "b")
        #expect(try write(store, since: state, ["a"]) == .conflict)
        let later = try store.read { $0.commit }
        #expect(try write(store, since: later, ["a"]) == nil)
        // Its numbers mean nothing here.
        let foreign = try other.read { $0.commit }
        #expect(try write(store, since: foreign, ["a"]) == .conflict)
    }

    @Test func `a store that was opened again or suspended counts as changed`() throws {
        let (_, store) = try filled(.plain)
        var state = try store.read { $0.commit }
        try store.reopen()
        #expect(try write(store, since: state, ["a"]) == .conflict)
        state = try store.read { $0.commit }
        try store.suspend()
        try store.resume()
        #expect(try write(store, since: state, ["a"]) == .conflict)
        state = try store.read { $0.commit }
        #expect(try write(store, since: state, ["a"]) == nil)
    }

    @Test func `a soup that never was is not found, one that was removed is a conflict`() throws {
        let (_, store) = try filled(.plain)
        let state = try store.read { $0.commit }
        #expect(try write(store, since: state, ["none"]) == .soupNotFound)
        try store.removeSoup("a")
        #expect(try write(store, since: state, ["a"]) == .conflict)
    }

    @Test(arguments: BackEnd.allCases)
    func `of many threads that add to what they read, each conflict saves an addition`(_ backEnd: BackEnd) async throws
    {
        try backEnd.skipIfMissing()
        let (_, store) = try blocking { try filled(backEnd) }
        struct Counter: Codable { var k: Int }
        let id = try blocking { try store.upsert(value: Counter(k: 0), into: "a") }
        try await Threads.run(4) { _ in
            var done = 0
            while done < 25 {
                let (counter, state) = try store.read { reader in
                    (try reader.values(Counter.self, ids: [id], from: "a")[0], reader.commit)
                }
                do {
                    try store.transaction { transaction in
                        try transaction.requireUnchanged(since: state, soups: ["a"])
                        var next = counter
                        next.value.k += 1
                        try transaction.update([next], in: "a")
                    }
                    done += 1
                } catch let fault as Fault where fault.code == .conflict {}
            }
        }
        let sum = try blocking { try store.values(Counter.self, ids: [id], from: "a")[0].value.k }
        #expect(sum == 100)
    }

    @Test func `a backup has the number of the state that it holds`() async throws {
        let (setup, store) = try blocking { try filled(.plain) }
        let first = try await store.backup(to: setup.folder.file("first.db"))
        #expect(try write(store, since: first.commit, ["a", "b"]) == nil)
        #expect(try write(store, since: first.commit, ["b"]) == .conflict)
        let second = try await store.backup(to: setup.folder.file("second.db"))
        #expect(try write(store, since: second.commit, ["b"]) == nil)
    }

    @Test func `a store with one connection has numbers too`() throws {
        let setup = try StoreFolder(.plain)
        let store = try setup.open { $0.settings.lockingMode = .exclusive }
        try store.registerSoup("a", indexSpecs: [.string("k")])
        try store.registerSoup("b", indexSpecs: [.string("k")])
        let state = try store.read { $0.commit }
        #expect(try write(store, since: state, ["a"]) == nil)
        #expect(try write(store, since: state, ["b"]) == .conflict)
    }
}
