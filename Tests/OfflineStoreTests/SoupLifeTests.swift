import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// The life of a soup.
@Suite
struct SoupLifeTests {
    @Test(arguments: BackEnd.allCases)
    func `its tables and indexes are those of Mobile SDK`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("first", indexSpecs: [.string("a")])
        try store.registerSoup(
            "second",
            indexSpecs: [
                .json1("lastName"), .json1("address.o'clock"), .string("key"), .fullText("text"), .floating("f"),
                .integer("i"),
            ])
        #expect(
            try setup.texts("SELECT sql FROM sqlite_master WHERE name IN ('TABLE_2', 'TABLE_2_fts') ORDER BY name") == [
                "CREATE TABLE TABLE_2 (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER, TABLE_2_2 TEXT, TABLE_2_3 TEXT, "
                    + "TABLE_2_4 REAL, TABLE_2_5 INTEGER)",
                "CREATE VIRTUAL TABLE TABLE_2_fts USING fts5(TABLE_2_3)",
            ])
        #expect(
            try setup.texts(
                "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'TABLE_2' ORDER BY rowid") == [
                    "CREATE INDEX TABLE_2_created_idx on TABLE_2 ( created )",
                    "CREATE INDEX TABLE_2_lastModified_idx on TABLE_2 ( lastModified )",
                    "CREATE INDEX TABLE_2_0_idx on TABLE_2 ( json_extract(soup, '$.lastName') )",
                    "CREATE INDEX TABLE_2_1_idx on TABLE_2 ( json_extract(soup, '$.address.o''clock') )",
                    "CREATE INDEX TABLE_2_2_idx on TABLE_2 ( TABLE_2_2 )",
                    "CREATE INDEX TABLE_2_3_idx on TABLE_2 ( TABLE_2_3 )",
                    "CREATE INDEX TABLE_2_4_idx on TABLE_2 ( TABLE_2_4 )",
                    "CREATE INDEX TABLE_2_5_idx on TABLE_2 ( TABLE_2_5 )",
                ])
        #expect(
            try setup.texts("SELECT * FROM soup_index_map WHERE soupName = 'second' LIMIT 3") == [
                "second|lastName|json_extract(soup, '$.lastName')|json1",
                "second|address.o'clock|json_extract(soup, '$.address.o''clock')|json1",
                "second|key|TABLE_2_2|string",
            ])
        #expect(try setup.texts("SELECT * FROM soup_attrs ORDER BY id") == ["1|first|0", "2|second|0"])
        #expect(try setup.texts("PRAGMA user_version") == ["3"])
    }

    @Test(arguments: BackEnd.allCases)
    func `registering again changes nothing; removing and registering takes a new table`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        for round in 1...10 {
            #expect(try store.registerSoup("notes", indexSpecs: [.string("k")]) == "notes")
            try store.registerSoup("notes", indexSpecs: [.json1("other")])
            #expect(
                try store.indexSpecs(ofSoup: "notes") == [
                    IndexSpec(path: "k", type: .string, columnName: "TABLE_\(round)_0")
                ])
            #expect(try store.soupExists("notes"))
            #expect(try setup.texts("SELECT count(*) FROM soup_attrs") == ["1"])
            try store.removeSoup("notes")
            #expect(try !store.soupExists("notes"))
            try store.removeSoup("notes")
        }
        #expect(try setup.texts("SELECT name FROM sqlite_master WHERE name LIKE 'TABLE%'") == [])
    }

    @Test(arguments: BackEnd.allCases)
    func `names come in order of registration, and all soups go at once`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        for name in ["zebra", "ape", "cat"] {
            try store.registerSoup(name, indexSpecs: [.fullText("k")])
        }
        #expect(try store.allSoupNames() == ["zebra", "ape", "cat"])
        try store.removeAllSoups()
        #expect(try store.allSoupNames() == [])
    }

    @Test
    func `invalid soups are refused before anything is created`() throws {
        let store = try StoreFolder(.plain).open()
        let one = [IndexSpec.string("k")]
        for name in ["", "a{b", "a}b", "a:b", "a\0b"] {
            #expect(faultCode { try store.registerSoup(name, indexSpecs: one) } == .invalidSoupName)
        }
        #expect(faultCode { try store.registerSoup("", indexSpecs: []) } == .invalidSoupName)
        #expect(faultCode { try store.registerSoup("s", indexSpecs: []) } == .noIndexSpecs)
        #expect(faultCode { try store.registerSoup("s", indexSpecs: [.string("")]) } == .invalidIndexSpec)
        #expect(
            faultCode { try store.registerSoup("s", indexSpecs: [.string("a"), .integer("a")]) } == .invalidIndexSpec)
        #expect(faultCode { try store.registerSoup("s", indexSpecs: [.json1("a\"b")]) } == .invalidIndexSpec)
        let external = SoupSpec(name: "s", features: [.externalStorage])
        #expect(faultCode { try store.registerSoup(external, indexSpecs: [.json1("a")]) } == .json1WithExternalStorage)
        #expect(try store.allSoupNames() == [])
        #expect(faultCode { _ = try store.indexSpecs(ofSoup: "s") } == .soupNotFound)
        #expect(faultCode { try store.clearSoup("s") } == .soupNotFound)
    }

    @Test(arguments: BackEnd.allCases)
    func `any other name is data: quotes, keywords, emoji, 10 KB, and twins of normalisation are different soups`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        let names = [
            "'; DROP TABLE soup_attrs; --", "\"soupName\"", "path", "soupName", "select", "🦊🦊", "caf\u{E9}",
            "cafe\u{301}", " ", "123 a_valid.soup+name!?100",
            String(repeating: "x", count: 10_240),
        ]
        for (index, name) in names.enumerated() {
            try store.registerSoup(
                name, indexSpecs: [.string("a'b\"c"), .string("caf\u{E9}"), .string("cafe\u{301}"), .integer("select")])
            try store.upsert(["{\"n\":\(index),\"a'b\\\"c\":\"\(index)\",\"cafe\u{301}\":\"two\"}".bytes], into: name)
        }
        #expect(try store.allSoupNames().map(ByteKey.init) == names.map(ByteKey.init))
        for (index, name) in names.enumerated() {
            #expect(try store.lookupEntryId(inSoup: name, path: "a'b\"c", value: .text("\(index)")) == 1)
            #expect(try store.lookupEntryId(inSoup: name, path: "caf\u{E9}", value: .text("two")) == nil)
            #expect(try store.lookupEntryId(inSoup: name, path: "cafe\u{301}", value: .text("two")) == 1)
            try store.removeSoup(name)
        }
        #expect(try store.allSoupNames() == [])
    }

    @Test(arguments: BackEnd.allCases)
    func `clearing keeps the soup, and ids go on`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("books", indexSpecs: [.fullText("title")])
        try store.upsert([#"{"title":"Tide Tables"}"#.bytes, #"{"title":"Knots"}"#.bytes], into: "books")
        try store.clearSoup("books")
        #expect(
            try setup.texts("SELECT count(*) FROM TABLE_1 UNION ALL SELECT count(*) FROM TABLE_1_fts") == ["0", "0"])
        #expect(
            try store.upsert([#"{"title":"Rope"}"#.bytes], into: "books")[0].string
                == #"{"title":"Rope","_soupEntryId":3,"_soupLastModifiedDate":1600000000003}"#)
    }
}
