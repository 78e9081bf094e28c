import EntryCoding
import JSONText
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite
struct EntryTests {
    @Test(arguments: BackEnd.allCases)
    func `an insert sets both dates, an update moves one of them, and the entry is replaced whole`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        let stored = try store.upsert([#" { "k" : "x", "old": [1, {"a":null}] } "#.bytes], into: "notes")
        #expect(
            stored.map(\.string) == [
                #"{"k" : "x", "old": [1, {"a":null}],"_soupEntryId":1,"_soupLastModifiedDate":1600000000001}"#
            ])
        try store.upsert([#"{"k":"y","_soupEntryId":1}"#.bytes], into: "notes")
        #expect(
            try setup.texts("SELECT * FROM TABLE_1") == [
                #"1|{"k":"y","_soupEntryId":1,"_soupLastModifiedDate":1600000000002}|1600000000001|1600000000002|y"#
            ])
    }

    @Test(arguments: BackEnd.allCases)
    func `ids are those of the entries that the other form returns, for new and for replaced entries`(
        _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        for (soup, isExternal) in [("notes", false), ("files", true)] {
            let spec = SoupSpec(name: soup, features: isExternal ? [.externalStorage] : [])
            try await store.registerSoup(spec, indexSpecs: [.string("k")])
            let first = try await store.upsertIds([#"{"k":"a"}"#.bytes, #"{"k":"b"}"#.bytes], into: soup)
            #expect(first == [1, 2])
            let texts = [#"{"k":"b","new":1}"#.bytes, #"{"k":"c"}"#.bytes, #"{"k":"c","new":2}"#.bytes]
            #expect(try await store.upsertIds(texts, into: soup, externalIdPath: "k") == [2, 3, 3])
            let stored = try await store.upsert(texts, into: soup, externalIdPath: "k")
            #expect(try stored.map { try JSONValue(parsing: $0)["_soupEntryId"]?.int64 } == [2, 3, 3])
            let read = try await store.retrieve(ids: [2, 3], from: soup)
            #expect(try read.map { try JSONValue(parsing: $0)["new"]?.int64 } == [1, 2])
            await #expect(throws: Fault.self) {
                try await store.upsertIds([#"{"k":"d"}"#.bytes, "[]".bytes], into: soup)
            }
            #expect(try await store.count(.all(), soup: soup) == 3)
            let inside = try await store.transaction { (handle) in
                try handle.upsertIds([#"{"k":"e"}"#.bytes], into: soup)
            }
            #expect(inside == [4])
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `an entry with an unknown id, with null, or with an invalid id is new`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        let texts = [
            #"{"_soupEntryId":77}"#, #"{"_soupEntryId":null}"#, #"{"_soupEntryId":"1"}"#,
            #"{"_soupEntryI\u0064":1.0,"k":"first"}"#,
        ]
        let ids = try store.upsert(texts.map(\.bytes), into: "notes").map {
            try JSONValue(parsing: $0)["_soupEntryId"]?.int64
        }
        #expect(ids == [1, 2, 3, 1])
        #expect(try store.lookupEntryId(inSoup: "notes", path: "k", value: .text("first")) == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `a failing entry undoes the whole batch; its ids, which were never returned, are given again`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        for bad in [
            "[1]", "7", "{\"a\":1,\"a\":2}", "{\"k\":\"a\\u0000b\"}", "{\"k\":1", "{} {}", "\u{FEFF}{}",
            String(repeating: "[", count: 600),
        ] {
            #expect(
                faultCode { try store.upsert([#"{"k":"good"}"#.bytes, bad.bytes], into: "notes") } == .invalidEntry,
                "\(bad)")
        }
        #expect(try store.retrieve(ids: [1, 2], from: "notes").isEmpty)
        #expect(faultCode { try store.upsert([[UInt8]](), into: "nobody") } == .soupNotFound)
        do {
            try store.upsert(array: #"[{"k":1}, {"k":1,"k":2}]"#.bytes, into: "notes")
            Issue.record("a name twice was accepted")
        } catch {
            #expect(error.code == .invalidEntry && error.offset == 17)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `external ids: one match is replaced, none is inserted, and every fault has its code`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(
            "parcels", indexSpecs: [.string("code"), .integer("n"), .json1("j"), .floating("f"), .string("town")])
        try store.upsert(
            [
                #"{"code":"P1","n":7,"j":1.5,"f":2,"town":"Graz"}"#.bytes,
                #"{"code":"P2","n":8,"j":true,"f":3,"town":"Graz"}"#.bytes,
            ], into: "parcels")
        for (path, text) in [
            ("code", #"{"code":"P2"}"#), ("n", #"{"n":8.0,"code":"x"}"#), ("j", #"{"j":true}"#), ("f", #"{"f":"3"}"#),
        ] {
            // Replacing has removed the other values, so they are put back by id.
            #expect(
                try JSONValue(parsing: store.upsert([text.bytes], into: "parcels", externalIdPath: path)[0])[
                    "_soupEntryId"]?.int64 == 2, "\(path)")
            try store.upsert(
                [#"{"code":"P2","n":8,"j":true,"f":3,"town":"Graz","_soupEntryId":2}"#.bytes], into: "parcels")
        }
        #expect(
            try JSONValue(
                parsing: store.upsert(
                    [#"{"code":"new","_soupEntryId":1}"#.bytes], into: "parcels", externalIdPath: "code")[0])[
                    "_soupEntryId"]?.int64 == 3)
        func code(_ text: String, _ path: String) -> Fault.Code? {
            faultCode { try store.upsert([text.bytes], into: "parcels", externalIdPath: path) }
        }
        #expect(code(#"{"town":"Graz"}"#, "town") == .externalIdNotUnique)
        #expect(code(#"{"town":null}"#, "town") == .externalIdMissing)
        #expect(code(#"{}"#, "town") == .externalIdMissing)
        #expect(code(#"{"size":1}"#, "size") == .pathNotIndexed)
        #expect(try setup.texts("SELECT count(*) FROM TABLE_1") == ["3"])
    }

    @Test(arguments: BackEnd.allCases)
    func `each kind of JSON value in each kind of index`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(
            "m", indexSpecs: [.string("s.v"), .integer("i.v"), .floating("f.v"), .fullText("t.v")])
        let values = [
            #""abc""#, #""12""#, #""""#, "7", "3.70", "1e300", "true", "false", "null", #"{ "a": [1, 2] }"#,
            "[1 , \"x\"]", "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "1.0", "0.1", #""-1.5e2""#,
        ]
        try store.upsert(
            values.map { "{\"s\":{\"v\":\($0)},\"i\":{\"v\":\($0)},\"f\":{\"v\":\($0)},\"t\":{\"v\":\($0)}}".bytes } + [
                "{}".bytes
            ], into: "m")
        func typed(_ column: String) -> String { "ifnull(substr(typeof(\(column)), 1, 1) || \(column), 'null')" }
        #expect(
            try setup.texts(
                "SELECT \((0...2).map { typed("TABLE_1_\($0)") }.joined(separator: ", ")) FROM TABLE_1 ORDER BY id")
                == [
                    "tabc|null|null", "t12|i12|r12.0", "t|null|null", "t7|i7|r7.0", "t3.70|r3.7|r3.7",
                    "t1e300|r1.0e+300|r1.0e+300", "ttrue|i1|r1.0", "tfalse|i0|r0.0",
                    "null|null|null", #"t{"a":[1,2]}|null|null"#, #"t[1,"x"]|null|null"#,
                    "t9223372036854775807|i9223372036854775807|r9.22337203685478e+18",
                    "t-9223372036854775808|i-9223372036854775808|r-9.22337203685478e+18",
                    "t9223372036854775808|r9.22337203685478e+18|r9.22337203685478e+18", "t1.0|i1|r1.0",
                    "t0.1|r0.1|r0.1", "t-1.5e2|i-150|r-150.0", "null|null|null",
                ])
        // The full-text table holds the same text as the column.
        #expect(
            try setup.texts(
                "SELECT count(*) FROM TABLE_1 t JOIN TABLE_1_fts f ON f.rowid = t.id WHERE t.TABLE_1_3 IS f.TABLE_1_3 AND t.TABLE_1_0 IS f.TABLE_1_3"
            ) == ["18"])
    }

    @Test(arguments: BackEnd.allCases)
    func `retrieval keeps the requested order, leaves out missing entries, and gives an entry once`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        try store.upsert((1...5).map { "{\"k\":\"\($0)\"}".bytes }, into: "notes")
        let found = try store.retrieve(ids: [4, 99, 2, 4, -1, 5, 2], from: "notes")
        #expect(try found.map { try JSONValue(parsing: $0)["k"]?.string } == ["4", "2", "5"])
        #expect(try store.retrieve(ids: [], from: "notes").isEmpty)
        #expect(faultCode { _ = try store.retrieve(ids: [1], from: "nobody") } == .soupNotFound)
    }

    @Test(arguments: BackEnd.allCases)
    func `a removed entry is gone from table and full text; its id never comes back`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("notes", indexSpecs: [.fullText("k")])
        try store.upsert((1...4).map { "{\"k\":\"word\($0)\"}".bytes }, into: "notes")
        try store.remove(ids: [2, 4, 77], from: "notes")
        #expect(try setup.texts("SELECT id FROM TABLE_1") == ["1", "3"])
        #expect(try setup.texts("SELECT rowid FROM TABLE_1_fts") == ["1", "3"])
        #expect(try JSONValue(parsing: store.upsert(["{}".bytes], into: "notes")[0])["_soupEntryId"]?.int64 == 5)
    }

    @Test(arguments: BackEnd.allCases)
    func `Swift values go in and come out`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        struct Parcel: Codable, Equatable {
            var code: String
            var grams: Int64
            var _soupEntryId: Int64?
        }
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("parcels", indexSpecs: [.string("code"), .integer("grams")])
        #expect(
            try store.upsert(
                values: [Parcel(code: "P\"1", grams: .max), Parcel(code: "P2", grams: 7)], into: "parcels") == [1, 2])
        #expect(
            try store.values(Parcel.self, ids: [2, 1], from: "parcels").map(\.value) == [
                Parcel(code: "P2", grams: 7, _soupEntryId: 2), Parcel(code: "P\"1", grams: .max, _soupEntryId: 1),
            ])
        let page = try store.query(.exact(path: "grams", matchKey: 7), soup: "parcels").currentPage
        #expect(try page.values(Parcel.self).map(\.value.code) == ["P2"] && page.values(Parcel.self)[0].id == 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `a transaction over several calls is kept whole, or not at all, inner failures being undone alone`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        struct Stop: Error {}
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("a", indexSpecs: [.string("k")])
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try store.registerSoup("b", indexSpecs: [.string("k")])
                try store.upsert([#"{"k":"1"}"#.bytes], into: "b")
                try store.remove(ids: [1], from: "a")
                throw Stop()
            }
        }
        #expect(try store.allSoupNames() == ["a"])
        try store.transaction { _ in
            try store.upsert([#"{"k":"kept"}"#.bytes], into: "a")
            #expect(faultCode { try store.upsert([#"{"k":"lost"}"#.bytes, "[]".bytes], into: "a") } == .invalidEntry)
            #expect(try store.retrieve(ids: [1, 2], from: "a").count == 1)
            try store.upsert([#"{"k":"next"}"#.bytes], into: "a")
        }
        #expect(
            try store.retrieve(ids: [1, 2, 3], from: "a").map { try JSONValue(parsing: $0)["k"]?.string } == [
                "kept", "next",
            ])
    }

    @Test(arguments: BackEnd.allCases)
    func `one entry by its id, also after another store removed the soup and created it again with the same name`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("notes", indexSpecs: [.string("k")])
        let stored = try store.upsert([#"{"k":"old"}"#.bytes], into: "notes")
        #expect(try store.retrieve(id: 1, from: "notes") == stored[0])
        #expect(try store.retrieve(id: 2, from: "notes") == nil)
        #expect(try store.transaction { _ in try store.retrieve(id: 1, from: "notes") } == stored[0])
        #expect(faultCode { _ = try store.retrieve(id: 1, from: "Notes") } == .soupNotFound)
        let other = try setup.open()
        try other.removeSoup("notes")
        #expect(faultCode { _ = try store.retrieve(id: 1, from: "notes") } == .soupNotFound)
        try other.registerSoup("notes", indexSpecs: [.string("k")])
        #expect(try store.retrieve(id: 1, from: "notes") == nil)
        let again = try other.upsert([#"{"k":"new"}"#.bytes], into: "notes")
        #expect(try store.retrieve(id: 1, from: "notes") == again[0])
        try store.close()
        #expect(faultCode { _ = try store.retrieve(id: 1, from: "notes") } == .closed)
    }
}
