import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// The full text in step with the entries.
@Suite
struct FullTextCheckTests {
    @Test(arguments: BackEnd.allCases, FullTextVersion.allCases)
    func `every kind of change keeps it in step; a row changed without the store is found`(
        _ backEnd: BackEnd, _ version: FullTextVersion
    ) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.fullTextVersion = version
        let store = try SmartStore(path: path, options: options)
        try store.registerSoup("d", indexSpecs: [.string("k"), .fullText("a"), .fullText("b")])
        try store.upsert(
            (1...20).map {
                Array("{\"k\":\"\($0)\",\"a\":\"fox \($0)\"\($0 % 2 == 0 ? "" : ",\"b\":[1,\"x\"]")}".utf8)
            }, into: "d")
        try store.upsert([Array(#"{"_soupEntryId":3,"k":"3","b":"changed"}"#.utf8)], into: "d")
        try store.remove(ids: [5, 6], from: "d")
        try store.remove(matching: .match(path: "a", matchKey: "7 OR 8"), from: "d")
        #expect(try store.entriesOutOfStepWithFullText(soup: "d").isEmpty)
        try store.close()

        let connection = try backEnd.connect(path, access: .readWrite)
        try connection.execute(
            "DELETE FROM TABLE_1_fts WHERE rowid = 2; UPDATE TABLE_1_fts SET TABLE_1_2 = NULL WHERE rowid = 9")
        try connection.execute("INSERT INTO TABLE_1_fts(rowid, TABLE_1_1) VALUES (77, 'left over')")
        connection.close()

        let again = try SmartStore(path: path, options: options)
        #expect(try again.entriesOutOfStepWithFullText(soup: "d") == [2, 9, 77])
        #expect(throws: Fault.self) { try again.entriesOutOfStepWithFullText(soup: "nobody") }
        try again.close()
    }
}
