import FoundationEssentials
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite
struct BadConditionsTests {
    private let big = String(repeating: "x", count: 3000)

    @Test(arguments: BackEnd.allCases)
    func `a full disk undoes the call, and the store goes on`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open { $0.settings.maximumPageCount = 60 }
        try store.registerSoup("s", indexSpecs: [.string("k"), .fullText("t")])
        try store.upsert([#"{"k":"first","t":"words"}"#.bytes], into: "s")
        let batch = (1...100).map { "{\"k\":\"\($0)\",\"t\":\"\(big)\"}".bytes }
        let fault = #expect(throws: Fault.self) { try store.upsert(batch, into: "s") }
        #expect(fault?.code == .diskFull && fault?.message.contains(/the disk has [1-9]\d+ bytes free/) == true)
        #expect(try store.count(.all(), soup: "s") == 1)
        // SQLite quotes a name that it has changed.
        func schema() throws -> [String] {
            try setup.texts("SELECT name, sql FROM sqlite_master ORDER BY name").map {
                $0.filter { $0 != "\"" && $0 != "'" }
            }
        }
        let before = try schema()
        #expect(faultCode { try store.alterSoup("s", indexSpecs: (0..<60).map { .string("p\($0)") }) } == .diskFull)
        #expect(try schema() == before)
        #expect(try store.indexSpecs(ofSoup: "s").map(\.path) == ["k", "t"])
        try store.upsert([#"{"k":"second"}"#.bytes], into: "s")
        #expect(try store.count(.all(), soup: "s") == 2 && store.count(.match(matchKey: "words"), soup: "s") == 1)
        #expect(try setup.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: BackEnd.allCases)
    func `a file that may only be read is read, and refuses writes`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        try setup.open().registerSoup("s", indexSpecs: [.string("k")])
        let store = try setup.open { $0.access = .readOnly }
        #expect(try store.allSoupNames() == ["s"])
        for work in [
            { try store.registerSoup("t", indexSpecs: [.string("k")]) }, { try store.upsert(["{}".bytes], into: "s") },
            { try store.removeSoup("s") },
            { try store.alterSoup("s", indexSpecs: [.string("k")]) }, { try store.transaction { _ in } },
        ] as [() throws -> Any] { #expect(faultCode { _ = try work() } == .readOnly) }
        try store.close()
        try setup.open { $0.access = .readWrite }.registerSoup("t", indexSpecs: [.string("k")])
        let missing = try setup.options { $0.access = .readOnly }
        let creating = try setup.options()
        #expect(faultCode { _ = try SmartStore(path: setup.path + "x", options: missing) } == .storeNotFound)
        #expect(faultCode { _ = try SmartStore(path: "/nowhere/at all/store.db", options: creating) } == .inputOutput)
    }

    @Test(arguments: BackEnd.allCases)
    func `a call waits for a lock held elsewhere, then is busy and has changed nothing`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open { $0.settings.busyTimeout = 50 }
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try setup.look { connection in
            try connection.execute("BEGIN IMMEDIATE")
            let fault = #expect(throws: Fault.self) { try store.upsert(["{}".bytes], into: "s") }
            #expect(fault?.code == .busy && fault?.isRetryable == true)
            #expect(fault?.message.contains("another process or connection holds the lock") == true)
            #expect(fault?.message.contains("at most 50 ms") == true)
            #expect(try store.count(.all(), soup: "s") == 0)
            try connection.execute("COMMIT")
        }
        try store.upsert(["{}".bytes], into: "s")
        #expect(try store.count(.all(), soup: "s") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `reading a damaged page is corrupt; nothing is deleted`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try store.upsert((1...200).map { "{\"k\":\"\($0)\",\"t\":\"\(big)\"}".bytes }, into: "s")
        try store.close()
        var bytes = try Data(contentsOf: URL(filePath: setup.path))
        let size = bytes.count
        for page in stride(from: 20, to: size / 4096, by: 3) {
            for index in 0..<64 {
                bytes[bytes.startIndex + page * 4096 + index] ^= 0x5A
            }
        }
        try bytes.write(to: URL(filePath: setup.path))
        let again = try setup.open()
        #expect(faultCode { for id in 1...200 { _ = try again.retrieve(ids: [Int64(id)], from: "s") } } == .corrupt)
        #expect(try again.soupExists("s"))
        try again.close()
        #expect(try Data(contentsOf: URL(filePath: setup.path)).count == size)
    }

    @Test(arguments: BackEnd.allCases)
    func `meta tables with impossible content are corrupt, and never run`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for change in [
            "UPDATE soup_index_map SET columnName = '(SELECT group_concat(soupName) FROM soup_attrs)'",
            "UPDATE soup_index_map SET columnType = 'blob'",
            "UPDATE soup_index_map SET columnType = 'json1', columnName = 'json_extract(soup, ''$.other'')'",
        ] {
            let setup = try StoreFolder(backEnd)
            let store = try setup.open()
            try store.registerSoup("s", indexSpecs: [.string("k")])
            try setup.look {
                try $0.execute(change)
                try $0.execute("CREATE TABLE noise (x)")
            }
            #expect(faultCode { _ = try store.query(.all(orderPath: "k"), soup: "s") } == .corrupt)
        }
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        try setup.look {
            try $0.execute(
                "INSERT INTO sqlite_sequence VALUES ('TABLE_1', 9223372036854775807); CREATE TABLE noise (x)")
        }
        #expect(faultCode { try store.upsert(["{}".bytes], into: "s") } == .diskFull)
        try setup.look {
            try $0.execute(
                "INSERT INTO long_operations_status (type, details, status) VALUES ('alterSoup', '{', 'COPY_TABLE'), ('alterSoup', '{}', 'STARTING'), ('x', 'y', 'z')"
            )
        }
        try store.close()
        #expect(try setup.open().allSoupNames() == ["s"])
    }

    @Test
    func `calls of a closed store throw closed, and closing twice is fine`() throws {
        let store = try StoreFolder(.plain).open()
        try store.registerSoup("s", indexSpecs: [.string("k")])
        let cursor = try store.query(.all(), soup: "s")
        try store.close()
        try store.close()
        #expect(faultCode { _ = try store.allSoupNames() } == .closed)
        #expect(faultCode { try store.upsert(["{}".bytes], into: "s") } == .closed)
        #expect(faultCode { _ = try cursor.moveToPage(0) } == .closed)
        #expect(faultCode { _ = try store.databaseSize() } == .closed)
        try store.reopen()
        #expect(try cursor.moveToPage(0).count == 0)
    }

    @Test(arguments: BackEnd.allCases)
    func `the meta tables of older stores are brought up to date`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let connection = try backEnd.connect(setup.path)
        try connection.execute(
            """
            CREATE TABLE soup_index_map (soupName TEXT, path TEXT, columnName TEXT, columnType TEXT);
            CREATE TABLE soup_names (id INTEGER PRIMARY KEY AUTOINCREMENT, soupName TEXT);
            INSERT INTO soup_names (id, soupName) VALUES (3, 'old');
            INSERT INTO soup_index_map VALUES ('old', 'k', 'TABLE_3_0', 'string');
            CREATE TABLE TABLE_3 (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER, TABLE_3_0 TEXT);
            INSERT INTO TABLE_3 VALUES (9, '{"k":"v","_soupEntryId":9}', 1, 1, 'v');
            """)
        connection.close()
        let inspection = try setup.open { $0.access = .readOnly }
        #expect(try inspection.allSoupNames() == ["old"])
        #expect(try inspection.count(.exact(path: "k", matchKey: "v"), soup: "old") == 1)
        try inspection.close()
        let store = try setup.open()
        #expect(try store.allSoupNames() == ["old"])
        #expect(try store.count(.exact(path: "k", matchKey: "v"), soup: "old") == 1)
        try store.registerSoup("new", indexSpecs: [.string("k")])
        #expect(try setup.texts("SELECT * FROM soup_attrs ORDER BY id") == ["3|old|0", "4|new|0"])
    }
}
