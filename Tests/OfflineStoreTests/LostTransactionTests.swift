import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// SQLite rolls a whole transaction back by itself after some failures. Everything that follows in that transaction
/// must fail too.
@Suite
struct LostTransactionTests {
    private let big = String(repeating: "x", count: 3000)

    private func soup(_ store: SmartStore) throws {
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert([#"{"k":"before"}"#.bytes], into: "s")
    }

    private func fault(_ work: () throws -> Void) -> Fault? {
        do {
            try work()
            return nil
        } catch {
            return error as? Fault
        }
    }

    private func furtherCalls(_ store: SmartStore) -> [() throws -> Void] {
        [
            { _ = try store.upsert([#"{"k":"after"}"#.bytes], into: "s") },
            { _ = try store.retrieve(id: 1, from: "s") },
            { _ = try store.retrieve(ids: [1, 2], from: "s") },
            { _ = try store.count(.all(), soup: "s") },
            { _ = try store.runSmartQuery(.smart("select {s:k} from {s}")) },
            { _ = try store.registerSoup("t", indexSpecs: [.string("k")]) },
            { _ = try store.alterSoup("s", indexSpecs: [.string("t")]) },
            { try store.clearSoup("s") },
            { try store.transaction { _ in _ = try store.upsert([#"{"k":"nested"}"#.bytes], into: "s") } },
        ]
    }

    private func batch(_ count: Int) -> [[UInt8]] { (1...count).map { "{\"k\":\"\($0)\",\"t\":\"\(big)\"}".bytes } }

    /// Runs "first", a failing call that is caught, and then every kind of call. All of them and `transaction` must
    /// throw the first fault.
    private func expectLost(_ store: SmartStore, _ code: Fault.Code, failing: () throws -> Void) throws {
        var first: Fault?
        let thrown = fault {
            try store.transaction { _ in
                _ = try store.upsert([#"{"k":"first"}"#.bytes], into: "s")
                first = fault(failing)
                for (index, call) in furtherCalls(store).enumerated() {
                    #expect(fault(call) == first, "call \(index)")
                }
            }
        }
        #expect(first?.code == code)
        #expect(thrown == first)
        let rows = try store.query(.all(selectPaths: ["k"]), soup: "s").currentPage.rows
        #expect(rows == [[.value(.text("before".bytes))]])
        // The store can be used, with ids as if nothing had been attempted.
        let again = try store.transaction { _ in try store.upsert([#"{"k":"again"}"#.bytes], into: "s") }
        #expect(again.first?.string.contains(#""_soupEntryId":2"#) == true)
        #expect(try store.count(.all(), soup: "s") == 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `a full disk`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open { $0.settings.maximumPageCount = 60 }
        try soup(store)
        try expectLost(store, .diskFull) { try store.upsert(batch(100), into: "s") }
        #expect(try setup.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a full disk in a nested transaction`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open { $0.settings.maximumPageCount = 60 }
        try soup(store)
        try expectLost(store, .diskFull) {
            try store.transaction { _ in
                try store.upsert([#"{"k":"inner"}"#.bytes], into: "s")
                _ = fault { try store.upsert(batch(100), into: "s") }
                // The work returns normally: the fault comes from the transaction itself.
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `files of external entries written in a lost transaction are removed, and earlier versions stay`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open { $0.settings.maximumPageCount = 60 }
        try soup(store)
        try store.registerSoup(SoupSpec(name: "e", features: [.externalStorage]), indexSpecs: [.string("k")])
        let old = try store.upsert([#"{"k":"old"}"#.bytes], into: "e")
        let files = try store.externalStorage(ofSoup: "e").files
        let thrown = fault {
            try store.transaction { _ in
                try store.upsert([#"{"k":"new","_soupEntryId":1}"#.bytes, #"{"k":"more"}"#.bytes], into: "e")
                _ = fault { try store.upsert(batch(100), into: "s") }
            }
        }
        #expect(thrown?.code == .diskFull)
        #expect(try store.externalStorage(ofSoup: "e").files == files)
        #expect(try store.retrieve(ids: [1], from: "e") == old)
    }

    @Test(arguments: BackEnd.allCases)
    func `an interrupt`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try soup(store)
        try expectLost(store, .limitExceeded) {
            // A write that is interrupted by its time limit.
            try store.connections.write { (session, _) throws(Fault) in
                try session.connection.limited(to: .milliseconds(20)) { () throws(Fault) in
                    try session.connection.execute(
                        """
                        INSERT INTO TABLE_1 (soup) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) \
                        SELECT '{}' FROM c WHERE x < 0
                        """)
                }
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `a statement that fails alone leaves the transaction whole`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try soup(store)
        try store.transaction { _ in
            try store.upsert([#"{"k":"first"}"#.bytes], into: "s")
            #expect(faultCode { try store.upsert([#"{"k":"good"}"#.bytes, "[".bytes], into: "s") } == .invalidEntry)
            #expect(faultCode { try store.upsert(["{}".bytes], into: "none") } == .soupNotFound)
            let nameless = fault { _ = try store.upsert([#"{"t":"x"}"#.bytes], into: "s", externalIdPath: "k") }
            #expect(nameless?.code == .externalIdMissing)
            try store.upsert([#"{"k":"last"}"#.bytes], into: "s")
        }
        let keys = try store.query(.all(selectPaths: ["k"]), soup: "s").currentPage.rows
        #expect(keys == ["before", "first", "last"].map { [.value(.text($0.bytes))] })
    }

    @Test(arguments: BackEnd.allCases)
    func `a commit that waits too long for a reader is rolled back as a whole`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open {
            $0.settings.journalMode = .delete
            $0.settings.busyTimeout = 50
        }
        try soup(store)
        let settings = ConnectionSettings(journalMode: .delete)
        let reader = try backEnd.connect(setup.path, access: .readWrite, settings: settings)
        try reader.execute("BEGIN")
        _ = try reader.value("SELECT count(*) FROM TABLE_1")
        let thrown = fault { try store.transaction { _ in _ = try store.upsert([#"{"k":"lost"}"#.bytes], into: "s") } }
        #expect(thrown?.code == .busy)
        try reader.execute("COMMIT")
        reader.close()
        #expect(try store.count(.all(), soup: "s") == 1)
        try store.upsert([#"{"k":"after"}"#.bytes], into: "s")
        #expect(try store.count(.all(), soup: "s") == 2)
    }
}
