import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Alterations that were interrupted and cannot be finished, and status rows that no alteration wrote.
@Suite
struct AlterationResumeTests {
    private static let specs: [IndexSpec] = [.string("k")]

    private func setup(_ backEnd: BackEnd, _ entry: String = #"{"k":"a","n":"x\u0000y"}"#) throws -> StoreFolder {
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: Self.specs)
        try store.upsert([entry.bytes, #"{"k":"b","n":"z"}"#.bytes], into: "s")
        try store.close()
        return setup
    }

    /// Alters a soup up to the step before the copy, as a killed process does.
    private func interrupt(_ store: SmartStore, _ soup: String, _ specs: [IndexSpec], reIndexData: Bool) throws {
        try store.alterSoup(
            soup, indexSpecs: specs, reIndexData: reIndexData, until: .registerSoupUsingTableName)
    }

    @Test(arguments: BackEnd.allCases, IndexType.allCases)
    func `an interrupted alteration that no entry allows is undone at the next opening, and others are finished`(
        _ backEnd: BackEnd, _ type: IndexType
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try setup(backEnd)
        let store = try setup.open()
        try store.registerSoup("t", indexSpecs: Self.specs)
        try store.upsert([#"{"k":"c"}"#.bytes], into: "t")
        let before = try store.retrieve(ids: [1, 2], from: "s")
        let wanted = Self.specs + [IndexSpec(path: "n", type: type)]
        try interrupt(store, "s", wanted, reIndexData: true)
        try interrupt(store, "t", wanted, reIndexData: true)
        try store.close()

        let again = try setup.open { $0.settings.busyTimeout = 50 }
        #expect(try again.indexSpecs(ofSoup: "s").map(\.path) == ["k"])
        #expect(try again.retrieve(ids: [1, 2], from: "s") == before)
        #expect(try again.count(.exact(path: "k", matchKey: "a"), soup: "s") == 1)
        #expect(try again.upsert([#"{"k":"d"}"#.bytes], into: "s")[0].string.contains(#""_soupEntryId":3,"#))
        #expect(try again.indexSpecs(ofSoup: "t").map(\.path) == ["k", "n"])
        #expect(try again.count(.all(), soup: "t") == 1)
        #expect(try setup.texts("SELECT count(*) FROM long_operations_status") == ["0"])
        #expect(try setup.texts("SELECT count(*) FROM sqlite_master WHERE name LIKE '%old%'") == ["0"])
    }

    @Test(arguments: BackEnd.allCases)
    func `entries that an alteration has not copied yet are busy, and not counted or exported as none`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try setup(backEnd).open { $0.settings.busyTimeout = 50 }
        try interrupt(store, "s", Self.specs + [.string("n")], reIndexData: false)
        #expect(faultCode { _ = try store.sizesNow() } == .busy)
        try store.read { reader in
            let soup = try reader.soup("s")
            let counting = faultCode { _ = try reader.entries(of: soup) }
            let exporting = faultCode { try reader.forEachLine(of: "s", systemFields: true) { _ in } }
            #expect(counting == .busy && exporting == .busy)
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `resuming an alteration that no entry allows undoes it, says why, and does nothing when called again`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let store = try setup(backEnd).open { $0.settings.busyTimeout = 50 }
        try interrupt(store, "s", Self.specs + [.json1("n")], reIndexData: false)
        #expect(faultCode { _ = try store.count(.all(), soup: "s") } == .busy)
        #expect(faultCode { try store.resumeAlterations() } == .invalidEntry)
        #expect(try store.count(.all(), soup: "s") == 2)
        try store.resumeAlterations()
        #expect(try store.indexSpecs(ofSoup: "s").map(\.path) == ["k"])
    }

    @Test(arguments: BackEnd.allCases, [true, false])
    func `an alteration that another process ends is acknowledged only if it was finished`(
        _ backEnd: BackEnd, _ canFinish: Bool
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try setup(backEnd, canFinish ? #"{"k":"a"}"# : #"{"k":"a","n":"x\u0000y"}"#)
        let store = try setup.open()
        try interrupt(store, "s", Self.specs + [.string("n")], reIndexData: true)
        try store.connections.write { (session, _) throws(Fault) in
            let operation = try LongOperation.all(session.connection)[0]
            // As another process does that opens the store between two steps.
            _ = try? session.resumeAlterations(progress: nil)
            let alteration = Alteration(session: session, id: operation.id, progress: nil)
            let hasEndedItself = try alteration.run(at: 1)
            #expect(!hasEndedItself)
            #expect(faultCode { try alteration.requireDone(operation.details) } == (canFinish ? nil : .busy))
        }
        #expect(try store.indexSpecs(ofSoup: "s").count == (canFinish ? 2 : 1))
    }

    @Test(arguments: BackEnd.allCases)
    func `an interrupted alteration whose entry has lost its file is undone, and the other entries are readable`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(SoupSpec(name: "s", features: [.externalStorage]), indexSpecs: Self.specs)
        try store.upsert([#"{"k":"a"}"#.bytes, #"{"k":"b"}"#.bytes], into: "s")
        try store.alterSoup(
            "s", soupSpec: SoupSpec(name: "s"), indexSpecs: Self.specs, reIndexData: true,
            until: .registerSoupUsingTableName)
        let lost = ElementVersion(
            table: 1, id: 1,
            version: try #require(Int64(setup.texts("SELECT lastModified FROM TABLE_1_old WHERE id = 1")[0])))
        try store.connections.write { (session, _) throws(Fault) in try session.elements().remove(lost) }
        try store.close()

        let again = try setup.open { $0.settings.busyTimeout = 50 }
        #expect(try again.retrieve(ids: [2], from: "s").count == 1)
        #expect(faultCode { _ = try again.retrieve(ids: [1], from: "s") } == .corrupt)
        #expect(try again.soupSpec(ofSoup: "s").features == [.externalStorage])
        try again.remove(ids: [1], from: "s")
        try again.alterSoup("s", soupSpec: SoupSpec(name: "s"), indexSpecs: Self.specs)
        #expect(try again.retrieve(ids: [2], from: "s").count == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `a soup in the middle of an alteration keeps its files and is busy, also if the status row is damaged`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup(SoupSpec(name: "s", features: [.externalStorage]), indexSpecs: Self.specs)
        try store.registerSoup("t", indexSpecs: Self.specs)
        let entries = try store.upsert([#"{"k":"a"}"#.bytes, #"{"k":"b"}"#.bytes], into: "s")
        try store.alterSoup(
            "s", soupSpec: SoupSpec(name: "s"), indexSpecs: Self.specs, reIndexData: true,
            until: .registerSoupUsingTableName)
        let details = try setup.texts("SELECT details FROM long_operations_status")[0]
        try store.close()
        try setDetails("json_remove(details, '$.oldSoupFeatures')", in: setup)

        let again = try setup.open { $0.settings.busyTimeout = 50 }
        #expect(faultCode { _ = try again.count(.all(), soup: "s") } == .busy)
        #expect(faultCode { try again.upsert([#"{"k":"c"}"#.bytes], into: "s") } == .busy)
        try again.upsert([#"{"k":"c"}"#.bytes], into: "t")
        if backEnd.isKeyed {
            #expect(faultCode { try again.rekey(to: BackEnds.key(9)) } == .busy)
        }
        try again.close()
        try setDetails("'\(details)'", in: setup)
        #expect(try setup.open().retrieve(ids: [1, 2], from: "s") == entries)
    }

    private func setDetails(_ expression: String, in setup: StoreFolder) throws {
        try setup.look { try $0.execute("UPDATE long_operations_status SET details = \(expression)") }
    }

    @Test(arguments: BackEnd.allCases)
    func `the first alteration out of the table goes on after a copy that was cut`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: Self.specs)
        let entries = try store.upsert([#"{"k":"a"}"#.bytes, #"{"k":"b"}"#.bytes], into: "s")
        let external = SoupSpec(name: "s", features: [.externalStorage])
        try store.alterSoup(
            "s", soupSpec: external, indexSpecs: Self.specs, reIndexData: true, until: .registerSoupUsingTableName)
        // The file that a killed process leaves: its transaction is rolled back, and the file stays.
        let version = try #require(Int64(setup.texts("SELECT lastModified FROM TABLE_1_old WHERE id = 1")[0]))
        try store.connections.write { (session, _) throws(Fault) in
            try WrittenElements(session.elements()).write(
                entries[0], to: ElementVersion(table: 1, id: 1, version: version))
        }
        try store.close()

        let again = try setup.open { $0.settings.busyTimeout = 50 }
        #expect(try again.soupSpec(ofSoup: "s").features == [.externalStorage])
        #expect(try again.retrieve(ids: [1, 2], from: "s") == entries)
    }

    @Test(arguments: BackEnd.allCases, AlterationStep.allCases)
    func `a status row that does not fit its soup or the tables that are there hides nothing and changes nothing`(
        _ backEnd: BackEnd, _ step: AlterationStep
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try setup(backEnd, #"{"k":"a"}"#)
        let store = try setup.open()
        try store.registerSoup("t", indexSpecs: [.fullText("k"), .json1("n")])
        try store.upsert([#"{"k":"c"}"#.bytes], into: "t")
        try store.close()
        var rows = [("s", 2), ("s", 9), ("missing", 1), ("s", -1)]
        // A row of the first step fits every soup.
        if step != .starting {
            rows.append(("s", 1))
        }
        for (soup, table) in rows {
            let details = AlterationDetails(
                soupName: soup, table: SoupTableName(Int64(table)), oldIndexSpecs: Self.specs,
                newIndexSpecs: Self.specs + [.integer("n")], oldFeatures: [], newFeatures: [], reIndexData: true,
                hadFullTextIndexes: true, hasFullTextIndexes: true)
            try setup.look { connection in
                try connection.run(
                    "INSERT INTO long_operations_status (type, details, status) VALUES ('alterSoup', ?, ?)",
                    .text(details.json.bytes()), .text(step.rawValue))
            }
        }
        let tables = "SELECT name, ifnull(sql, '') FROM sqlite_master ORDER BY name"
        let before = try setup.texts(tables)
        let again = try setup.open { $0.settings.busyTimeout = 50 }
        #expect(try setup.texts(tables) == before)
        #expect(try again.count(.exact(path: "k", matchKey: "a"), soup: "s") == 1)
        #expect(try again.count(.match(matchKey: "c"), soup: "t") == 1)
        try again.resumeAlterations()
        try again.alterSoup("s", indexSpecs: Self.specs + [.integer("n")])
        #expect(try again.count(.all(), soup: "s") == 2)
    }
}
