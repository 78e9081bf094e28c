import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Altering soups.
@Suite
struct AlterationTests {
    static let entries = [
        #"{"lastName":"Doe","address":{"city":"San Francisco","street":"1 market"},"n":"825863"}"#,
        #"{"lastName":"Jackson","address":{"city":"Los Angeles","street":"100 mission"},"n":"2234105"}"#,
    ]
    static let newSpecs: [IndexSpec] = [.string("lastName"), .string("address.city"), .fullText("address.street")]

    private func setup(
        _ backEnd: BackEnd, _ specs: [IndexSpec] = [.string("lastName"), .string("address.city")]
    ) throws -> (StoreFolder, SmartStore) {
        let setup = try StoreFolder(backEnd)
        // Calls on a soup whose alteration is unfinished wait this long.
        let store = try setup.open { $0.settings.busyTimeout = 50 }
        try store.registerSoup("people", indexSpecs: specs)
        try store.upsert(Self.entries.map(\.bytes), into: "people")
        return (setup, store)
    }

    @Test(arguments: BackEnd.allCases)
    func `kept paths keep their values, new ones are NULL until they are re-indexed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd, [.string("lastName")])
        let before = try setup.texts("SELECT id, soup, created, lastModified FROM TABLE_1 ORDER BY id")
        try store.alterSoup("people", indexSpecs: Self.newSpecs, reIndexData: false)
        #expect(try setup.texts("SELECT id, soup, created, lastModified FROM TABLE_1 ORDER BY id") == before)
        #expect(
            try setup.texts("SELECT TABLE_1_0, TABLE_1_1, TABLE_1_2 FROM TABLE_1 ORDER BY id") == [
                "Doe|NULL|NULL", "Jackson|NULL|NULL",
            ])
        #expect(try store.count(.exact(path: "address.city", matchKey: "San Francisco"), soup: "people") == 0)
        try store.reIndexSoup("people", paths: ["address.city", "nobody", "lastName"])
        #expect(try store.count(.exact(path: "address.city", matchKey: "San Francisco"), soup: "people") == 1)
        #expect(try store.count(.match(path: "address.street", matchKey: "market"), soup: "people") == 0)
        try store.reIndexSoup("people", paths: ["address.street"])
        #expect(try store.count(.match(path: "address.street", matchKey: "market"), soup: "people") == 1)
        #expect(try setup.texts("SELECT id, soup, created, lastModified FROM TABLE_1 ORDER BY id") == before)
        #expect(try store.hasIndex(forPath: "address.street", inSoup: "people"))
    }

    @Test(arguments: BackEnd.allCases)
    func `each change of type fills the columns, the full text and the index map anew`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for from in IndexType.allCases {
            for to in IndexType.allCases {
                let (setup, store) = try setup(backEnd, [IndexSpec(path: "n", type: from), .string("lastName")])
                try store.alterSoup(
                    "people", indexSpecs: [.string("lastName"), IndexSpec(path: "n", type: to)], reIndexData: true)
                #expect(
                    try setup.texts("SELECT path, columnName, columnType FROM soup_index_map ORDER BY rowid").map {
                        $0.split(separator: "|")[2]
                    } == ["string", Substring(to.rawValue)])
                let spec = try store.indexSpecs(ofSoup: "people")[1]
                #expect(
                    try setup.texts("SELECT ifnull(\(spec.columnName ?? ""), 'none') FROM TABLE_1 ORDER BY id").map {
                        $0.split(separator: ".")[0]
                    } == ["825863", "2234105"], "\(from) to \(to)")
                #expect(
                    try setup.texts("SELECT name FROM sqlite_master WHERE name LIKE '%old%' OR name = 'TABLE_1_fts'")
                        == (to == .fullText ? ["TABLE_1_fts"] : []))
                #expect(try setup.texts("SELECT count(*) FROM long_operations_status") == ["0"])
                let ordered = try store.query(.all(orderPath: "n"), soup: "people").currentPage.entries.map {
                    String(decoding: $0, as: UTF8.self).contains("Doe")
                }
                #expect(ordered == (to == .integer || to == .floating ? [true, false] : [false, true]))
            }
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `values of json1 paths stay when the path becomes a string without re-indexing`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd, [.json1("lastName"), .json1("flag")])
        try store.upsert([#"{"lastName":["a"],"flag":true}"#.bytes], into: "people")
        try store.alterSoup("people", indexSpecs: [.fullText("lastName"), .string("flag")], reIndexData: false)
        #expect(
            try setup.texts("SELECT TABLE_1_0, TABLE_1_1 FROM TABLE_1 ORDER BY id") == [
                "Doe|NULL", "Jackson|NULL", #"["a"]|true"#,
            ])
        #expect(try store.count(.match(matchKey: "jackson"), soup: "people") == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `equal specs rebuild: date indexes come back, an FTS4 table becomes an FTS5 one`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let old = try setup.open { $0.fullTextVersion = .fts4 }
        try old.registerSoup("people", indexSpecs: [.fullText("lastName")])
        try old.upsert(Self.entries.map(\.bytes), into: "people")
        #expect(try old.soup("people").fullTextVersion == .fts4)
        #expect(try old.count(.match(matchKey: "doe"), soup: "people") == 1)
        try old.close()
        try setup.look { try $0.execute("DROP INDEX TABLE_1_created_idx; DROP INDEX TABLE_1_lastModified_idx") }
        let store = try setup.open()
        try store.alterSoup("people", indexSpecs: [.fullText("lastName")], reIndexData: false)
        #expect(try store.soup("people").fullTextVersion == .fts5)
        #expect(try store.count(.match(matchKey: "doe"), soup: "people") == 1)
        #expect(
            try setup.texts(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('TABLE_1_created_idx', 'TABLE_1_lastModified_idx')")
                == ["2"])
    }

    @Test(arguments: BackEnd.allCases)
    func `ids of removed entries are not given again`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (_, store) = try setup(backEnd)
        try store.remove(ids: [2], from: "people")
        try store.alterSoup("people", indexSpecs: Self.newSpecs)
        #expect(try store.upsert(["{}".bytes], into: "people")[0].string.contains(#""_soupEntryId":3,"#))
        try store.clearSoup("people")
        try store.alterSoup("people", indexSpecs: Self.newSpecs)
        #expect(try store.upsert(["{}".bytes], into: "people")[0].string.contains(#""_soupEntryId":4,"#))
    }

    @Test(
        arguments: BackEnd.allCases,
        AlterationStep.allCases)
    func `interrupted after any step, it goes on at the next opening for writing`(
        _ backEnd: BackEnd, _ step: AlterationStep
    ) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        let before = try setup.texts("SELECT id, soup, created, lastModified FROM TABLE_1 ORDER BY id")
        try store.alterSoup("people", indexSpecs: Self.newSpecs, reIndexData: true, until: step)
        if step != .dropOldTable {
            #expect(
                try setup.texts("SELECT type, status FROM long_operations_status") == ["alterSoup|\(step.rawValue)"])
            let details = try JSONValue(parsing: setup.texts("SELECT details FROM long_operations_status")[0].bytes)
            #expect(
                details["soupName"]?.string == "people" && details["soupTableName"]?.string == "TABLE_1"
                    && details["reIndexData"]?.bool == true)
            #expect(
                details["oldIndexSpecs"]?.array?.first?["columnName"]?.string == "TABLE_1_0"
                    && details["newIndexSpecs"]?.array?.first?["columnName"] == nil)
            #expect(faultCode { _ = try store.retrieve(ids: [1], from: "people") } == .busy)
            #expect(faultCode { try store.upsert(["{}".bytes], into: "people") } == .busy)
        }
        try store.close()

        // Opening for reading only changes nothing.
        let status = try setup.texts("SELECT * FROM long_operations_status")
        let inspection = try setup.open {
            $0.access = .readOnly
            $0.settings.busyTimeout = 50
        }
        #expect(step == .dropOldTable || faultCode { _ = try inspection.retrieve(ids: [1], from: "people") } == .busy)
        try inspection.close()
        #expect(try setup.texts("SELECT * FROM long_operations_status") == status)

        let again = try setup.open()
        #expect(try setup.texts("SELECT count(*) FROM long_operations_status") == ["0"])
        #expect(try setup.texts("SELECT id, soup, created, lastModified FROM TABLE_1 ORDER BY id") == before)
        #expect(
            try setup.texts("SELECT TABLE_1_0, TABLE_1_1, TABLE_1_2 FROM TABLE_1 ORDER BY id") == [
                "Doe|San Francisco|1 market", "Jackson|Los Angeles|100 mission",
            ])
        #expect(try again.indexSpecs(ofSoup: "people").map(\.columnName) == ["TABLE_1_0", "TABLE_1_1", "TABLE_1_2"])
        #expect(try again.count(.match(path: "address.street", matchKey: "mission"), soup: "people") == 1)
    }

    @Test(arguments: BackEnd.allCases, AlterationStep.allCases.dropLast())
    func `an alteration can be undone after any step`(_ backEnd: BackEnd, _ step: AlterationStep) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd, [.fullText("lastName"), .json1("address.city")])
        try store.remove(ids: [2], from: "people")
        let dump =
            "SELECT name, ifnull(sql, '') FROM sqlite_master UNION ALL SELECT path, columnName FROM soup_index_map UNION ALL SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'TABLE%' UNION ALL SELECT id, soup FROM TABLE_1 ORDER BY 1, 2"
        // SQLite quotes a name that it has changed.
        func look() throws -> [String] { try setup.texts(dump).map { $0.filter { $0 != "\"" && $0 != "'" } }.sorted() }
        let before = try look()
        try store.alterSoup("people", indexSpecs: Self.newSpecs, reIndexData: true, until: step)
        try store.connections.write { (session, _) throws(Fault) in
            try Alteration(session: session, id: LongOperation.all(session.connection)[0].id, progress: nil).undo()
        }
        #expect(try look() == before)
        #expect(try store.count(.match(matchKey: "doe"), soup: "people") == 1)
        #expect(try store.upsert(["{}".bytes], into: "people")[0].string.contains(#""_soupEntryId":3,"#))
    }

    @Test
    func `invalid alterations are refused before the first step, and progress is reported`() throws {
        let (setup, store) = try setup(.plain)
        #expect(faultCode { try store.alterSoup("nobody", indexSpecs: [.string("a")]) } == .soupNotFound)
        #expect(faultCode { try store.reIndexSoup("nobody", paths: []) } == .soupNotFound)
        #expect(faultCode { try store.alterSoup("people", indexSpecs: []) } == .noIndexSpecs)
        let external = SoupSpec(name: "people", features: [.externalStorage])
        #expect(
            faultCode { try store.alterSoup("people", soupSpec: external, indexSpecs: [.json1("a")]) }
                == .json1WithExternalStorage)
        #expect(try setup.texts("SELECT count(*) FROM long_operations_status") == ["0"])
        var steps: [AlterationStep] = []
        try store.alterSoup("people", indexSpecs: Self.newSpecs) { progress in
            if steps.last != progress.step {
                steps.append(progress.step)
            }
            #expect(progress.entriesDone <= progress.entriesTotal)
        }
        #expect(steps == Array(AlterationStep.allCases.dropFirst()))
    }

    @Test(arguments: BackEnd.allCases)
    func `another process's alteration is noticed: by the schema, and while it runs`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let (setup, store) = try setup(backEnd)
        #expect(try store.retrieve(ids: [1], from: "people").count == 1)
        let other = try setup.open()
        try other.alterSoup("people", indexSpecs: [.string("address.city")], reIndexData: true)
        // The same column now belongs to another path.
        try store.upsert([#"{"lastName":"Roe","address":{"city":"Oakland"}}"#.bytes], into: "people")
        #expect(try store.count(.exact(path: "address.city", matchKey: "Oakland"), soup: "people") == 1)
        #expect(
            faultCode { _ = try store.count(.exact(path: "lastName", matchKey: "Roe"), soup: "people") }
                == .pathNotIndexed)
        try other.removeSoup("people")
        #expect(faultCode { _ = try store.retrieve(ids: [1], from: "people") } == .soupNotFound)
        try other.registerSoup("people", indexSpecs: [.string("a")])
        #expect(try store.retrieve(ids: [1], from: "people").isEmpty)
        try other.alterSoup("people", indexSpecs: [.string("b")], reIndexData: true, until: .renameOldSoupTable)
        #expect(faultCode { _ = try store.retrieve(ids: [1], from: "people") } == .busy)
        #expect(faultCode { try store.upsert(["{}".bytes], into: "people") } == .busy)
        try store.resumeAlterations()
        #expect(try other.upsert([#"{"b":"x"}"#.bytes], into: "people").count == 1)
        #expect(try store.lookupEntryId(inSoup: "people", path: "b", value: .text("x")) == 1)
    }
}
