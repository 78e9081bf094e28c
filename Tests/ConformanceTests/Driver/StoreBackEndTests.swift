import Conformance
import JSONText
import SQLiteAccess
import TestSupport
import Testing

@Suite struct StoreBackEndTests {
    private static let soup = JSONObject([("soupName", "a"), ("indexSpecs", [["path": "k", "type": "string"]])])
    private static let entry = JSONObject([("soupName", "a"), ("entries", [["k": "x"]])])
    private static let count = JSONObject([("soupName", "a"), ("querySpec", ["queryType": "all"])])

    @Test func `named folder keeps stores for the next backend`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreBackEnd(.plain, folder: folder.path)
        _ = try first.run("registerSoup", Self.soup)
        _ = try first.run("upsertSoupEntries", Self.entry)
        first.close()
        let second = try StoreBackEnd(.plain, folder: folder.path)
        #expect(try second.run("countQuery", Self.count) == 1)
        try second.reset()
        #expect(try second.run("getAllSoupNames", JSONObject()) == [])
        second.close()
    }

    @Test func `closing rolls back an open transaction`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreBackEnd(.plain, folder: folder.path)
        _ = try first.run("registerSoup", Self.soup)
        _ = try first.run("beginTransaction", JSONObject())
        _ = try first.run("upsertSoupEntries", Self.entry)
        #expect(try first.run("countQuery", Self.count) == 1)
        first.close()
        let second = try StoreBackEnd(.plain, folder: folder.path)
        #expect(try second.run("countQuery", Self.count) == 0)
        second.close()
    }

    @Test func `calls of a transaction run within the time limit too`() throws {
        let unlimited = try StoreBackEnd(.plain, timeLimit: nil)
        defer { unlimited.close() }
        let limited = try StoreBackEnd(.plain)
        defer { limited.close() }
        for backEnd in [unlimited, limited] {
            _ = try backEnd.run("registerSoup", Self.soup)
            for end in ["commit", "rollback"] {
                _ = try backEnd.run("beginTransaction", JSONObject())
                _ = try backEnd.run("upsertSoupEntries", Self.entry)
                #expect(try backEnd.run(end, JSONObject()) == true)
            }
            #expect(try backEnd.run("countQuery", Self.count) == 1)
        }
    }
}
