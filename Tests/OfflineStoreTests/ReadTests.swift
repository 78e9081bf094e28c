import SQLiteAccess
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineStore

/// Several reads of one state: APP-21.
@Suite struct ReadTests {
    @Test(arguments: BackEnd.allCases)
    func `a read sees one state, fixed before its work begins`(_ backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).opened("s", "t")
        try await store.upsert([#"{"n":1}"#.bytes], into: "s")
        let counts = try await store.read { reader in
            // Committed after the work began and before it has read anything.
            try OwnThread { _ = try store.upsert([#"{"n":2}"#.bytes], into: "s") }.join()
            let first = try reader.count(.all(), in: "s")
            let outside = try store.count(.all(), soup: "s")
            return [first, outside, try reader.count(.all(), in: "s")]
        }
        #expect(counts == [1, 2, 1])
        #expect(try await store.read { try $0.count(.all(), in: "s") } == 2)
    }

    @Test func `all that can be asked agrees with the calls of the store`() throws {
        let store = try StoreFolder(.plain).opened("s")
        let texts = try store.upsert((0..<30).map { "{\"n\":\($0 % 7)}".bytes }, into: "s")
        try store.read { reader in
            #expect(try reader.retrieve(id: 3, from: "s") == texts[2])
            #expect(try reader.retrieve(id: 99, from: "s") == nil)
            #expect(try reader.retrieve(ids: [5, 99, 5, 1], from: "s").map(Array.init) == [texts[4], texts[0]])
            let spec = QuerySpec.range(path: "n", from: 3, orderPath: "n", order: .descending, pageSize: 2)
            let all = try store.query(
                .range(path: "n", from: 3, orderPath: "n", order: .descending, pageSize: 100), soup: "s")
            #expect(try reader.entries(spec, in: "s") == all.currentPage.entries)
            #expect(try reader.entries(spec, in: "s", limit: 4).count == 4)
            #expect(try reader.count(spec, in: "s") == all.totalEntries)
            var seen: [[UInt8]] = []
            try reader.forEach(spec, in: "s") { entry in
                seen.append(entry.withBytes { Array($0) })
                let date = try entry.lastModified
                #expect(date == 1_600_000_000_001)
                #expect(
                    entry.withBytes { String(decoding: $0, as: UTF8.self) }.contains("\"_soupEntryId\":\(entry.id),"))
                return seen.count == 5 ? .stop : .next
            }
            #expect(seen == all.currentPage.entries.prefix(5).map(Array.init))
            let rows = try reader.rows("SELECT {s:n}, count(*) AS c, {s:n} + 1 FROM {s} GROUP BY 1 ORDER BY 1")
            #expect(rows.count == 7 && rows.columns.prefix(2) == ["n", "c"])
            #expect(rows[0]["n"]?.int64 == 0 && rows[0]["c"]?.int64 == 5)
        }
    }

    @Test func `wrong questions are refused`() throws {
        let store = try StoreFolder(.plain).opened("s")
        try store.read { reader in
            func code(_ work: () throws -> Void) -> Fault.Code? { faultCode(work) }
            #expect(code { _ = try reader.count(.all(), in: "none") } == .soupNotFound)
            #expect(code { _ = try reader.retrieve(id: 1, from: "none") } == .soupNotFound)
            #expect(code { _ = try reader.entries(.all(selectPaths: ["n"]), in: "s") } == .invalidQuerySpec)
            #expect(code { _ = try reader.entries(.smart("SELECT 1"), in: "s") } == .invalidQuerySpec)
            #expect(code { _ = try reader.entries(.all(), in: "s", limit: 0) } == .invalidPageSize)
            #expect(code { _ = try reader.entries(.exact(path: "z", matchKey: 1), in: "s") } == .pathNotIndexed)
            #expect(code { _ = try reader.rows("SELECT {s:z} FROM {s}") } == .pathNotIndexed)
        }
    }

    @Test func `an own error comes out as it is, and the reader is free again`() throws {
        struct Own: Error, Equatable { let n: Int }
        let store = try StoreFolder(.plain).opened("s") { $0.maximumReaders = 1 }
        for n in 0..<3 {
            #expect(throws: Own(n: n)) { try store.read { _ in throw Own(n: n) } }
        }
        #expect(try store.count(.all(), soup: "s") == 0)
        #expect(throws: Own(n: 4)) {
            try store.read { reader in
                try reader.forEach(.all(), in: "s") { _ in .next }
                throw Own(n: 4)
            }
        }
    }

    @Test func `inside a transaction of the same thread it sees what was written`() throws {
        let store = try StoreFolder(.plain).opened("s")
        try store.transaction { _ in
            try store.upsert(["{}".bytes], into: "s")
            #expect(try store.read { try $0.count(.all(), in: "s") } == 1)
            try store.registerSoup("new", indexSpecs: [.integer("n")])
            try store.read { reader in
                #expect(try reader.count(.all(), in: "new") == 0)
                try store.upsert(["{}".bytes], into: "new")
                #expect(try reader.retrieve(id: 1, from: "new") != nil)
            }
        }
    }

    @Test func `a store with one connection refuses to write inside a read`() throws {
        let store = try StoreFolder(.plain).opened("s") { $0.settings.lockingMode = .exclusive }
        let code = faultCode {
            try store.read { _ in _ = try store.upsert(["{}".bytes], into: "s") }
        }
        #expect(code == .busy)
        try store.upsert(["{}".bytes], into: "s")
        #expect(try store.read { try $0.count(.all(), in: "s") } == 1)
    }

    @Test func `external entries are read, also when they are overtaken`() async throws {
        let store = try StoreFolder(.plain).open { $0.settings.durability = .relaxed }
        try blocking {
            try store.registerSoup(
                SoupSpec(name: "s", features: [.externalStorage]), indexSpecs: [.integer("n")])
            try store.upsert([#"{"n":1}"#.bytes, #"{"n":2}"#.bytes], into: "s")
        }
        let isFirst = Atomic(true)
        let texts = try await store.read { reader in
            _ = try reader.count(.all(), in: "s")
            if isFirst.exchange(false, ordering: .relaxed) {
                try OwnThread { _ = try store.upsert([#"{"_soupEntryId":1,"n":7}"#.bytes], into: "s") }.join()
            }
            var texts: [String] = []
            try reader.forEach(.all(orderPath: "n"), in: "s") { entry in
                texts.append(entry.withBytes { String(decoding: $0, as: UTF8.self) })
                return .next
            }
            #expect(try reader.retrieve(ids: [1, 2], from: "s").count == 2)
            return texts
        }
        #expect(texts.count == 2 && texts[1].hasPrefix(#"{"n":7"#))
    }

    @Test func `a cancelled read throws CancellationError`() async throws {
        let store = try StoreFolder(.plain).opened("s")
        let begun = Signal()
        let over = Signal()
        let task = Task {
            try await store.read { reader in
                begun.raise()
                over.block()
                return try reader.count(.all(), in: "s")
            }
        }
        try await begun.wait()
        task.cancel()
        over.raise()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `names of columns are aliases, paths, or those of SQLite`() throws {
        let store = try StoreFolder(.plain).opened("s")
        let cases: [(String, [String])] = [
            ("SELECT {s:n}, {s:_soupEntryId} FROM {s}", ["n", "_soupEntryId"]),
            ("SELECT {s:n} AS id, {s:n} b, max({s:n}) AS m FROM {s}", ["id", "b", "m"]),
            ("SELECT DISTINCT {s:n}, 'from, it' AS x FROM {s} WHERE {s:n} = 1", ["n", "x"]),
            ("SELECT {s:n}, (SELECT count(*) FROM {s}) AS c FROM {s}", ["n", "c"]),
            ("SELECT {s:n} FROM {s} UNION SELECT {s:n} FROM {s} -- {s:z}", ["n"]),
            ("WITH t AS (SELECT 1 AS one) SELECT one FROM t", ["one"]),
            ("SELECT {s:_soup}, {s:_soupLastModifiedDate} FROM {s}", ["_soup", "_soupLastModifiedDate"]),
            ("SELECT 1 AS a", ["a"]),
            ("SELECT {s:n}", []),
        ]
        for (text, names) in cases {
            #expect((try? store.rows(text).columns) ?? [] == names, "\(text)")
        }
    }
}
